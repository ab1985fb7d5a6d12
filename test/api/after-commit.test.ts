import type { Response } from 'supertest'
import { describe, expect, it } from 'vitest'
import type { Executor } from '../../src/build/executor/executor.ts'
import { listTokens } from '../../src/record/auth/tokens.ts'
import { globalTables } from '../../src/wordpress/network/site.ts'
import { eventually } from '../support/eventually.ts'
import { createTestExecutor } from '../support/local-executor.ts'
import { useMenusApi } from '../support/menus-api.ts'
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
const menus = await useMenusApi({ executor })
const { network, api } = menus
const alice = await api.as('alice')
// The last use of a token is recorded in the background, once a minute.
await alice.get(`${SHOP}/menus`).expect(200)
await eventually(async () => {
  const tokens = await listTokens(network.db, network.globals)
  expect(tokens.every(({ last_used_at: used }) => used !== null)).toBe(true)
})

const FAILED = { status: 'failed', message: expect.stringContaining('Your change is saved') }
const REBAKED = { rebaked: FAILED }
const BAKED = { bake: FAILED, rebaked: FAILED }
const PENDING = { static: { published: false, reason: 'pending' }, republish: FAILED }
const ITEMS = [
  { url: '/a/', title: 'A' },
  { url: '/b/', title: 'B' },
]

/** Reads the site, so that it is built after the commit. */
const READS = '<p data-op-bind="site.title">x</p>'

let made = 0
/** The path of a new frame. */
async function makeFrame(): Promise<string> {
  made += 1
  const slug = `made-${made}`
  await alice.post(`${SHOP}/frames`).send({ slug, html: '<p>old</p>' }).expect(200)
  return `/frames/${slug}`
}
type Body = object | ((ids: readonly number[]) => object) | undefined

/** Each write with its body and the effects in its answer. `:frame` and `:menu` are new ones, `:item` is the first one of the menu. */
const WRITES: readonly (readonly [request: string, body: Body, effects: object])[] = [
  ['post /frames', { slug: 'new', html: READS }, BAKED],
  ['put :frame', { html: READS }, BAKED],
  ['patch :frame', { slug: 'newer' }, BAKED],
  ['post :frame/assign', { page: 'about-us/team' }, PENDING],
  ['delete :frame', undefined, { bake: { status: 'skipped' }, rebaked: FAILED }],
  ['post /menus', { name: 'New', items: ITEMS }, REBAKED],
  [
    'put :menu/location',
    { location: 'footer_3' },
    { ...REBAKED, assigned: [{ location: 'footer_3', lang: 'en' }] },
  ],
  ['put :menu/items', { items: ITEMS }, REBAKED],
  ['post :menu/items', { url: '/c/' }, { ...REBAKED, total: 3 }],
  ['patch :menu/items/:item', { title: 'New' }, REBAKED],
  ['delete :menu/items/:item', undefined, { ...REBAKED, total: 1 }],
  ['post :menu/reorder', (ids) => ({ order: ids.toReversed() }), REBAKED],
  ['delete :menu', undefined, REBAKED],
]

/** Sends a write to things that are made for it. */
async function send(request: string, body: Body): Promise<Response> {
  const frame = request.includes(':frame') ? await makeFrame() : ''
  const { menu, items = [] } = request.includes(':menu') ? await menus.makeMenu(ITEMS) : {}
  const ids: number[] = items.map(({ id }: { id: number }) => id)
  const [method = '', path = ''] = request.split(' ')
  const filled = path
    .replace(':frame', frame)
    .replace(':menu', `/menus/${menu?.id}`)
    .replace(':item', `${ids[0]}`)
  return alice[method as 'post'](SHOP + filled).send(typeof body === 'function' ? body(ids) : body)
}

describe('a stored write', () => {
  it.each(WRITES)(
    '%s is answered as saved where nothing can be built, and asks the database nothing more',
    async (request, sentBody, effects) => {
      const statements = await statementsOf(network.db, async (noted) => {
        sent = noted
        const { status, body } = await send(request, sentBody)
        expect({ status, ...body }).toMatchObject({ status: 200, ...effects })
      })
      expect(statements.slice(before)).toEqual([])
    },
  )
})
