import type { Tx } from '../../db/transaction.ts'
import { errorOf } from '../../host/errors.ts'
import { assertPrecondition, type Precondition } from '../../host/preconditions.ts'
import { decodeName } from '../../wordpress/formatting/plain-text.ts'
import { readMenuUses } from '../../wordpress/health/menu-survey.ts'
import { type Languages, readLocale } from '../../wordpress/languages/languages.ts'
import { readItemSlugs } from '../../wordpress/nav-menus/insert-menu-items.ts'
import type { StoredItem } from '../../wordpress/nav-menus/menu-item.ts'
import {
  deleteMenuTerm,
  insertFormerMenu,
  insertMenu,
  readSharingTaxonomy,
} from '../../wordpress/nav-menus/menu-term.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { StoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import { saveMenuItems } from '../../wordpress/nav-menus/save-menu-items.ts'
import { linkedBy } from '../../wordpress/nav-menus/set-up-item.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOption } from '../../wordpress/options/read-options.ts'
import { assignMenu, type MenuAssignment, unassignMenu } from './assign-menu.ts'
import type { WantedItem } from './compare-items.ts'
import { type MenuFields, recordMenu } from './menu-history.ts'
import { chooseName, chooseSlug, isSameName, lockMenuNames, type SentName } from './menu-names.ts'
import { type LockedMenu, lockTarget, lockWholeTarget, type MenuTarget } from './menu-target.ts'
import { assertTree, resolveTree } from './resolve-tree.ts'
import type { WriteContext } from './write-context.ts'
import { type MenuTree, saveMenu, type WrittenMenu, writeTree } from './write-items.ts'

/** A menu to create. */
type NewMenu = MenuTree & {
  readonly name: SentName
  /** As sent; by default derived from the name. */
  readonly slug: string | undefined
  readonly assignment: MenuAssignment | undefined
  readonly precondition?: Precondition | undefined
}

/**
 * Creates a menu with its items, and assigns it if an assignment is given.
 * @throws AppError those of `chooseName`, `assertTree` and `assignMenu`
 * @throws AppError `precondition_failed` if the precondition requires a version, because a new menu has none
 */
export async function createMenu(
  tx: Tx,
  site: Site,
  { name: { stored: name }, slug, assignment, tree, allowInvalid, precondition }: NewMenu,
  context: WriteContext,
): Promise<WrittenMenu & { readonly warnings: readonly string[] }> {
  if (precondition) assertPrecondition(precondition, `The menu "${decodeName(name)}"`, undefined)
  lockMenuNames(tx, site)
  const { locale } = context
  const [uses, resolved, chosenName, chosenSlug, slugs] = await Promise.all([
    readMenuUses(tx, site),
    resolveTree(tx, site, context, tree),
    chooseName(tx, site, name),
    chooseSlug(tx, site, { sent: slug, name, locale }),
    readItemSlugs(tx, site),
  ])
  assertTree(resolved, { allowInvalid })
  const menu = await insertMenu(tx, site, { name: chosenName.value, slug: chosenSlug.value })
  if (assignment) await assignMenu(tx, site, context.links.languages, menu.id, assignment)
  const created = { menu, items: [], known: { slugs }, inserted: 'new' } as const
  const objects = linkedBy(context.links, resolved.items)
  const wanted = resolved.items.map((content): WantedItem => {
    const { at, parent } = content
    return { at, parent, kept: undefined, content }
  })
  const difference = { items: wanted, removed: [], objects }
  const items = await writeTree(tx, site, created, difference, context)
  // An id that a location still holds, for example after the loss of a table.
  const isAssigned = uses.uses.some(({ kind, menuId }) => kind !== 'auto_add' && menuId === menu.id)
  const warnings = [
    ...chosenName.warnings,
    ...chosenSlug.warnings,
    ...(isAssigned ? ['location_filled'] : []),
  ]
  return { menu, items, invalid: resolved.invalid, warnings }
}

type NamedMenu = { readonly menu: Menu; readonly warnings: readonly string[] }

type MenuRename = {
  /** Undefined keeps the name. */
  readonly name: SentName | undefined
  /** As sent; undefined keeps the slug. */
  readonly slug: string | undefined
}

/**
 * Changes the name or the slug of a menu, or both. A value that is missing, or sent as it was read, stays. Unlike
 * WordPress's screens, a new name does not change the slug, because callers refer to the menu by it. Frames do not show names, so nothing
 * is rebaked.
 */
export async function renameMenu(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  { name, slug }: MenuRename,
): Promise<NamedMenu> {
  lockMenuNames(tx, site)
  const [stored, locale] = await Promise.all([
    lockWholeTarget(tx, site, target),
    slug === undefined ? '' : readLocale(tx, site),
  ])
  const { menu } = stored
  const [taxonomy, newName, newSlug] = await Promise.all([
    readSharingTaxonomy(tx, site, menu.id),
    name === undefined || isSameName(menu, name)
      ? UNCHANGED
      : chooseName(tx, site, name.stored, menu.id),
    slug === undefined || slug === menu.slug
      ? UNCHANGED
      : chooseSlug(tx, site, { sent: slug, name: name?.stored ?? menu.name, locale }, menu.id),
  ])
  const names = { name: newName.value ?? menu.name, slug: newSlug.value ?? menu.slug }
  const isRenamed = names.name !== menu.name || names.slug !== menu.slug
  if (isRenamed && taxonomy !== undefined) throw errorOf('menu_term_shared', { taxonomy })
  const renamed = await saveMenu(tx, site, stored, { ...stored, menu: { ...menu, ...names } })
  return { menu: renamed.menu, warnings: [...newName.warnings, ...newSlug.warnings] }
}

const UNCHANGED = { value: undefined, warnings: [] }

/**
 * Assigns a menu to a location.
 * @throws AppError those of `lockTarget` and `assignMenu`
 */
export async function assignLocation(
  tx: Tx,
  site: Site,
  languages: Languages,
  target: MenuTarget,
  assignment: MenuAssignment,
): Promise<NamedMenu> {
  const [menu, switched = ''] = await Promise.all([
    lockTarget(tx, site, target, languages),
    readOption(tx, site, 'theme_switched'),
  ])
  await assignMenu(tx, site, languages, menu.id, assignment)
  // WordPress completes a theme switch at its next request and then copies the old theme's assignments (wp_map_nav_menu_locations).
  const isSwitching = switched !== ''
  return { menu, warnings: isSwitching ? ['theme_switch_pending'] : [] }
}

type DeletedMenu = {
  readonly menu: Menu
  /** Ids of its items. */
  readonly removed: readonly number[]
  /** Removed assignments, in all themes and languages. */
  readonly freed: readonly MenuAssignment[]
}

/** Deletes a menu with its items and its assignments. */
export async function deleteMenu(
  tx: Tx,
  site: Site,
  languages: Languages,
  target: MenuTarget,
): Promise<DeletedMenu> {
  const stored = await lockWholeTarget(tx, site, target, { languages, deletes: true })
  const { menu } = stored
  const assignments = await unassignMenu(tx, site, menu.id)
  const removed = stored.items.map(({ row }) => row.ID)
  await removeMenu(tx, site, stored)
  return { menu, removed, freed: visibleAssignments(assignments, languages) }
}

/** Deletes a menu with its items, and leaves the assignments alone. The caller has locked it. */
export async function removeMenu(tx: Tx, site: Site, before: LockedMenu): Promise<void> {
  await saveMenuItems(tx, site, before.menu, before.items, [], undefined, before.known)
  deleteMenuTerm(tx, site, before.menu)
  await recordMenu(tx, site, before, undefined)
}

/** A menu as the history has it. */
type FormerMenu = {
  readonly id: number
  readonly fields: MenuFields
  readonly items: readonly StoredItem[]
}

/**
 * Gives a menu its former names and items, or creates it again with its former id.
 * @param before the menu, locked; undefined if it does not exist
 * @returns undefined if the menu does not exist and its id belongs to another term
 */
export async function restoreMenu(
  tx: Tx,
  site: Site,
  before: StoredMenu | undefined,
  { id, fields, items }: FormerMenu,
  context: WriteContext,
): Promise<StoredMenu | undefined> {
  const { name, slug, term_taxonomy_id: termTaxonomyId } = fields
  const menu = before
    ? { ...before.menu, name, slug }
    : await insertFormerMenu(tx, site, { id, termTaxonomyId, name, slug }, fields.others ?? [])
  if (!menu) return undefined
  const old = new Map(before?.items.map((item) => [item.row.ID, item.others ?? []]))
  // Values of plugins are restored with items that were gone; an item that is still there keeps those that it has.
  const former = items.map(({ others: recorded = [], ...item }) => {
    const others = old.get(item.row.ID) ?? recorded
    return others.length > 0 ? { ...item, others } : item
  })
  const others = before ? before.others : fields.others
  const after = { menu, items: former, ...(others ? { others } : {}) }
  const inserted = { menu, items: [], inserted: 'former' } as const
  return saveMenu(tx, site, before ?? inserted, after, context)
}

/** Removes duplicates: the theme's map repeats the assignments of Polylang's default language and sometimes contains `header___fr`. */
function visibleAssignments(
  assignments: readonly MenuAssignment[],
  languages: Languages,
): MenuAssignment[] {
  const isDuplicate = ({ theme, location, lang }: MenuAssignment): boolean =>
    lang === null &&
    assignments.some(
      (other) =>
        other.theme === theme && other.location === location && other.lang === languages.default,
    )
  return assignments.filter(
    (assignment) =>
      !assignment.location.includes('___') &&
      (languages.default === null || !isDuplicate(assignment)),
  )
}
