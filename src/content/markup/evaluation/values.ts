import type { NewLayout } from '../../../wordpress/nav-menus/switcher.ts'
import type { Value } from './program.ts'

/**
 * The data of a site that frames read in one language, collected before evaluation. Plain data: it is sent to worker threads, and its
 * digest shows whether a baked copy is fresh. Renaming a field changes the digest and makes every baked copy stale.
 */
export type Values = {
  /** Slug of the language being rendered; null if the site has no languages. */
  readonly lang: string | null
  readonly site: Readonly<Record<string, Value>>
  readonly settings: Readonly<Record<string, Value>>
  /** The first ones, see `MAX_ROWS`. */
  readonly pages: readonly Value[]
  readonly languages: readonly LanguageValue[]
  /** By `menuKey`; null if the menu does not exist. */
  readonly menus: Readonly<Record<string, MenuValue | null>>
  /** By name; datasets that do not exist are left out. */
  readonly datasets: Readonly<Record<string, Value>>
}

export type LanguageValue = {
  readonly slug: string
  readonly locale: string
  readonly name: string
  readonly rtl: boolean
  /** The home URL in the language. */
  readonly url: string
  /** Set if the language has no published content: Polylang's switchers omit it. */
  readonly empty?: true
}

export type MenuValue = {
  readonly id: number
  /** As stored. */
  readonly name: string
  readonly slug: string
  /** The home URL in the menu's language. */
  readonly home: string
  /** Whether an item is a language switcher: the menu then differs from page to page. */
  readonly hasSwitcher: boolean
  /** The URL of the privacy policy, of a menu with a switcher: an entry of a language may link it. */
  readonly privacyUrl?: string
  /** In menu order. */
  readonly items: readonly MenuItemValue[]
}

/** The printed fields of a menu item, as `wp_get_nav_menu_items` returns them. */
export type MenuItemValue = {
  readonly id: number
  /** Id of the parent item; 0 at the top. */
  readonly parent: number
  /** HTML as stored, like `attrTitle`. */
  readonly title: string
  readonly url: string
  readonly type: string
  readonly object: string
  readonly objectId: number
  readonly target: string
  readonly classes: readonly string[]
  readonly attrTitle: string
  readonly xfn: string
  /** Whether the item links the front page or the privacy policy. */
  readonly marks: readonly ('home' | 'privacy-policy')[]
  /** Set if the item is Polylang's language switcher. */
  readonly switcher: SwitcherValue | null
}

/** Polylang's settings of a switcher item (`_pll_menu_item`). */
export type SwitcherValue = {
  readonly dropdown: boolean
  readonly hideCurrent: boolean
  readonly hideUntranslated: boolean
  readonly forceHome: boolean
  /** Undefined if Polylang before 3.9 has stored the switcher. */
  readonly layout?: NewLayout | undefined
  readonly languages: readonly SwitcherLanguage[]
}

/** A language in a menu, with its `term_id`. */
export type SwitcherLanguage = LanguageValue & { readonly id: number }

/** Selects a menu: by location, or by id or slug; in `lang`, or in the language being rendered. */
export type MenuChoice = {
  readonly location?: string
  readonly menu?: string
  readonly lang?: string
}

/** The key of a menu in `Values.menus`. */
export function menuKey({ location, menu, lang }: MenuChoice): string {
  return JSON.stringify([location ?? null, menu ?? null, lang ?? null])
}
