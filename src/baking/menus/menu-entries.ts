import { decodeName, trimEnd } from '../../wordpress/formatting/plain-text.ts'
import type { Value } from '../program.ts'
import type { LanguageValue, MenuItemValue, MenuValue, SwitcherValue } from '../values.ts'

/** An address as WordPress compares it: whatever its scheme, without a fragment and slashes at its end. */
export function normalizeAddress(url: string): string {
  const hash = url.indexOf('#')
  const withoutFragment = hash > 0 ? url.slice(0, hash) : url
  return trimEnd(withoutFragment.replace(/^\w+:\/\//, '//'), '/\\')
}

/** An item as it is shown: one of the menu's own, or a language that a switcher item stands for. */
export type MenuEntry = Omit<MenuItemValue, 'id' | 'switcher' | 'marks'> & {
  /** What the entry is called in ids and classes: `12`, of a language `12-fr`. */
  readonly key: string
  /** Id of the item; 0 for an entry that has no children. */
  readonly id: number
  readonly marks: MenuItemValue['marks']
  /** Language tag of a language's entry. */
  readonly lang?: string
  /** A language's entry stands below its switcher, as a drop-down. */
  readonly inDropdown?: true
}

/** The page in which a menu is shown: what `page.*` gives. */
type Page = Readonly<Record<string, Value>>

/**
 * The entries of a menu in their order; each switcher item becomes an entry per language (PLL frontend-nav-menu.php,
 * wp_get_nav_menu_items).
 * @param page undefined leaves switcher items as they are stored
 */
export function menuEntries({ items, home }: MenuValue, page: Page | undefined): MenuEntry[] {
  return items.flatMap((item) =>
    item.switcher && page ? languageEntries(item, item.switcher, { page, home }) : ownEntry(item),
  )
}

/** How many entries `menuEntries` makes at most, without making them. */
export function countEntries({ items }: MenuValue, page: Page | undefined): number {
  if (!page) return items.length
  return items.reduce((count, { switcher }) => count + 1 + (switcher?.languages.length ?? 0), 0)
}

/** Texts are stored as HTML and printed as text. */
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
      title: name,
      attrTitle: '',
      url: address,
      marks: normalizeAddress(address) === normalizeAddress(home) ? ['home'] : [],
      lang: languageTag(locale),
      classes: [
        ...languageClasses(language, { page, isTranslated: url !== undefined }),
        ...(index === 0 ? ['lang-item-first'] : []),
      ],
      // What stands below the switcher stands below its first language.
      id: index === 0 ? item.id : 0,
    }
  })
  if (!switcher.dropdown) return entries
  const current = switcher.languages.find(({ slug }) => slug === page.lang)
  const head: MenuEntry = {
    ...ownEntry(item),
    title: current?.name ?? item.title,
    attrTitle: '',
    classes: ['pll-parent-menu-item'],
  }
  return [
    head,
    ...entries.map((entry) => ({ ...entry, id: 0, parent: item.id, inDropdown: true as const })),
  ]
}

/** The address of the page in a language, if it has a translation there that visitors may see. */
export function translationUrl(page: Page, lang: string): string | undefined {
  const translations = page.translations
  if (typeof translations !== 'object' || translations === null) return undefined
  const url = Object.hasOwn(translations, lang)
    ? (translations as Record<string, Value>)[lang]
    : undefined
  return typeof url === 'string' ? url : undefined
}

/** The class names of a language in a switcher (PLL switcher.php). */
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

/** The language tag of a WordPress locale: `fr-FR` of `fr_FR`. */
export function languageTag(locale: string): string {
  return locale.replaceAll('_', '-')
}
