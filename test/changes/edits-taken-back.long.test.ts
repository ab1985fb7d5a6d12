import { beforeEach, describe, expect, it } from 'vitest'
import { recordEdits } from '../../src/changes/record-edits.ts'
import { use } from '../support/use.ts'
import { startEditedSite } from './edited-site.ts'

// An edit that was taken back before a comparison is no difference, but pages were built of it.

const SHOP = 2
/** About us, in English. */
const ABOUT = 7

const { front, site, follow, copies, rebuild } = await use(startEditedSite(SHOP))
const { db, globals } = front.network

const setSite = (columns: Record<string, unknown>) =>
  db.sql(globals.blogs).where({ blog_id: SHOP }).update(columns)
const setAbout = (columns: Record<string, unknown>) =>
  db.sql(site.tables.posts).where({ ID: ABOUT }).update(columns)

/** What a rebuild of everything would not change. */
async function expectTrue(): Promise<void> {
  await follow()
  const found = await copies()
  await rebuild()
  expect(await copies()).toEqual(found)
}

/** A write of the service builds pages of the edit. */
const write = (text: string) => front.frame(SHOP, 'header', `<p>${text}</p>`)

beforeEach(async () => {
  await follow()
})

describe('an edit that is taken back after pages were built of it', () => {
  it.each([
    ['a closed site was open', () => setSite({ archived: 1 }), () => setSite({ archived: 0 })],
    ['an open site was closed', () => setSite({ archived: 0 }), () => setSite({ archived: 1 })],
    [
      'a private page was public',
      () => setAbout({ post_status: 'private' }),
      () => setAbout({ post_status: 'publish' }),
    ],
    [
      'a page had another title',
      () => setAbout({ post_title: 'About us' }),
      () => setAbout({ post_title: 'Nobody' }),
    ],
  ])('%s', async (_, start, edit) => {
    await start()
    await follow()
    await edit()
    await write(`written after ${edit}`)
    await front.executor.finish(SHOP)
    await start()
    await expectTrue()
    await setSite({ archived: 0 })
    await setAbout({ post_status: 'publish', post_title: 'About us' })
  })

  it('edits that are not taken back are recorded by the build, and built once', async () => {
    await setAbout({ post_title: 'Everyone' })
    await write('once')
    await front.executor.finish(SHOP)
    expect([...(await copies()).values()].join()).toContain('Everyone')
    expect(await recordEdits({ db, globals }, SHOP)).toBeUndefined()
  })
})
