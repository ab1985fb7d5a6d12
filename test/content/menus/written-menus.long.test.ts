import fc from 'fast-check'
import { expect, it } from 'vitest'
import { updateItem } from '../../../src/content/menus/edit-items.ts'
import { readTree } from '../../../src/content/menus/item-tree.ts'
import { recordEditedMenu } from '../../../src/content/menus/menu-history.ts'
import { readWriteContext } from '../../../src/content/menus/write-context.ts'
import { keepItems, replaceItems } from '../../../src/content/menus/write-items.ts'
import type { Tx } from '../../../src/db/transaction.ts'
import { historyTable } from '../../../src/record/history/history-row.ts'
import type { MenuItem } from '../../../src/wordpress/nav-menus/menu-item.ts'
import { readMenu } from '../../support/read-menu.ts'
import { runsOf } from '../../support/runs-of.ts'
import { useTruth } from '../../wordpress/clone-truth.ts'

const MENU = 27

const network = await useTruth()
const site = await network.site(2)
const { db } = network
const context = await readWriteContext(
  db,
  site,
  { userId: 2, unfilteredHtml: false },
  () => new Date(),
)
const target = { ref: String(MENU) }

/** Few different values, so that trees have items in common. */
const fields = {
  title: fc.constantFrom(undefined, 'One', 'Two', '😀 & <b>x</b>'),
  classes: fc.constantFrom(undefined, 'a b', 'c'),
  description: fc.constantFrom(undefined, 'd'),
}
const link = fc.constantFrom(
  { page: 7 },
  { page: 8 },
  { url: '/one' },
  { url: '/two' },
  { url: '#pll_switcher' },
)
const treeOf = (levels: number): fc.Arbitrary<object[]> =>
  fc.array(
    fc
      .tuple(link, fc.record(fields), levels > 1 ? treeOf(levels - 1) : fc.constant([]))
      .map(([chosen, texts, children]) => ({ ...chosen, ...texts, children })),
    { maxLength: 4 },
  )

type Write = (tx: Tx, items: readonly MenuItem[]) => Promise<readonly MenuItem[]>

const write: fc.Arbitrary<Write> = fc.oneof(
  treeOf(3).map(
    (items): Write =>
      async (tx) => {
        const wanted = { tree: readTree(items), allowInvalid: true }
        return (await replaceItems(tx, site, target, wanted, context)).items
      },
  ),
  fc.tuple(fc.infiniteStream(fc.nat(4)), fc.record(fields)).map(
    ([choices, texts]): Write =>
      async (tx, items) => {
        const kept = items.flatMap(({ id }, index) =>
          choices.next().value === 0 ? [] : [{ id, ...(index % 2 ? texts : {}) }],
        )
        const sent = readTree([...kept.reverse(), { url: '/three' }], { keep: true })
        return (await keepItems(tx, site, target, sent, context)).items
      },
  ),
  fc.tuple(fc.nat(9), link, fc.record(fields)).map(
    ([index, chosen, texts]): Write =>
      async (tx, items) => {
        const item = items[index % items.length]
        if (!item) return []
        const changes = { ...texts, link: readTree([chosen]) }
        return [(await updateItem(tx, site, target, item.id, changes, context)).after]
      },
  ),
)

it('a write returns the items as they are read, and the history has them as they are stored', async () => {
  const recordEdits = () =>
    db.write({ site }, (tx) => recordEditedMenu(tx, site, MENU, Number.POSITIVE_INFINITY))
  await recordEdits()
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 5 }), async (writes) => {
      for (const one of writes) {
        const before = await readMenu(db, site, context.links, MENU)
        const written = await db.write({ site }, (tx) => one(tx, before?.items ?? []))
        const { items = [] } = (await readMenu(db, site, context.links, MENU)) ?? {}
        const byId = new Map(items.map((item) => [item.id, item]))
        expect(written.map(withoutTree)).toEqual(written.map(({ id }) => byId.get(id)))
        const entries = await countEntries()
        await recordEdits()
        expect(await countEntries()).toBe(entries)
      }
    }),
    { numRuns: runsOf(30) },
  )
})

function withoutTree(item: MenuItem & { readonly at?: string; readonly stored?: unknown }) {
  const { at: _, stored: __, ...read } = item
  return read
}

async function countEntries(): Promise<number> {
  const [row] = await db.sql(historyTable(site.globals)).where({ blog_id: 2 }).count({ count: '*' })
  return Number(row?.count)
}
