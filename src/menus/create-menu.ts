import type { Tx } from '../db/transaction.ts'
import { type Precondition, assertPrecondition } from '../expectation.ts'
import { decodeName } from '../wordpress/formatting/plain-text.ts'
import { type MenuAssignment, assignMenu } from '../wordpress/nav-menus/assign-menu.ts'
import { insertMenu, lockMenuNames } from '../wordpress/nav-menus/menu-term.ts'
import type { Site } from '../wordpress/network/site.ts'
import { assertTree, resolveTree } from './resolve-tree.ts'
import { MENU_CHANGE, type WriteContext } from './write-context.ts'
import { type SentName, chooseName, chooseSlug } from './menu-names.ts'
import type { MenuTree, WrittenMenu } from './replace-items.ts'
import { writeItems } from './written-items.ts'

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
