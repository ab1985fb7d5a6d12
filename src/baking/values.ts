import type { Params } from '../markup/nodes.ts'
import type { Value } from './program.ts'

/**
 * All that frames read of a site in one language, gathered before evaluation. Plain data: it crosses to worker
 * threads, and its digest tells whether a baked copy is still true.
 */
export type Values = {
  /** Slug of the language being rendered; null on a site without languages. */
  readonly lang: string | null
  readonly site: Readonly<Record<string, Value>>
  readonly settings: Readonly<Record<string, Value>>
  readonly pages: readonly Value[]
  readonly languages: readonly LanguageValue[]
  /** By `menuKey`; null for a menu that is not there. */
  readonly menus: Readonly<Record<string, MenuValue | null>>
  /** By name; a data set that is not there is missing. */
  readonly datasets: Readonly<Record<string, Value>>
}

export type LanguageValue = {
  readonly slug: string
  readonly locale: string
  readonly name: string
  readonly rtl: boolean
  /** The home address in the language. */
  readonly url: string
  /** Set where it has no published content: Polylang's switchers leave it out. */
  readonly empty?: true
}

export type MenuValue = {
  readonly id: number
  /** As stored. */
  readonly name: string
  readonly slug: string
  /** The site's home in the language of the menu. */
  readonly home: string
  /** One of the items stands for a language switcher: the menu is another one on each page. */
  readonly hasSwitcher: boolean
  /** In menu order. */
  readonly items: readonly MenuItemValue[]
}

/** A menu item as `wp_get_nav_menu_items` gives it, as far as it is printed. */
export type MenuItemValue = {
  readonly id: number
  /** Id of the parent item; 0 at the top. */
  readonly parent: number
  /** As stored, HTML; as `attrTitle` is. */
  readonly title: string
  readonly url: string
  readonly type: string
  readonly object: string
  readonly objectId: number
  readonly target: string
  readonly classes: readonly string[]
  readonly attrTitle: string
  readonly xfn: string
  /** What the link's address is to the site: its front page, or its privacy policy. */
  readonly marks: readonly ('home' | 'privacy-policy')[]
  /** Set where the item stands for Polylang's language switcher. */
  readonly switcher: SwitcherValue | null
}

/** Polylang's settings of a switcher item (`_pll_menu_item`). */
export type SwitcherValue = {
  readonly dropdown: boolean
  readonly hideCurrent: boolean
  readonly hideUntranslated: boolean
  readonly forceHome: boolean
  readonly languages: readonly SwitcherLanguage[]
}

/** A language in a menu, with its `term_id`. */
export type SwitcherLanguage = LanguageValue & { readonly id: number }

/** Which menu is meant: that of a location, or one named by id or slug; in a language, or in the one being rendered. */
export type MenuChoice = {
  readonly location?: string
  readonly menu?: string
  readonly lang?: string
}

/** The key of a menu in `Values.menus`. */
export function menuKey({ location, menu, lang }: MenuChoice): string {
  return JSON.stringify([location ?? null, menu ?? null, lang ?? null])
}

/** The menu that the parameters of an `svc/menu` name: `location`, or `menu` by id or slug; in `lang`, if given. */
export function menuChoice({ location, menu, lang }: Params): MenuChoice | undefined {
  const language = typeof lang === 'string' && lang !== '' ? { lang } : {}
  if (typeof menu === 'string' || typeof menu === 'number')
    return { menu: String(menu), ...language }
  if (typeof location === 'string') return { location: location.trim(), ...language }
  return undefined
}
