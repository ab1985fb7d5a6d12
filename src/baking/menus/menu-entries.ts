import { decodeName, trimEnd } from '../../wordpress/formatting/plain-text.ts'
import type { Value } from '../program.ts'
import type { LanguageValue, MenuItemValue, MenuValue, SwitcherValue } from '../values.ts'

/** A URL as WordPress compares it: without scheme, fragment and trailing slashes. */
export function normalizeAddress(url: string): string {
  const hash = url.indexOf('#')
  const withoutFragment = hash > 0 ? url.slice(0, hash) : url
  return trimEnd(withoutFragment.replace(/^\w+:\/\//, '//'), '/\\')
}

/** An entry as it is shown: a menu item, or a language of a switcher item. */
export type MenuEntry = Omit<MenuItemValue, 'id' | 'switcher' | 'marks'> & {
  /** The suffix of ids and classes: `12`, or `12-fr` for a language. */
  readonly key: string
  /** Id of the item; 0 for a language entry that has no children. */
  readonly id: number
  readonly marks: MenuItemValue['marks']
  /** Language tag of a language entry. */
  readonly lang?: string
  /** Set for a language entry in a drop-down switcher, where it is a child of the switcher. */
  readonly inDropdown?: true
}

/** Values of `page.*` of the page that shows the menu. */
type Page = Readonly<Record<string, Value>>

/**
 * The entries of a menu in menu order. Each switcher item becomes one entry per language (PLL frontend-nav-menu.php,
 * wp_get_nav_menu_items).
 * @param page if undefined, switcher items are not expanded
 */
export function menuEntries({ items, home }: MenuValue, page: Page | undefined): MenuEntry[] {
  return items.flatMap((item) =>
    item.switcher && page ? languageEntries(item, item.switcher, { page, home }) : ownEntry(item),
  )
}

/** Upper bound of the number of entries that `menuEntries` returns. */
export function countEntries({ items }: MenuValue, page: Page | undefined): number {
  if (!page) return items.length
  return items.reduce((count, { switcher }) => count + 1 + (switcher?.languages.length ?? 0), 0)
}

/** Decodes the texts, which are stored as HTML. */
function ownEntry(item: MenuItemValue): MenuEntry {
  const { id, title, attrTitle } = item
  return { ...item, key: String(id), title: decodeName(title), attrTitle: decodeName(attrTitle) }
}

function languageEntries(
  item: MenuItemValue,
  switcher: SwitcherValue,
  { page, home }: { readonly page: Page; readonly home: string },
): MenuEntry[] {
  const shown = switcher.languages
    .filter(({ empty }) => !empty)
    .map((language) => ({ language, url: translationUrl(page, language.slug) }))
    .filter(({ language: { slug } }) => !(switcher.hideCurrent && slug === page.lang))
    .filter(({ url }) => url !== undefined || !switcher.hideUntranslated)
  const entries = shown.map(({ language, url }, index): MenuEntry => {
    const { slug, locale, name } = language
    const address = url === undefined || switcher.forceHome ? language.url : url
    return {
      ...ownEntry(item),
      key: `${item.id}-${slug}`,
      title: switcher.showsCodes ? slug : name,
      attrTitle: '',
      url: address,
      marks: normalizeAddress(address) === normalizeAddress(home) ? ['home'] : [],
      lang: languageTag(locale),
      classes: [
        ...languageClasses(language, { page, isTranslated: url !== undefined }),
        ...(index === 0 ? ['lang-item-first'] : []),
      ],
      // Children of the switcher become children of its first language.
      id: index === 0 ? item.id : 0,
    }
  })
  if (!switcher.dropdown) return entries
  const current = switcher.languages.find(({ slug }) => slug === page.lang)
  const head: MenuEntry = {
    ...ownEntry(item),
    title: (switcher.showsCodes ? current?.slug : current?.name) ?? item.title,
    attrTitle: '',
    classes: ['pll-parent-menu-item'],
  }
  return [
    head,
    ...entries.map((entry) => ({ ...entry, id: 0, parent: item.id, inDropdown: true as const })),
  ]
}

/** The URL of the page's public translation into a language, if there is one. */
export function translationUrl(page: Page, lang: string): string | undefined {
  const translations = page.translations
  if (typeof translations !== 'object' || translations === null) return undefined
  const url = Object.hasOwn(translations, lang)
    ? (translations as Record<string, Value>)[lang]
    : undefined
  return typeof url === 'string' ? url : undefined
}

/** The classes of a language in a switcher (PLL switcher.php). */
export function languageClasses(
  { id, slug }: LanguageValue & { readonly id?: number },
  { page, isTranslated }: { readonly page: Page; readonly isTranslated: boolean },
): string[] {
  return [
    'lang-item',
    ...(id === undefined ? [] : [`lang-item-${id}`]),
    `lang-item-${slug}`,
    ...(slug === page.lang ? ['current-lang'] : []),
    ...(isTranslated ? [] : ['no-translation']),
  ]
}

/** The language tag of a WordPress locale: `fr_FR` becomes `fr-FR`. */
export function languageTag(locale: string): string {
  return locale.replaceAll('_', '-')
}
