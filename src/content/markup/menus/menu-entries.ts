import { decodeName, trimEnd } from '../../../wordpress/formatting/plain-text.ts'
import { languageTag } from '../../../wordpress/languages/language-tag.ts'
import type { Value } from '../evaluation/program.ts'
import type {
  LanguageValue,
  MenuItemValue,
  MenuValue,
  SwitcherLanguage,
  SwitcherValue,
} from '../evaluation/values.ts'
import { labelHtml } from './label-html.ts'

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
  /** The label as HTML, if the stored title contains markup. */
  readonly html?: string | undefined
  /** Language tag of a language entry. */
  readonly lang?: string
  /** Set for a language entry in a drop-down switcher, where it is a child of the switcher. */
  readonly inDropdown?: true
}

/** Values of `page.*` of the page that shows the menu. */
type PageValues = Readonly<Record<string, Value>>

/**
 * The entries of a menu in menu order. Each switcher item becomes one entry per language (PLL frontend-nav-menu.php,
 * wp_get_nav_menu_items).
 * @param page if undefined, switcher items are not expanded
 */
export function menuEntries(menu: MenuValue, page: PageValues | undefined): MenuEntry[] {
  return menu.items.flatMap((item) =>
    item.switcher && page ? languageEntries(item, item.switcher, menu, page) : ownEntry(item),
  )
}

/** Upper bound of the number of entries that `menuEntries` returns. */
export function countEntries({ items }: MenuValue, page: PageValues | undefined): number {
  if (!page) return items.length
  return items.reduce((count, { switcher }) => count + 1 + (switcher?.languages.length ?? 0), 0)
}

/** Characters of the texts that `menuEntries` decodes and a menu prints. */
export function textLength({ items }: MenuValue): number {
  let length = 0
  for (const { title, url, attrTitle, xfn, target, classes } of items) {
    length += title.length + url.length + attrTitle.length + xfn.length + target.length
    for (const name of classes) length += name.length
  }
  return length
}

/** Decodes the texts, which are stored as HTML. */
function ownEntry(item: MenuItemValue): MenuEntry {
  const { id, title, attrTitle } = item
  const html = labelHtml(title)
  return {
    ...item,
    key: String(id),
    title: decodeName(title),
    attrTitle: decodeName(attrTitle),
    ...(html === undefined ? {} : { html }),
  }
}

function languageEntries(
  item: MenuItemValue,
  switcher: SwitcherValue,
  { home, privacyUrl }: MenuValue,
  page: PageValues,
): MenuEntry[] {
  const { layout, dropdown, languages } = switcher
  const own = ownEntry(item)
  const labelOf = ({ slug, name }: SwitcherLanguage): string =>
    layout?.showsCodes ? slug.toUpperCase() : name
  const fieldsOf = (language: SwitcherLanguage) => {
    const translation = translationUrl(page, language)
    const url = translation === undefined || switcher.forceHome ? language.url : translation
    return {
      title: labelOf(language),
      html: undefined,
      attrTitle: '',
      url,
      xfn: [item.xfn, url === privacyUrl ? 'privacy-policy' : ''].filter(Boolean).join(' '),
      marks: normalizeAddress(url) === normalizeAddress(home) ? (['home'] as const) : [],
      classes: languageClasses(language, { page, isTranslated: translation !== undefined }),
    }
  }
  const shown = languages
    .filter(({ empty, slug }) => !empty && !(switcher.hideCurrent && slug === page.lang))
    .filter(
      (language) => !switcher.hideUntranslated || translationUrl(page, language) !== undefined,
    )
  const entries = shown.map((language, index): MenuEntry => {
    const isFirst = index === 0
    const fields = fieldsOf(language)
    return {
      ...own,
      ...fields,
      key: `${item.id}-${language.slug}`,
      lang: languageTag(language.locale),
      classes: [
        ...fields.classes,
        ...(isFirst && (dropdown || !layout) ? ['lang-item-first'] : []),
        ...(layout && !dropdown ? [layout.flagClass] : []),
      ],
      // Children of the switcher become children of its first language.
      id: isFirst ? item.id : 0,
    }
  })
  // Polylang 3.9 prints no drop-down without languages.
  if (!dropdown || (layout && entries.length === 0)) return entries
  const current = languages.find(({ slug }) => slug === page.lang)
  // Polylang 3.9 links the page itself, older versions nothing.
  const linked = layout && current ? fieldsOf(current) : undefined
  const head: MenuEntry = {
    ...own,
    ...linked,
    title: current ? labelOf(current) : own.title,
    html: current ? undefined : own.html,
    attrTitle: '',
    classes: [
      ...(linked?.classes ?? []),
      'pll-parent-menu-item',
      ...(layout?.showsFlags ? [layout.flagClass] : []),
    ],
  }
  return [
    head,
    ...entries.map((entry) => ({ ...entry, id: 0, parent: item.id, inDropdown: true as const })),
  ]
}

/**
 * The URL of the page's public translation into a language, if there is one. For the front page it is the home of each language, also of those
 * without a front page (PLL frontend-links.php, get_translation_url).
 */
export function translationUrl(
  page: PageValues,
  { slug, url: home }: Pick<LanguageValue, 'slug' | 'url'>,
): string | undefined {
  const translations = page.translations
  if (typeof translations !== 'object' || translations === null) return undefined
  const url = Object.hasOwn(translations, slug)
    ? (translations as Record<string, Value>)[slug]
    : undefined
  if (typeof url === 'string') return url
  return page.isFront === true ? home : undefined
}

/** The classes of a language in a switcher (PLL switcher.php). */
export function languageClasses(
  { id, slug }: LanguageValue & { readonly id?: number },
  { page, isTranslated }: { readonly page: PageValues; readonly isTranslated: boolean },
): string[] {
  return [
    'lang-item',
    ...(id === undefined ? [] : [`lang-item-${id}`]),
    `lang-item-${slug}`,
    ...(slug === page.lang ? ['current-lang'] : []),
    ...(isTranslated ? [] : ['no-translation']),
  ]
}
