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
  readonly languages: readonly Value[]
  /** By `menuKey`; null for a menu that is not there. */
  readonly menus: Readonly<Record<string, MenuValue | null>>
  /** By name; a data set that is not there is missing. */
  readonly datasets: Readonly<Record<string, Value>>
}

export type MenuValue = {
  readonly id: number
  readonly name: string
  readonly slug: string
  /** In menu order. */
  readonly items: readonly MenuItemValue[]
}

/** A menu item as `wp_get_nav_menu_items` gives it, as far as it is printed. */
export type MenuItemValue = {
  readonly id: number
  /** Id of the parent item; 0 at the top. */
  readonly parent: number
  readonly title: string
  readonly url: string
  readonly type: string
  readonly object: string
  readonly objectId: number
  readonly target: string
  readonly classes: readonly string[]
  readonly attrTitle: string
  readonly description: string
  readonly xfn: string
}

/** Which menu is meant: that of a location, or one named by id or slug; in a language, or in the one being rendered. */
export type MenuChoice = {
  readonly location?: string
  readonly menu?: string
  readonly lang?: string
}

/** The key of a menu in `Values.menus`. */
export function menuKey({ location, menu, lang }: MenuChoice): string {
  const name = menu === undefined ? `~${location}` : menu
  return lang === undefined ? name : `${name}@${lang}`
}
