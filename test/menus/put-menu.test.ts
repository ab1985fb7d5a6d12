import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Tx } from '../../src/db/transaction.ts'
import { addItem } from '../../src/menus/add-item.ts'
import { type Authorship, readAuthorship } from '../../src/menus/authorship.ts'
import { type PutMenu, putMenu } from '../../src/menus/put-menu.ts'
import { readTree } from '../../src/menus/tree.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import type { TestNetwork } from '../support/network.ts'
import { cloneTruth } from '../wordpress/clone-truth.ts'

let network: TestNetwork
let site: Site
let authorship: Authorship
beforeAll(async () => {
  network = await cloneTruth()
  site = await network.site(2)
  const alice = { id: 2, login: 'alice', barred: false }
  authorship = await readAuthorship(network.db, site, alice, () => new Date())
})
afterAll(() => network.drop())

const put = (tx: Tx, items: readonly unknown[]): Promise<PutMenu> => {
  const filling = { tree: readTree(items), allowInvalid: false, places: [] }
  return putMenu(tx, site, { name: 'Put', slug: 'put', ...filling }, authorship)
}

/** Resolves once a transaction on this network waits for a lock of another. */
async function someoneWaits(): Promise<void> {
  const waiting = () =>
    network.db
      .sql({ t: 'information_schema.innodb_trx' })
      .join({ p: 'information_schema.processlist' }, 'p.id', 't.trx_mysql_thread_id')
      .whereRaw("t.trx_state = 'LOCK WAIT' AND p.db = DATABASE()")
      .first('p.id')
  // The server looks anew only where nobody has asked for a tenth of a second.
  await vi.waitUntil(waiting, { interval: 250, timeout: 20_000 })
}

describe('putMenu', () => {
  it('tells of what others put into the menu until it was held', async () => {
    const { db } = network
    const { menu } = await db.transaction((tx) => put(tx, [{ url: '/one', title: 'One' }]))
    let waiting: Promise<PutMenu> | undefined
    await db.transaction(async (tx) => {
      const tree = readTree([{ url: '/theirs', title: 'Theirs' }])
      await addItem(tx, site, { ref: String(menu.id) }, { tree, parent: 0 }, authorship)
      waiting = db.transaction((other) => put(other, [{ url: '/two', title: 'Two' }]), site)
      await someoneWaits()
    })
    const { before, after, result } = (await waiting) ?? {}
    expect(result).toBe('replaced')
    expect(before?.items.map(({ title }) => title)).toEqual(['One', 'Theirs'])
    expect(after?.items.map(({ title }) => title)).toEqual(['Two'])
  })
})
