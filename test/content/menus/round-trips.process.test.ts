import { expect, it } from 'vitest'
import {
  addItem,
  removeItem,
  reorderLevel,
  updateItem,
} from '../../../src/content/menus/edit-items.ts'
import { readTree } from '../../../src/content/menus/item-tree.ts'
import { readWriteContext } from '../../../src/content/menus/write-context.ts'
import { replaceItems } from '../../../src/content/menus/write-items.ts'
import { renameMenu } from '../../../src/content/menus/write-menu.ts'
import { openDatabase } from '../../../src/db/database.ts'
import type { Tx } from '../../../src/db/transaction.ts'
import { createLog } from '../../../src/host/log.ts'
import { startProxy } from '../../bench/remote/start-proxy.ts'
import { Undo } from '../../bench/setup/undo.ts'
import { FAST } from '../../support/timings.ts'
import { use, useFolder } from '../../support/use.ts'
import { useTruth } from '../../wordpress/clone-truth.ts'

const MENU = 27

const network = await useTruth()
const site = await network.site(2)
const undo = new Undo()
await use({ stop: () => undo.run() })
const proxy = await startProxy(network.url, 0, await useFolder('proxy'), undo)
const db = await use(
  openDatabase({ url: proxy.url, poolSize: 2, log: createLog('silent'), timings: FAST }),
)

const writing = (tx: Tx) =>
  readWriteContext(tx, site, { userId: 2, unfilteredHtml: false }, () => new Date())

/** The round trips of a write that runs for the second time: the first one opens the connection, and learns which pages are linked. */
async function roundTripsOf<T>(write: (tx: Tx) => Promise<T>): Promise<number> {
  await db.write({ site }, write)
  const before = await proxy.readRoundTrips()
  await db.write({ site }, write)
  return (await proxy.readRoundTrips()) - before
}

const itemsOf = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    index % 3 === 0 ? { page: 7 } : { url: `/${index}`, title: `Link ${index}` },
  )

const replaceWith = (items: readonly unknown[], ref = String(MENU)) => {
  const filling = { tree: readTree(items), allowInvalid: false }
  return (tx: Tx) => replaceItems(tx, site, { ref }, filling, writing(tx))
}

it('a tree needs a round trip for the lock and all reads, one for the new ids, and one for the rest', async () => {
  for (const count of [50, 5]) {
    const trees = ['a', 'b'].map((name) =>
      Array.from({ length: count }, (_, index) => ({
        url: `/${name}/${index}`,
        title: `${name}${index}`,
      })),
    )
    const next = trees.values()
    expect(await roundTripsOf((tx) => replaceWith(next.next().value ?? [])(tx))).toBe(3)
  }
})

it('a tree that a menu has already needs no new ids', async () => {
  expect(await roundTripsOf(replaceWith(itemsOf(50)))).toBe(2)
})

it('an empty tree needs no new ids', async () => {
  expect(await roundTripsOf(replaceWith([]))).toBe(2)
})

it('other writes of items need no more', async () => {
  const { items } = await db.write({ site }, replaceWith(itemsOf(3)))
  const ids = items.map(({ id }) => id)
  const [first = 0] = ids
  const target = { ref: String(MENU) }
  let title = 0
  expect(
    await roundTripsOf((tx) => {
      title += 1
      return updateItem(tx, site, target, first, { title: `Title ${title}` }, writing(tx))
    }),
  ).toBe(4)
  expect(
    await roundTripsOf((tx) => reorderLevel(tx, site, target, { parent: 0, order: ids.reverse() })),
  ).toBe(2)
  const addition = { tree: readTree([{ page: 7 }]), parent: 0 }
  let added = 0
  expect(
    await roundTripsOf(async (tx) => {
      added = (await addItem(tx, site, target, addition, writing(tx))).item.id
    }),
  ).toBe(3)
  const removed = [added, first].values()
  expect(await roundTripsOf((tx) => removeItem(tx, site, target, removed.next().value ?? 0))).toBe(
    2,
  )
})

it('a name is compared with the others after the lock', async () => {
  let number = 0
  expect(
    await roundTripsOf((tx) => {
      number += 1
      const stored = `Name ${number}`
      return renameMenu(
        tx,
        site,
        { ref: String(MENU) },
        { name: { sent: stored, stored }, slug: undefined },
      )
    }),
  ).toBe(3)
})
