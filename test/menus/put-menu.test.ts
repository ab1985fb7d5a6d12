import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Tx } from '../../src/db/transaction.ts'
import { addItem } from '../../src/menus/edit-items.ts'
import { formatMenuFile } from '../../src/menus/format-menu-file.ts'
import { readTree } from '../../src/menus/item-tree.ts'
import { readMenuName } from '../../src/menus/menu-names.ts'
import { readPortableMenu } from '../../src/menus/portable-menu.ts'
import { type PutMenuResult, putMenu } from '../../src/menus/put-menu.ts'
import { readMenuFile } from '../../src/menus/read-menu-file.ts'
import { readWriteContext, type WriteContext } from '../../src/menus/write-context.ts'
import { menuItemClasses, menuName } from '../../src/wordpress/formatting/menu-texts.ts'
import { sanitizeUrl } from '../../src/wordpress/formatting/sanitize-url.ts'
import { listMenus } from '../../src/wordpress/nav-menus/nav-menu.ts'
import { readMenu } from '../../src/wordpress/nav-menus/read-menu.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import { encodePhp } from '../../src/wordpress/serialized/encode-php.ts'
import { hostileText } from '../support/hostile-text.ts'
import type { TestNetwork } from '../support/network.ts'
import { cloneTruth } from '../wordpress/clone-truth.ts'

let network: TestNetwork
let site: Site
let context: WriteContext
beforeAll(async () => {
  network = await cloneTruth()
  site = await network.site(2)
  const alice = { userId: 2, unfilteredHtml: false }
  context = await readWriteContext(network.db, site, alice, () => new Date())
})
afterAll(() => network.drop())

const put = (tx: Tx, items: readonly unknown[]): Promise<PutMenuResult> => {
  const filling = { tree: readTree(items), allowInvalid: false, assignments: [] }
  return putMenu(tx, site, { name: readMenuName('Put'), slug: 'put', ...filling }, context)
}

/** Resolves when a transaction on this network waits for a lock. */
async function waitForLockWait(): Promise<void> {
  const waiting = () =>
    network.db
      .sql({ t: 'information_schema.innodb_trx' })
      .join({ p: 'information_schema.processlist' }, 'p.id', 't.trx_mysql_thread_id')
      .whereRaw("t.trx_state = 'LOCK WAIT' AND p.db = DATABASE()")
      .first('p.id')
  // The server refreshes this table only if it was not queried for 100 ms.
  await vi.waitUntil(waiting, { interval: 250, timeout: 20_000 })
}

describe('putMenu', () => {
  it('reports items that were added before it got the lock', async () => {
    const { db } = network
    const { menu } = await db.write({}, (tx) => put(tx, [{ url: '/one', title: 'One' }]))
    let waiting: Promise<PutMenuResult> | undefined
    await db.write({}, async (tx) => {
      const tree = readTree([{ url: '/theirs', title: 'Theirs' }])
      await addItem(tx, site, { ref: String(menu.id) }, { tree, parent: 0 }, context)
      waiting = db.write({ site }, (other) => put(other, [{ url: '/two', title: 'Two' }]))
      await waitForLockWait()
    })
    const { before, after, result } = (await waiting) ?? {}
    expect(result).toBe('replaced')
    expect(before?.items.map(({ title }) => title)).toEqual(['One', 'Theirs'])
    expect(after?.items.map(({ title }) => title)).toEqual(['Two'])
  })
  it('does not write a menu that equals its own export', async () => {
    const { db } = network
    const { links } = context
    const { posts, postmeta, terms } = site.tables
    const texts = fc.record({
      name: hostileText(),
      items: fc.array(
        fc.record({
          title: hostileText(),
          attrTitle: hostileText(),
          description: hostileText(),
          classes: hostileText(),
          url: hostileText(),
        }),
        { maxLength: 6 },
      ),
    })
    const operator = { ...context, unfilteredHtml: true }
    await fc.assert(
      fc.asyncProperty(texts, async ({ name, items }) => {
        if (menuName(name) === '') return
        const { menu } = await db.write({}, (tx) =>
          put(
            tx,
            items.map(() => ({ url: '/x' })),
          ),
        )
        await db
          .sql(terms)
          .where({ term_id: menu.id })
          .update({ name: menuName(name) })
        const ids = (await readMenu(db, site, links, menu.id))?.items.map(({ id }) => id) ?? []
        for (const [index, id] of ids.entries()) {
          const { title = '', attrTitle, description, classes = '', url = '' } = items[index] ?? {}
          await db
            .sql(posts)
            .where({ ID: id })
            .update({ post_title: title, post_excerpt: attrTitle, post_content: description })
          const metas = {
            _menu_item_classes: encodePhp(menuItemClasses(classes)),
            _menu_item_url: sanitizeUrl(url),
          }
          for (const [meta_key, meta_value] of Object.entries(metas))
            await db.sql(postmeta).where({ post_id: id, meta_key }).update({ meta_value })
        }
        const portable = await readPortableMenu(
          db,
          site,
          links,
          (await listMenus(db, site)).find(({ id }) => id === menu.id) ?? menu,
        )
        const file = readMenuFile(formatMenuFile(portable, 'yaml'))
        expect(file.problems).toEqual([])
        const wanted = {
          ...file,
          name: readMenuName(file.name),
          assignments: [],
          allowInvalid: false,
        }
        const written = await db.write({}, (tx) => putMenu(tx, site, wanted, operator))
        expect([written.result, written.after]).toEqual(['unchanged', portable])
      }),
      { numRuns: 40 },
    )
  })
})
