import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startObjectStore } from '../../../packages/store-s3/test/object-store.ts'
import { STORE_CREDENTIALS } from '../../../packages/store-s3/test/store-keys.ts'
import { parseOwner } from '../../../src/build/publishing/static-copy.ts'
import { useFront } from '../../support/front.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { use } from '../../support/use.ts'

const ABOUT = 'http://net.test/shop/about-us/'
const KEPT = 'public, max-age=0, s-maxage=3600, must-revalidate'
const ASKED = 'public, max-age=0, must-revalidate'

const settings = {
  cacheTags: { header: 'Surrogate-Key', prefix: 'net' },
  cachePurge: [{ kind: 'xkey', url: 'http://127.0.0.1:9' }],
} as const

const start = async (options: Parameters<typeof useFront>[0]) => {
  const front = await useFront({ ...settings, ...options })
  await front.frame(2, 'header', '<!-- svc/menu {"location":"header"} /-->')
  await front.frame(2, 'page', '<!-- svc/frame {"name":"header"} /-->x')
  await front.assign(2, 'page', [7])
  const site = createSiteFixture(front.network.db, await front.network.site(2), front)
  const idOf = async (slug: string) => (await site).idOf(slug)
  return { ...front, idOf }
}
const server = await use(startObjectStore())
await server.createBucket('copies')
const staticStore = { address: server.address('copies'), credentials: STORE_CREDENTIALS }
/** Fronts with static copies in a folder or a store, and one without. */
const fronts = {
  copied: await start({}),
  stored: await start({ staticDir: undefined, staticStore }),
  rendered: await start({ staticDir: undefined }),
}

describe.each(['copied', 'stored', 'rendered'] as const)('a page that is %s', (kind) => {
  const { ask, idOf, frame } = fronts[kind]

  it('has the tags of its network, its site, itself, the frames and menus that it shows', async () => {
    const tags = ['net', 'net-s2', 'net-s2-p7']
    for (const slug of ['page', 'header']) tags.push(`net-s2-f${await idOf(slug)}`)
    tags.push('net-s2-menu')
    const { status, headers } = await ask(ABOUT)
    expect([status, headers['surrogate-key']]).toEqual([200, tags.join(' ')])
    const { etag = '' } = headers
    const unchanged = await ask(ABOUT, { headers: { 'If-None-Match': etag } })
    expect([unchanged.status, unchanged.headers['surrogate-key']]).toEqual([304, tags.join(' ')])
  })

  it('may be cached under all its addresses', async () => {
    for (const url of [ABOUT, `${ABOUT}?utm_source=mail`, ABOUT.replace('about', '%61bout')]) {
      const { status, headers } = await ask(url)
      expect([url, status, headers['cache-control']]).toEqual([url, 200, KEPT])
    }
  })

  it('has the tags of what it shows after a change', async () => {
    await frame(2, 'page', '<p>without menus</p>')
    const { body, headers } = await ask(ABOUT)
    expect([body, headers['surrogate-key']]).toEqual([
      '<p>without menus</p>',
      `net net-s2 net-s2-p7 net-s2-f${await idOf('page')}`,
    ])
  })

  it('has no tags where it is not shown', async () => {
    for (const url of [ABOUT.slice(0, -1), 'http://net.test/shop/none/']) {
      const { headers } = await ask(url)
      expect([url, headers['surrogate-key'], headers['cache-control']]).toEqual([
        url,
        undefined,
        ASKED,
      ])
    }
  })
})

it('an object has the tags in its metadata, as the header of the front, for CDNs in front of the store', async () => {
  const { ask, frame } = fronts.stored
  for (const html of ['<!-- svc/frame {"name":"header"} /-->x', '<p>without menus</p>']) {
    await frame(2, 'page', html)
    const { headers } = await ask(ABOUT)
    const object = await fetch(`${server.endpoint}/copies/net.test/shop/about-us/index.html`)
    const tags = String(headers['surrogate-key']).replaceAll(' ', ',')
    expect(tags).toMatch(/^net,net-s2,net-s2-p7,net-s2-f/)
    expect(object.headers.get('x-amz-meta-cache-tag')).toBe(tags)
  }
})

it('a copy that was created by hand has no tags, so caches revalidate it', async () => {
  const folder = join(fronts.copied.staticDir, 'net.test/shop/maintenance')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'index.html'), 'closed today')
  const { headers } = await fronts.copied.ask('http://net.test/shop/maintenance/')
  expect([headers['surrogate-key'], headers['cache-control']]).toEqual([undefined, ASKED])
})

it('an owner file cannot add anything to the header', () => {
  const read = (shown: unknown) =>
    parseOwner(Buffer.from(JSON.stringify({ site: 2, page: 7, url: ABOUT, shown })))
  const owner = { site: 2, page: 7, url: ABOUT }
  const shown = { frames: ['5158798bd2006010'], menus: false }
  expect(read(shown)).toEqual({ ...owner, shown })
  for (const wrong of [{ ...shown, frames: ['a,b\r\nX: y'] }, { menus: true }, [], 'x', null])
    expect(read(wrong)).toEqual(owner)
})

it('pages have tags without purges too, and are cached as before', async () => {
  const front = await useFront({ cacheTags: settings.cacheTags })
  await front.frame(2, 'page', 'x')
  const { republish } = await front.assign(2, 'page', [7])
  expect(republish.cache.status).toBe('skipped')
  const { headers } = await front.ask(ABOUT)
  expect(headers['surrogate-key']).toMatch(/^net net-s2 net-s2-p7 net-s2-f\w+$/)
  expect(headers['cache-control']).toBe(ASKED)
})

it('where a page cache accepts PURGE too, only addresses that it reaches may be cached', async () => {
  const front = await useFront({ ...settings, pageCachePurge: ['http://127.0.0.1:9'] })
  await front.frame(2, 'page', 'x')
  await front.assign(2, 'page', [7])
  expect((await front.ask(ABOUT)).headers['cache-control']).toBe(KEPT)
  expect((await front.ask(`${ABOUT}?utm_source=mail`)).headers['cache-control']).toBe(ASKED)
})
