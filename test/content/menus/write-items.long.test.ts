import { describe, expect, it } from 'vitest'
import { readTree } from '../../../src/content/menus/item-tree.ts'
import { readWriteContext } from '../../../src/content/menus/write-context.ts'
import { replaceItems, type WrittenMenu } from '../../../src/content/menus/write-items.ts'
import type { Tx } from '../../../src/db/transaction.ts'
import { readMenu } from '../../support/read-menu.ts'
import { sqlOf, statementsOf } from '../../support/statements.ts'
import { useTruth } from '../../wordpress/clone-truth.ts'

const ALICE = { userId: 2, unfilteredHtml: false }
const EMPTY = 27
const DEEP = 29

const network = await useTruth()
const site = await network.site(2)
const context = await readWriteContext(network.db, site, ALICE, () => new Date())

/** Pages and links on two levels. */
function someItems(count: number): unknown[] {
  const tree: { children: unknown[] }[] = []
  for (let index = 0; index < count; index += 1) {
    const item = index % 3 === 0 ? { page: 7 } : { url: `/${index}`, title: `Link ${index}` }
    if (index % 10 === 0) tree.push({ ...item, children: [] })
    else tree.at(-1)?.children.push(item)
  }
  return tree
}

async function replace(
  menuId: number,
  items: readonly unknown[],
  prepare: (tx: Tx) => Promise<unknown> = async () => {},
): Promise<WrittenMenu> {
  const filling = { tree: readTree(items), allowInvalid: false }
  return network.db.write({}, async (tx) => {
    await prepare(tx)
    return replaceItems(tx, site, { ref: String(menuId) }, filling, context)
  })
}

async function read(menuId: number) {
  const found = await readMenu(network.db, site, context.links, menuId)
  if (!found) throw new Error(`no menu ${menuId}`)
  return found
}

/** How many statements it takes to replace the items of a menu without any. */
async function countStatements(items: readonly unknown[]): Promise<number> {
  await replace(EMPTY, [])
  return (await statementsOf(network.db, () => replace(EMPTY, items))).length
}

describe('replaceItems', () => {
  it('runs as many statements for 200 items as for 20, and few more for 2,000', async () => {
    const few = await countStatements(someItems(20))
    expect(await countStatements(someItems(200))).toBe(few)
    expect(await countStatements(someItems(2000))).toBeLessThan(few + 10)
    const again = await statementsOf(network.db, () => replace(EMPTY, someItems(2000)))
    expect(again.length).toBeLessThan(few + 16)
  })

  it('finds its rows if ids are assigned in steps of three and other writers insert rows in between', async () => {
    const steps = (offset: number) => async (tx: Tx) => {
      await sqlOf(tx).raw('SET SESSION auto_increment_increment = 3')
      await sqlOf(tx).raw('SET SESSION auto_increment_offset = ?', [offset])
    }
    await replace(EMPTY, [])
    await replace(DEEP, [])
    const [left, right] = await Promise.all([
      replace(EMPTY, someItems(1500), steps(1)),
      replace(DEEP, someItems(1500), steps(2)),
    ])
    for (const { menu, items } of [left, right]) {
      const found = (await read(menu.id)).items
      expect(items.map(({ at: _, ...item }) => item)).toEqual(found)
      expect(found.map(({ url }) => url)).toEqual(
        someItems(1500)
          .flatMap((top) => [top, ...(top as { children: unknown[] }).children])
          .map((item) => Reflect.get(Object(item), 'url'))
          .map((url) => (url ? `${context.home}${url}` : `${context.home}/about-us/`)),
      )
    }
    const ids = left.items.map(({ id }) => id)
    expect(ids.every((id, index) => index === 0 || (id - (ids[index - 1] ?? 0)) % 3 === 0)).toBe(
      true,
    )
  })

  it('appends a number to the slug of an untitled item that a titled item has', async () => {
    const [last] = (await replace(EMPTY, [3])).items
    const guessed = Array.from({ length: 200 }, (_, index) => String((last?.id ?? 0) + 1 + index))
    const { items } = await replace(EMPTY, [
      ...Array(30).fill(3),
      ...guessed.map((title) => ({ url: '/year', title })),
    ])
    const names: { ID: number; post_name: string }[] = await network.db
      .sql(site.tables.posts)
      .whereIn(
        'ID',
        items.map(({ id }) => id),
      )
      .select('ID', 'post_name')
    expect(new Set(names.map(({ post_name }) => post_name)).size).toBe(230)
    expect(names.some(({ ID, post_name }) => post_name === `${ID}-2`)).toBe(true)
  })

  it('keeps related objects that are not items, and recounts the other menus of an item', async () => {
    const { items } = await replace(EMPTY, [3, 7])
    const { termRelationships, termTaxonomy, posts } = site.tables
    const [first, second] = items
    await network.db.sql(termRelationships).insert([
      { object_id: 3, term_taxonomy_id: 25 },
      { object_id: first?.id ?? 0, term_taxonomy_id: 26 },
    ])
    await network.db.sql(termTaxonomy).where({ term_taxonomy_id: 26 }).update({ count: 1 })
    await replace(EMPTY, [])
    expect(
      await network.db
        .sql(posts)
        .whereIn('ID', [3, first?.id ?? 0, second?.id ?? 0])
        .pluck('ID'),
    ).toEqual([3])
    expect(
      await network.db
        .sql(termRelationships)
        .whereIn('term_taxonomy_id', [25, 26])
        .pluck('object_id'),
    ).toEqual([3])
    expect((await read(28)).menu.count).toBe(0)
  })
})
