import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../src/host/log.ts'
import { KEY_FORMS } from '../src/wordpress/cache-keys.ts'
import { ObjectCache } from '../src/wordpress/object-cache/object-cache.ts'
import { startRedis, type TestRedis } from '../test/support/redis.ts'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'
import { type MadeMenu, makeMenu } from './support/menu.ts'
import type { DropIn } from './support/wordpress.ts'

/** A WordPress in a container has no Redis client and cannot reach the Redis of these tests. */
const elsewhere = process.env.COMPAT_WORDPRESS_URL
const why = elsewhere ? ' (skipped: WordPress runs in a container)' : ''

let redis: TestRedis
beforeAll(async () => {
  if (elsewhere) return
  redis = await startRedis()
})
afterAll(() => redis?.stop())

type Frame = { readonly frame: { readonly id: string } }

/** A site whose WordPress has its object cache in Redis, with a frame, a page and a menu at the header. */
type CachedSite = {
  readonly fixture: CompatFixture
  readonly frame: string
  readonly page: number
  /** Below the page. */
  readonly child: number
  readonly made: MadeMenu
  /** What WordPress shows from its cache, or from the tables if it has none. */
  state(cached: boolean): Promise<unknown>
}

/** Closed at the end, together: a cache waits for its second pass before it closes. */
const fixtures: CompatFixture[] = []
const caches: ObjectCache[] = []
afterAll(async () => {
  await Promise.all(caches.map((cache) => cache.close()))
  await Promise.all(fixtures.map((fixture) => fixture.close()))
})

async function openSite(form: DropIn['form'], isInvalidated = true): Promise<CachedSite> {
  const dropIn: DropIn = { form, url: redis.url, prefix: `${form}: ` }
  const fixture: CompatFixture = await createCompatFixture(
    isInvalidated ? { onInvalidate: (tx, keys) => cache.invalidate(tx, keys) } : {},
  )
  const { db } = fixture.network
  const log = createLog('silent')
  const cache = new ObjectCache({ ...dropIn, tablePrefix: 'wp_', db, log })
  fixtures.push(fixture)
  caches.push(cache)
  const [page = 0, child = 0] = await fixture.wp<number[]>('make_pages', [
    { title: 'Page' },
    { title: 'Child', under: 0 },
  ])
  // Without a baked copy: WordPress also caches that options are missing.
  const { frame } = await fixture.done<Frame>('post', '/frames', {
    slug: 'page',
    html: 'old',
    bake: false,
  })
  const made = await makeMenu(fixture, {
    name: 'Menu',
    location: 'header',
    items: [
      { page, children: [{ url: '/below', title: 'Below' }] },
      { url: '/last', title: 'Last' },
    ],
  })
  const names = ['', '_meta', '_baked'].map((end) => `svc_frame_${frame.id}${end}`)
  const last = Math.max(...made.items.map(({ id }) => id))
  await fixture.wp('calls', [['add_term_meta', [made.menu.id, 'note', 'Of a plugin']]])
  const args = {
    options: ['svc_frames', ...names],
    // The page and the items, and ids that the write may create.
    ids: Array.from({ length: last - page + 5 }, (_, index) => page + index),
    terms: [made.menu.id, made.menu.id + 1],
  }
  return {
    fixture,
    frame: frame.id,
    page,
    child,
    made,
    state: (cached) => fixture.wp('state', args, cached ? { cache: dropIn } : {}),
  }
}

type Write = (site: CachedSite) => Promise<unknown>

/** Asserts that WordPress with a warm cache sees the write. Only the first pass can have deleted the keys. */
async function expectSeen(
  form: DropIn['form'],
  write: Write,
  prepare: Write = async () => {},
): Promise<void> {
  const site = await openSite(form)
  await prepare(site)
  const before = await site.state(true)
  expect(await site.state(true)).toEqual(before)
  await write(site)
  const after = await site.state(true)
  expect(after).not.toEqual(before)
  expect(after).toEqual(await site.state(false))
  // The second request also reads what the first one has cached.
  expect(await site.state(true)).toEqual(after)
}

const itemAt = ({ made }: CachedSite, index: number): number => made.items[index]?.id ?? 0
const toMenu = ({ made }: CachedSite, path = ''): string => `/menus/${made.menu.id}${path}`

const WRITES: Record<string, Write> = {
  'a new frame': ({ fixture }) => fixture.done('post', '/frames', { slug: 'new', html: 'x' }),
  'changed markup': ({ fixture }) => fixture.done('put', '/frames/page', { html: 'new' }),
  'a changed slug': ({ fixture }) => fixture.done('patch', '/frames/page', { slug: 'other' }),
  'a deleted frame': ({ fixture }) => fixture.done('delete', '/frames/page'),
  'a page assigned to a frame': ({ fixture, page }) =>
    fixture.done('post', '/frames/page/assign', { page }),
  'a new menu': ({ fixture }) => fixture.done('post', '/menus', { name: 'Second' }),
  'a changed name': (site) =>
    site.fixture.done('patch', toMenu(site), { name: 'Other', slug: 'o' }),
  'another menu at the location': ({ fixture }) =>
    fixture.done('post', '/menus', { name: 'Second', location: 'header', items: [{ url: '/' }] }),
  'another location': (site) =>
    site.fixture.done('put', toMenu(site, '/location'), { location: 'footer_1' }),
  'a replaced tree': (site) =>
    site.fixture.done('put', toMenu(site, '/items'), { items: [{ url: '/', title: 'Only' }] }),
  'an added item': (site) => site.fixture.done('post', toMenu(site, '/items'), { url: '/more' }),
  'a deleted item': (site) =>
    site.fixture.done('delete', toMenu(site, `/items/${itemAt(site, 2)}`)),
  'a deleted branch': (site) =>
    site.fixture.done('delete', toMenu(site, `/items/${itemAt(site, 0)}`)),
  'a changed title': (site) =>
    site.fixture.done('patch', toMenu(site, `/items/${itemAt(site, 1)}`), { title: 'New' }),
  'a changed address': (site) =>
    site.fixture.done('patch', toMenu(site, `/items/${itemAt(site, 1)}`), { url: '/new' }),
  'a changed page': (site) =>
    site.fixture.done('patch', toMenu(site, `/items/${itemAt(site, 0)}`), { page: site.child }),
  'a changed parent': (site) =>
    site.fixture.done('patch', toMenu(site, `/items/${itemAt(site, 1)}`), { parent: 0 }),
  'a changed order': (site) =>
    site.fixture.done('post', toMenu(site, '/reorder'), { order: [itemAt(site, 2)] }),
  'a deleted menu': (site) => site.fixture.done('delete', toMenu(site)),
}

describe.skipIf(elsewhere).each(['redis-object-cache', 'wp-redis'] as const)(
  `with the cache of %s, WordPress sees${why}`,
  (form) => {
    it.each(Object.entries(WRITES))('%s', (_, write) => expectSeen(form, write))

    it('the first item of an empty menu', () =>
      expectSeen(
        form,
        (site) => site.fixture.done('post', toMenu(site, '/items'), { url: '/first' }),
        (site) => site.fixture.done('put', toMenu(site, '/items'), { items: [] }),
      ))

    it('a page taken off its frame', () => {
      const assign =
        (clear: boolean): Write =>
        ({ fixture, page }) =>
          fixture.done('post', '/frames/page/assign', { page, clear })
      return expectSeen(form, assign(true), assign(false))
    })

    it('the old values, if no keys are deleted', async () => {
      const site = await openSite(form, false)
      const before = await site.state(true)
      await site.fixture.done('put', toMenu(site, '/items'), { items: [] })
      await site.fixture.done('put', '/frames/page', { html: 'new' })
      expect(await site.state(true)).toEqual(before)
    })

    it('the unchanged keys of other programs', async () => {
      const site = await openSite(form)
      const client = new Redis(redis.url)
      try {
        const foreign = KEY_FORMS[form](`${form}: `, `${site.fixture.site.blogId + 1000}:options:x`)
        await client.set(foreign, 'theirs')
        await site.fixture.done('put', '/frames/page', { html: 'new' })
        expect(await client.get(foreign)).toBe('theirs')
      } finally {
        client.disconnect()
      }
    })
  },
)
