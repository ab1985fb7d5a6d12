import { afterEach, describe, expect, it } from 'vitest'
import { assertNoFailure } from '../../../src/build/publishing/copy-failure.ts'
import type { CopyOutcome, WantedCopy } from '../../../src/build/publishing/publish-copies.ts'
import { describeRecords, failedEffect } from '../../../src/build/publishing/static-effects.ts'
import { hidden, SHOP, shown, usePublishingFixture } from './publishing-fixture.ts'
import { copyFiles, IS_STORE } from './test-target.ts'

let version = 0
const shop = await usePublishingFixture()
afterEach(() => shop.clear())

const folder = (path: string) => shop.folder(path)
const nextVersion = () => ++version
/** Publishes one page; throws its error. */
async function publish(wanted: WantedCopy, at = nextVersion()): Promise<CopyOutcome> {
  const { outcomes, errors } = await shop.publish(at, [wanted])
  assertNoFailure(errors)
  return outcomes.get(wanted.page) as CopyOutcome
}
const NEW: CopyOutcome = { state: 'written', formerUrl: undefined }
const replaced: CopyOutcome = { state: 'written', formerUrl: `${SHOP}about-us/` }
const copyAt = (path: string) => shop.read(folder(path))
const htmlAt = async (path: string) => (await copyAt(path))?.html
const recordOf = async (page: number) => (await shop.records()).get(page)

describe('publishing a page', () => {
  it('leaves an identical copy unchanged, and records of what it was built', async () => {
    await publish(shown(7, 'about-us/', 'a'))
    const before = await copyAt('about-us')
    const again = {
      ...shown(7, 'about-us/', 'a'),
      pageModified: '2026-02-03 04:05:06',
      publication: { html: 'a', sourceFingerprint: 'other' },
    }
    expect(await publish(again)).toEqual({ state: 'kept', formerUrl: `${SHOP}about-us/` })
    expect(before).toBeDefined()
    expect(await copyAt('about-us')).toEqual(before)
    expect(await recordOf(7)).toMatchObject({
      version,
      source: 'other',
      pageModified: '2026-02-03 04:05:06',
    })
  })

  it('replaces a copy that was changed or removed by others', async () => {
    await publish(shown(7, 'about-us/', 'a'))
    await shop.storeByHand(folder('about-us'), 'x')
    expect(await publish(shown(7, 'about-us/', 'a'))).toEqual(replaced)
    await shop.lose(folder('about-us'))
    expect(await publish(shown(7, 'about-us/', 'a'))).toEqual(NEW)
    expect(await htmlAt('about-us')).toBe('a')
    expect((await copyAt('about-us'))?.isWhole).toBe(true)
  })

  it('removes the copy at its former URL, but not that of another page which has this URL now', async () => {
    await publish(shown(7, 'about-us/', 'seven'))
    await publish(shown(10, 'about-us/team/', 'ten'))
    // The page and its child have new URLs, and a new page has the former slug.
    expect(await publish(shown(10, 'we/team/', 'ten'))).toEqual({
      state: 'written',
      formerUrl: `${SHOP}about-us/team/`,
    })
    expect(await copyAt('about-us/team')).toBeUndefined()
    await publish(shown(99, 'about-us/', 'new'))
    expect(await publish(shown(7, 'we/', 'seven'))).toEqual(NEW)
    expect(await htmlAt('about-us')).toBe('new')
    expect([...(await shop.records()).values()].map(({ page, url }) => [page, url])).toEqual([
      [7, `${SHOP}we/`],
      [10, `${SHOP}we/team/`],
      [99, `${SHOP}about-us/`],
    ])
  })

  it('writes nothing if the URL cannot be mapped to a file', async () => {
    await publish(shown(7, 'about-us/', 'a'))
    const long = `${'a'.repeat(256)}/`
    for (const path of ['?page_id=7', '../docs/', '%2e%2e/', '.page.json/', long]) {
      expect(await publish(shown(7, path, 'b'))).toMatchObject({ state: 'none' })
    }
    expect(await shop.files()).toEqual([])
  })

  it('adopts a copy without an owner, which may come from a backup', async () => {
    await shop.storeByHand(folder('about-us'), 'a')
    expect(await publish(shown(7, 'about-us/', 'a'))).toEqual(replaced)
    expect((await copyAt('about-us'))?.owner?.page).toBe(7)
  })

  it('takes a URL over from another page', async () => {
    await publish(shown(7, 'about-us/', 'seven'))
    expect(await publish(shown(8, 'about-us/', 'eight'))).toEqual(NEW)
    expect((await copyAt('about-us'))?.owner?.page).toBe(8)
    // Page 7 is hidden only afterwards, for example after a failure.
    expect(await publish(hidden(7, 'about-us/'))).toEqual({ state: 'none', formerUrl: undefined })
    expect(await htmlAt('about-us')).toBe('eight')
  })

  it('keeps two sites apart that publish at the same time', async () => {
    const other = await shop.network.site(1)
    // Only folders have parents that both sites create and remove; a request to a store takes long.
    const count = IS_STORE ? 10 : 60
    const pages = Array.from({ length: count }, (_, index) => index + 1)
    const mine = pages.map((page) => shown(page, `p${page}/`, `shop ${page}`))
    const others = pages.map((page) => ({
      ...shown(page, '', `main ${page}`),
      url: `http://net.test/p${page}/`,
    }))
    await Promise.all([shop.publish(3, mine), shop.publish(5, others, { site: other })])
    expect(await shop.files()).toHaveLength(2 * count * copyFiles('').length)
    expect([(await shop.records()).size, (await shop.records(other)).size]).toEqual([count, count])
    expect((await shop.read(shop.locate('net.test/p9')))?.html).toBe('main 9')
    expect(await htmlAt('p9')).toBe('shop 9')
    // One removes all copies while the other writes into the same parent folders.
    await Promise.all([
      shop.publish(
        4,
        mine.map(({ page }) => hidden(page, `p${page}/`)),
      ),
      shop.publish(
        6,
        others.map((one) => ({ ...one, url: one.url.replace('/p', '/shop/sub/p') })),
        { site: other },
      ),
    ])
    expect(await shop.files()).toHaveLength(count * copyFiles('').length)
  })
})

it('describeRecords describes copies without looking at them', async () => {
  const { db } = shop.network
  const describe = async () => (await describeRecords(db, shop.site, [7], 'Unchanged.')).get(7)
  expect(await describe()).toMatchObject({
    published: false,
    was_published: false,
    message: 'Unchanged.',
  })
  await publish(shown(7, 'about-us/', 'abc'))
  const described = {
    published: true,
    url: `${SHOP}about-us/`,
    bytes: 3,
    reason: null,
    message: 'Unchanged.',
    was_published: true,
    was_url: `${SHOP}about-us/`,
    removed: false,
    changed: false,
  }
  expect(await describe()).toEqual(described)
  expect(failedEffect(await describe(), 'Failed.')).toEqual({
    ...described,
    reason: 'failed',
    message: 'Failed.',
  })
  expect(failedEffect(undefined, 'Failed.')).toMatchObject({ published: false, reason: 'failed' })
})
