import type { Tx } from '../../db/transaction.ts'
import type { MenuItem } from '../../wordpress/nav-menus/menu-item.ts'
import { linkItems } from '../../wordpress/nav-menus/read-menu.ts'
import { linkedBy } from '../../wordpress/nav-menus/set-up-item.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { WantedItem } from './compare-items.ts'
import type { UnresolvedItem } from './item-links.ts'
import type { ItemInput, ItemProblem, ItemTree } from './item-tree.ts'
import { lockAndRead, type MenuTarget } from './menu-target.ts'
import { assertTree, resolveTree, storedTextsOf } from './resolve-tree.ts'
import { changesOf, hasOtherLink } from './update-item.ts'
import { languagesOf, MENU_CHANGE, type WriteContext } from './write-context.ts'
import { readKnown, type WrittenMenu, writeTree } from './write-items.ts'

/**
 * Gives a menu the sent tree. An item with the `id` of an item of the menu stays this item, with everything that is not sent: its row, its slug,
 * its author, and the meta values of plugins. Items without an id are inserted, and items of the menu that are not sent are deleted.
 * @throws AppError those of `replaceItems`; an unknown id is an unresolved item
 */
export async function keepItems(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  tree: ItemTree,
  writing: WriteContext | Promise<WriteContext>,
): Promise<WrittenMenu> {
  const [context, { stored, more }] = await Promise.all([
    writing,
    lockAndRead(tx, site, target, languagesOf(writing), (id) => readKnown(tx, site, id)),
  ])
  const { items: own, objects } = await linkItems(tx, site, context.links, stored)
  const before = new Map(own.map((item) => [item.id, item]))
  const isResolved = (input: ItemInput): boolean => {
    const item = input.id === undefined ? undefined : before.get(input.id)
    return item ? hasOtherLink(item, input) : input.id === undefined
  }
  const inputs = tree.items.filter(isResolved).map((input) => ({ ...input, parent: -1 }))
  // A new language switcher has settings of its own: the switchers of the menu are still there.
  const texts = { ...storedTextsOf(stored), switchers: [] }
  const found = await resolveTree(tx, site, context, { ...tree, items: inputs }, texts)
  const ids = findWrongIds(tree.items, before)
  assertTree(
    {
      ...found,
      bad: [...found.bad, ...ids.repeated],
      unresolved: [...found.unresolved, ...ids.unknown],
    },
    { allowInvalid: false },
  )
  const resolved = new Map(found.items.map((item) => [item.at, item]))

  const sent = new Set(tree.items.flatMap(({ id }) => id ?? []))
  const removed = [...before.values()].filter(({ id }) => !sent.has(id))
  const items = tree.items.flatMap((input): WantedItem[] => {
    const { at, parent } = input
    const kept = before.get(input.id ?? 0)
    const linked = resolved.get(at)
    if (kept) {
      const content = changesOf(kept, { ...input, linked }, objects, context, at)
      return [{ at, parent, kept, content }]
    }
    return linked ? [{ at, parent, kept, content: linked }] : []
  })
  const difference = { items, removed, objects: linkedBy(context.links, found.items, objects) }
  const written = await writeTree(tx, site, stored, difference, context, more)
  return { menu: stored.menu, items: written, invalid: [], change: MENU_CHANGE }
}

type WrongIds = {
  readonly repeated: readonly ItemProblem[]
  readonly unknown: readonly UnresolvedItem[]
}

function findWrongIds(
  items: readonly ItemInput[],
  before: ReadonlyMap<number, MenuItem>,
): WrongIds {
  const repeated: ItemProblem[] = []
  const unknown: UnresolvedItem[] = []
  const seen = new Set<number>()
  for (const { at, id } of items) {
    if (id === undefined) continue
    if (!before.has(id))
      unknown.push({ at, reason: 'not_found', message: `This menu has no item ${id}.` })
    else if (seen.has(id))
      repeated.push({ at, reason: 'bad_id', message: `The item ${id} is sent twice.` })
    seen.add(id)
  }
  return { repeated, unknown }
}
