import type { Change } from '../change.ts'
import type { Tx } from '../db/transaction.ts'
import { assertPrecondition, type Precondition } from '../preconditions.ts'
import { decodeName } from '../wordpress/formatting/plain-text.ts'
import { type Languages, readLocale } from '../wordpress/languages/languages.ts'
import {
  assignMenu,
  type MenuAssignment,
  type RemovedAssignment,
  unassignMenu,
} from '../wordpress/nav-menus/assign-menu.ts'
import { deleteMenuItems } from '../wordpress/nav-menus/delete-menu-items.ts'
import {
  deleteMenuTerm,
  insertMenu,
  lockMenuNames,
  renameMenuTerm,
} from '../wordpress/nav-menus/menu-term.ts'
import type { Menu } from '../wordpress/nav-menus/nav-menu.ts'
import { findItemIds } from '../wordpress/nav-menus/read-menu.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOption } from '../wordpress/options/read-options.ts'
import { chooseName, chooseSlug, isSameName, type SentName } from './menu-names.ts'
import { lockTarget, type MenuTarget } from './menu-target.ts'
import { assertTree, resolveTree } from './resolve-tree.ts'
import { MENU_CHANGE, type WriteContext } from './write-context.ts'
import { type MenuTree, type WrittenMenu, writeItems } from './write-items.ts'

export type NewMenu = MenuTree & {
  readonly name: SentName
  /** As sent; by default made of the name. */
  readonly slug: string | undefined
  readonly assignment: MenuAssignment | undefined
  readonly precondition?: Precondition | undefined
}

/**
 * Makes a menu, with its items and at its place where these are given (contract, section 4.2.2).
 * @throws AppError `bad_items`, `menu_items_unresolved`, `menu_items_invalid`, `menu_assignment_not_stored`, and `precondition_failed` where a version is expected: a new menu has none
 */
export async function createMenu(
  tx: Tx,
  site: Site,
  {
    name: { stored: name },
    slug,
    assignment: place,
    tree,
    allowInvalid,
    precondition: expected,
  }: NewMenu,
  authorship: WriteContext,
): Promise<WrittenMenu & { readonly warnings: readonly string[] }> {
  if (expected) assertPrecondition(expected, `The menu "${decodeName(name)}"`, undefined)
  const resolved = await resolveTree(tx, site, authorship, tree)
  assertTree(resolved, { allowInvalid })
  await lockMenuNames(tx, site)
  const { locale } = authorship
  const chosenName = await chooseName(tx, site, name)
  const chosenSlug = await chooseSlug(tx, site, { sent: slug, name, locale })
  const menu = await insertMenu(tx, site, { name: chosenName.value, slug: chosenSlug.value })
  if (place) await assignMenu(tx, site, authorship.links.languages, menu.id, place)
  const where = { menu, under: 0, after: 0 }
  const items = await writeItems(tx, site, where, resolved.items, authorship)
  const warnings = [...chosenName.warnings, ...chosenSlug.warnings]
  return { menu, items, invalid: resolved.invalid, warnings, change: MENU_CHANGE }
}

export type MenuRename = {
  /** Undefined leaves it. */
  readonly name: SentName | undefined
  /** As sent; undefined leaves it. */
  readonly slug: string | undefined
}

/**
 * Gives a menu another name, another slug, or both (contract, section 4.2.3). What is not named stays, the slug too, which WordPress's
 * screens make again from every name: it is how callers refer to the menu. So does what is sent as it was read. Nothing that frames show
 * changes.
 */
export async function renameMenu(
  tx: Tx,
  site: Site,
  languages: Languages,
  target: MenuTarget,
  { name, slug }: MenuRename,
): Promise<{ readonly menu: Menu; readonly warnings: readonly string[] }> {
  await lockMenuNames(tx, site)
  const menu = await lockTarget(tx, site, languages, target)
  const newName =
    name === undefined || isSameName(menu, name)
      ? UNCHANGED
      : await chooseName(tx, site, name.stored, menu.id)
  const locale = await readLocale(tx, site)
  const newSlug =
    slug === undefined || slug === menu.slug
      ? UNCHANGED
      : await chooseSlug(tx, site, { sent: slug, name: name?.stored ?? menu.name, locale }, menu.id)
  const names = { name: newName.value ?? menu.name, slug: newSlug.value ?? menu.slug }
  return {
    menu: await renameMenuTerm(tx, site, menu, names),
    warnings: [...newName.warnings, ...newSlug.warnings],
  }
}

const UNCHANGED = { value: undefined, warnings: [] }

export type AssignedMenu = {
  readonly menu: Menu
  readonly warnings: readonly string[]
  readonly change: Change
}

/**
 * Sets a menu at a location (contract, section 4.2.5).
 * @throws AppError `menu_assignment_not_stored` with `read_back`, and what `lockTarget` throws
 */
export async function assignLocation(
  tx: Tx,
  site: Site,
  languages: Languages,
  target: MenuTarget,
  place: MenuAssignment,
): Promise<AssignedMenu> {
  const menu = await lockTarget(tx, site, languages, target)
  await assignMenu(tx, site, languages, menu.id, place)
  // WordPress finishes a switch of themes at its next request, and then puts the old theme's menus in place (wp_map_nav_menu_locations).
  const isSwitching = ((await readOption(tx, site, 'theme_switched')) ?? '') !== ''
  return { menu, warnings: isSwitching ? ['theme_switch_pending'] : [], change: MENU_CHANGE }
}

export type DeletedMenu = {
  readonly menu: Menu
  /** Ids of its items. */
  readonly removed: readonly number[]
  /** Where it was set, in all themes and languages. */
  readonly freed: readonly RemovedAssignment[]
  readonly change: Change
}

/** Deletes a menu with its items and takes it off its places (contract, section 4.2.4). */
export async function deleteMenu(
  tx: Tx,
  site: Site,
  languages: Languages,
  target: MenuTarget,
): Promise<DeletedMenu> {
  const menu = await lockTarget(tx, site, languages, target)
  const places = await unassignMenu(tx, site, menu.id)
  const removed = await findItemIds(tx, site, menu)
  await deleteMenuItems(tx, site, removed)
  await deleteMenuTerm(tx, site, menu)
  return { menu, removed, freed: visibleAssignments(places, languages), change: MENU_CHANGE }
}

/** The places that people know: Polylang's default language stands in the theme's map too, with now and then some `header___fr`. */
function visibleAssignments(
  places: readonly RemovedAssignment[],
  languages: Languages,
): RemovedAssignment[] {
  const isTwin = ({ theme, location, lang }: RemovedAssignment): boolean =>
    lang === null &&
    places.some(
      (other) =>
        other.theme === theme && other.location === location && other.lang === languages.default,
    )
  return places.filter(
    (place) => !place.location.includes('___') && (languages.default === null || !isTwin(place)),
  )
}
