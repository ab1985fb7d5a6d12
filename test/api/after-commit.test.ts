import type { Response } from 'supertest'
import { describe, expect, it } from 'vitest'
import type { Executor } from '../../src/build/executor/executor.ts'
import { listTokens } from '../../src/record/auth/tokens.ts'
import { globalTables } from '../../src/wordpress/network/site.ts'
import { useApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { createTestExecutor } from '../support/local-executor.ts'
import { openUnreachable } from '../support/open-database.ts'
import { statementsOf } from '../support/statements.ts'
import { use } from '../support/use.ts'

/** A stored write returns success even if building, publishing or the executor fails. */

const away = await use(openUnreachable())
const unable = await use(createTestExecutor({ db: away, globals: globalTables('wp_') }))
const SHOP = '/site/2'

/** The statements that were sent before the executor was called. */
let before = 0
let sent: readonly string[] = []
const executor: Executor = {
  ...unable,
  apply: (site, change) => {
    before = sent.length
    return unable.apply(site, change)
  },
}
const { network, api } = await useApi({ executor })
const alice = await api.as('alice')
// The last use of a token is recorded in the background, once a minute.
await alice.get(`${SHOP}/menus`).expect(200)
await eventually(async () => {
  const tokens = await listTokens(network.db, network.globals)
  expect(tokens.every(({ last_used_at: used }) => used !== null)).toBe(true)
})

const FAILED = { status: 'failed', message: expect.stringContaining('Your change is saved') }
const ITEMS = [
  { url: '/a/', title: 'A' },
  { url: '/b/', title: 'B' },
]

/** Reads the site, so that it is built after the commit. */
const READS = '<p data-op-bind="site.title">x</p>'

let made = 0
async function makeFrame(): Promise<string> {
  made += 1
  const slug = `made-${made}`
  await alice.post(`${SHOP}/frames`).send({ slug, html: '<p>old</p>' }).expect(200)
  return slug
}
async function makeMenu(): Promise<{ path: string; ids: number[] }> {
  made += 1
  const { body } = await alice.post(`${SHOP}/menus`).send({ name: `Made ${made}`, items: ITEMS })
  return {
    path: `${SHOP}/menus/${body.menu.id}`,
    ids: body.items.map(({ id }: { id: number }) => id),
  }
}

type Write = {
  readonly name: string
  readonly send: () => Promise<Response>
  readonly effects: object
}

const frameWrites: Write[] = [
  {
    name: 'POST /frames',
    send: async () => alice.post(`${SHOP}/frames`).send({ slug: 'new', html: READS }),
    effects: { bake: FAILED, rebaked: FAILED },
  },
  {
    name: 'PUT /frames/{ref}',
    send: async () => alice.put(`${SHOP}/frames/${await makeFrame()}`).send({ html: READS }),
    effects: { bake: FAILED, rebaked: FAILED },
  },
  {
    name: 'PATCH /frames/{ref}',
    send: async () => alice.patch(`${SHOP}/frames/${await makeFrame()}`).send({ slug: 'newer' }),
    effects: { bake: FAILED, rebaked: FAILED },
  },
  {
    name: 'POST /frames/{ref}/assign',
    send: async () =>
      alice.post(`${SHOP}/frames/${await makeFrame()}/assign`).send({ page: 'about-us/team' }),
    effects: { static: { published: false, reason: 'pending' }, republish: FAILED },
  },
  {
    name: 'DELETE /frames/{ref}',
    send: async () => alice.delete(`${SHOP}/frames/${await makeFrame()}`),
    effects: { bake: { status: 'skipped' }, rebaked: FAILED },
  },
]

const menuWrites: Write[] = [
  {
    name: 'POST /menus',
    send: async () => alice.post(`${SHOP}/menus`).send({ name: 'New', items: ITEMS }),
    effects: { rebaked: FAILED },
  },
  {
    name: 'PUT /menus/{ref}/location',
    send: async () =>
      alice.put(`${(await makeMenu()).path}/location`).send({ location: 'footer_3' }),
    effects: { rebaked: FAILED, assigned: [{ location: 'footer_3', lang: 'en' }] },
  },
  {
    name: 'PUT /menus/{ref}/items',
    send: async () => alice.put(`${(await makeMenu()).path}/items`).send({ items: ITEMS }),
    effects: { rebaked: FAILED },
  },
  {
    name: 'POST /menus/{ref}/items',
    send: async () => alice.post(`${(await makeMenu()).path}/items`).send({ url: '/c/' }),
    effects: { rebaked: FAILED, total: 3 },
  },
  {
    name: 'PATCH /menus/{ref}/items/{id}',
    send: async () => {
      const { path, ids } = await makeMenu()
      return alice.patch(`${path}/items/${ids[0]}`).send({ title: 'New' })
    },
    effects: { rebaked: FAILED },
  },
  {
    name: 'DELETE /menus/{ref}/items/{id}',
    send: async () => {
      const { path, ids } = await makeMenu()
      return alice.delete(`${path}/items/${ids[0]}`)
    },
    effects: { rebaked: FAILED, total: 1 },
  },
  {
    name: 'POST /menus/{ref}/reorder',
    send: async () => {
      const { path, ids } = await makeMenu()
      return alice.post(`${path}/reorder`).send({ order: ids.toReversed() })
    },
    effects: { rebaked: FAILED },
  },
  {
    name: 'DELETE /menus/{ref}',
    send: async () => alice.delete((await makeMenu()).path),
    effects: { rebaked: FAILED },
  },
]

describe('a stored write', () => {
  it.each([...frameWrites, ...menuWrites])(
    '$name is answered as saved where nothing can be built, and asks the database nothing more',
    async ({ send, effects }) => {
      const statements = await statementsOf(network.db, async (noted) => {
        sent = noted
        const { status, body } = await send()
        expect({ status, ...body }).toMatchObject({ status: 200, ...effects })
      })
      expect(statements.slice(before)).toEqual([])
    },
  )
})
