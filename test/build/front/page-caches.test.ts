import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useFront } from '../../support/front.ts'
import { startPageCache } from '../../support/page-cache.ts'
import { use } from '../../support/use.ts'

const ABOUT = 'http://net.test/shop/about-us/'
const ARABIC = `http://net.test/shop/ar/${encodeURI('الرئيسية')}/`
const PLAIN = 'http://net.test/docs/?page_id=2'

const KEPT = 'public, max-age=0, s-maxage=3600, must-revalidate'
const ASKED = 'public, max-age=0, must-revalidate'

const cache = await use(startPageCache())
const pageCachePurge = [cache.base]
const start = async (options: Parameters<typeof useFront>[0]) => {
  const front = await useFront({ ...options, pageCachePurge })
  for (const blogId of [2, 3]) await front.frame(blogId, 'page', 'x')
  await front.assign(2, 'page', [6, 7])
  await front.assign(3, 'page', [2])
  return front
}
/** One front with static copies, one without. */
const fronts = { copied: await start({}), rendered: await start({ staticDir: undefined }) }

describe.each(['copied', 'rendered'] as const)('a page that is %s', (kind) => {
  const controlOf = async (url: string) => {
    const { status, headers } = await fronts[kind].ask(url)
    return [status, headers['cache-control']]
  }

  it('may be cached under the URLs that are purged', async () => {
    const addresses = [ABOUT, ARABIC, ARABIC.toLowerCase(), PLAIN]
    for (const url of addresses) {
      expect([url, ...(await controlOf(url))]).toEqual([url, 200, KEPT])
    }
    cache.purged.splice(0)
    await fronts[kind].assign(2, 'page', [6, 7])
    await fronts[kind].assign(3, 'page', [2])
    const purged = addresses.map((url) => url.replace('http://', 'PURGE '))
    expect(cache.purged).toEqual(expect.arrayContaining(purged))
  })

  it.each([
    `${ABOUT}?utm_source=mail`,
    `${ABOUT}?`,
    ABOUT.replace('about', '%61bout'),
    ABOUT.replace('net.test', 'NET.test'),
    ABOUT.replace('net.test', 'net.test:80'),
    `${PLAIN}&utm_source=mail`,
    `${PLAIN.replace('?', '?utm_source=mail&')}`,
  ])('is asked for again where no purge reaches: %s', async (url) => {
    expect(await controlOf(url)).toEqual([200, ASKED])
  })
})

it('a copy that was created by hand is never purged, so caches revalidate it', async () => {
  const folder = join(fronts.copied.staticDir, 'net.test/shop/maintenance')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'index.html'), 'closed today')
  const { body, headers } = await fronts.copied.ask('http://net.test/shop/maintenance/')
  expect([body, headers['cache-control']]).toEqual(['closed today', ASKED])
})
