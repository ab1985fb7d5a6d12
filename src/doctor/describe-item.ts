import { decodeName } from '../wordpress/formatting/plain-text.ts'
import type { SurveyedItem } from '../wordpress/health/menu-survey.ts'
import type { Menu } from '../wordpress/nav-menus/nav-menu.ts'

/** A menu item as findings name it. */
export function describeItem({ id, menus: [first] }: SurveyedItem, menus: readonly Menu[]): string {
  return first === undefined ? `Item ${id}` : `Item ${id} of ${describeMenu(first, menus)}`
}

export function describeMenu(id: number, menus: readonly Menu[]): string {
  const name = menus.find((menu) => menu.id === id)?.name ?? ''
  return `menu "${decodeName(name)}" (${id})`
}
