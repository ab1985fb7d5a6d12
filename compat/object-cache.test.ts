import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../src/log.ts'
import { KEY_FORMS } from '../src/wordpress/object-cache/cache-keys.ts'
import { ObjectCache } from '../src/wordpress/object-cache/object-cache.ts'
import { findRedisProgram, startRedis, type TestRedis } from '../test/support/redis.ts'
import { type MadeMenu, makeMenu } from './support/menu.ts'
import { openScene, type Scene } from './support/scene.ts'
import type { DropIn } from './support/wordpress.ts'

/** A WordPress in a container has no client for Redis, and can't reach the one of these tests. */
const elsewhere = process.env.COMPAT_WORDPRESS_URL
const why = elsewhere ? ' (skipped: WordPress is elsewhere)' : ''

let redis: TestRedis
beforeAll(async () => {
  if (elsewhere) return
  const found = await findRedisProgram()
  if ('missing' in found) throw new Error(found.missing)
  redis = await startRedis(found.path)
})
afterAll(() => redis?.stop())

type Frame = { readonly frame: { readonly id: string } }

/** A site whose WordPress keeps its cache in Redis, with a frame, a page and a menu at the header. */
type Stage = {
  readonly scene: Scene
  readonly frame: string
  readonly page: number
  /** Below the page. */
  readonly child: number
  readonly made: MadeMenu
  /** What WordPress shows, from its cache or, without one, from the tables. */
  state(cached: boolean): Promise<unknown>
}

/** All at the end: a cache that is closed waits for its second pass. */
const scenes: Scene[] = []
const caches: ObjectCache[] = []
afterAll(async () => {
  await Promise.all(caches.map((cache) => cache.close()))
  await Promise.all(scenes.map((scene) => scene.close()))
})

async function openStage(form: DropIn['form'], isTold = true): Promise<Stage> {
  const dropIn: DropIn = { form, url: redis.url, prefix: `${form}: ` }
  const db = () => scene.network.db
  const log = createLog('silent')
  const cache = new ObjectCache({ ...dropIn, tablePrefix: 'wp_', db, log })
  const scene: Scene = await openScene(
    isTold ? { onInvalidate: (tx, keys) => cache.invalidate(tx, keys) } : {},
  )
  scenes.push(scene)
  caches.push(cache)
  const [page = 0, child = 0] = await scene.wp<number[]>('make_pages', [
    { title: 'Page' },
    { title: 'Child', under: 0 },
  ])
  // Without a baked copy: WordPress remembers of options that they are missing, too.
  const { frame } = await scene.done<Frame>('post', '/frames', {
    slug: 'page',
    html: 'old',
    bake: false,
  })
  const made = await makeMenu(scene, {
    name: 'Menu',
    location: 'header',
    items: [
      { page, children: [{ url: '/below', title: 'Below' }] },
      { url: '/last', title: 'Last' },
    ],
  })
  const names = ['', '_meta', '_baked'].map((end) => `svc_frame_${frame.id}${end}`)
  const last = Math.max(...made.items.map(({ id }) => id))
  await scene.wp('calls', [['add_term_meta', [made.menu.id, 'note', 'Of a plugin']]])
  const args = {
    options: ['svc_frames', ...names],
    // The page and the items, and some that may come to be.
    ids: Array.from({ length: last - page + 5 }, (_, index) => page + index),
    terms: [made.menu.id, made.menu.id + 1],
  }
  return {
    scene,
    frame: frame.id,
    page,
    child,
    made,
    state: (cached) => scene.wp('state', args, cached ? { cache: dropIn } : {}),
  }
}

type Write = (stage: Stage) => Promise<unknown>

/** WordPress, its cache warm, sees what was written, whose keys only the first pass can have dropped. */
async function expectSeen(
  form: DropIn['form'],
  write: Write,
  prepare: Write = async () => {},
): Promise<void> {
  const stage = await openStage(form)
  await prepare(stage)
  const before = await stage.state(true)
  expect(await stage.state(true)).toEqual(before)
  await write(stage)
  const after = await stage.state(true)
  expect(after).not.toEqual(before)
  expect(after).toEqual(await stage.state(false))
  // What the first request remembered beside what it found is met by the second.
  expect(await stage.state(true)).toEqual(after)
}

const itemAt = ({ made }: Stage, place: number): number => made.items[place]?.id ?? 0
const toMenu = ({ made }: Stage, path = ''): string => `/menus/${made.menu.id}${path}`

const WRITES: Record<string, Write> = {
  'a new frame': ({ scene }) => scene.done('post', '/frames', { slug: 'new', html: 'x' }),
  'a new markup': ({ scene }) => scene.done('put', '/frames/page', { html: 'new' }),
  'another slug': ({ scene }) => scene.done('patch', '/frames/page', { slug: 'other' }),
  'a frame deleted': ({ scene }) => scene.done('delete', '/frames/page'),
  'a page put on a frame': ({ scene, page }) => scene.done('post', '/frames/page/assign', { page }),
  'a new menu': ({ scene }) => scene.done('post', '/menus', { name: 'Second' }),
  'another name': (stage) => stage.scene.done('patch', toMenu(stage), { name: 'Other', slug: 'o' }),
  'another menu at the location': ({ scene }) =>
    scene.done('post', '/menus', { name: 'Second', location: 'header', items: [{ url: '/' }] }),
  'another location': (stage) =>
    stage.scene.done('put', toMenu(stage, '/location'), { location: 'footer_1' }),
  'another tree': (stage) =>
    stage.scene.done('put', toMenu(stage, '/items'), { items: [{ url: '/', title: 'Only' }] }),
  'an item more': (stage) => stage.scene.done('post', toMenu(stage, '/items'), { url: '/more' }),
  'an item less': (stage) =>
    stage.scene.done('delete', toMenu(stage, `/items/${itemAt(stage, 2)}`)),
  'a branch less': (stage) =>
    stage.scene.done('delete', toMenu(stage, `/items/${itemAt(stage, 0)}`)),
  'another title': (stage) =>
    stage.scene.done('patch', toMenu(stage, `/items/${itemAt(stage, 1)}`), { title: 'New' }),
  'another address': (stage) =>
    stage.scene.done('patch', toMenu(stage, `/items/${itemAt(stage, 1)}`), { url: '/new' }),
  'another page': (stage) =>
    stage.scene.done('patch', toMenu(stage, `/items/${itemAt(stage, 0)}`), { page: stage.child }),
  'another parent': (stage) =>
    stage.scene.done('patch', toMenu(stage, `/items/${itemAt(stage, 1)}`), { parent: 0 }),
  'another order': (stage) =>
    stage.scene.done('post', toMenu(stage, '/reorder'), { order: [itemAt(stage, 2)] }),
  'a menu deleted': (stage) => stage.scene.done('delete', toMenu(stage)),
}

describe.skipIf(elsewhere).each(['redis-object-cache', 'wp-redis'] as const)(
  `with the cache of %s, WordPress sees${why}`,
  (form) => {
    it.each(Object.entries(WRITES))('%s', (_, write) => expectSeen(form, write))

    it('the first item of a menu that had none', () =>
      expectSeen(
        form,
        (stage) => stage.scene.done('post', toMenu(stage, '/items'), { url: '/first' }),
        (stage) => stage.scene.done('put', toMenu(stage, '/items'), { items: [] }),
      ))

    it('a page taken off its frame', () => {
      const assign =
        (clear: boolean): Write =>
        ({ scene, page }) =>
          scene.done('post', '/frames/page/assign', { page, clear })
      return expectSeen(form, assign(true), assign(false))
    })

    it('what stood there before, where nobody drops its keys', async () => {
      const stage = await openStage(form, false)
      const before = await stage.state(true)
      await stage.scene.done('put', toMenu(stage, '/items'), { items: [] })
      await stage.scene.done('put', '/frames/page', { html: 'new' })
      expect(await stage.state(true)).toEqual(before)
    })

    it('what is in the keys of others, which nobody touches', async () => {
      const stage = await openStage(form)
      const client = new Redis(redis.url)
      try {
        const foreign = KEY_FORMS[form](`${form}: `, `${stage.scene.site.blogId + 1000}:options:x`)
        await client.set(foreign, 'theirs')
        await stage.scene.done('put', '/frames/page', { html: 'new' })
        expect(await client.get(foreign)).toBe('theirs')
      } finally {
        client.disconnect()
      }
    })
  },
)
