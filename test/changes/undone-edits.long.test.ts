import { beforeEach, describe, expect, it } from 'vitest'
import { recordAllEdits } from '../../src/changes/record-all-edits.ts'
import { recordEdits } from '../../src/changes/record-edits.ts'
import { recordOption } from '../../src/content/frames/option-names.ts'
import { readRegistry } from '../../src/content/frames/registry.ts'
import { use } from '../support/use.ts'
import { startEditedSite } from './edited-site.ts'

// An edit that was undone before a comparison is no difference, but pages were built of it.

const SHOP = 2
/** About us, in English. */
const ABOUT = 7

const { front, site, copies, rebuild } = await use(startEditedSite(SHOP))
const { db, globals } = front.network

/** A round of the poll, and what it builds. */
async function round(): Promise<void> {
  await recordAllEdits({ db, globals, wake: front.executor.wake })
  await front.executor.finish(SHOP)
}

const setSite = (columns: Record<string, unknown>) =>
  db.sql(globals.blogs).where({ blog_id: SHOP }).update(columns)
const posts = () => db.sql(site.tables.posts)
const about = await posts().where({ ID: ABOUT }).first()
const setAbout = (columns: Record<string, unknown>) => posts().where({ ID: ABOUT }).update(columns)
const deleteAbout = () => posts().where({ ID: ABOUT }).delete()

/** What a rebuild of everything would not change. */
async function expectTrue(): Promise<void> {
  await round()
  const found = await copies()
  await rebuild()
  expect(await copies()).toEqual(found)
}

const idOf = async (slug: string) => (await readRegistry(db, site)).get(slug).id

/** A write of the service builds pages of the edit. */
const write = (text: string) => front.frame(SHOP, 'header', `<p>${text}</p>`)

const restoreAbout = () => posts().insert(about).onConflict('ID').merge()

beforeEach(async () => {
  await setSite({ archived: 0, path: '/shop/' })
  await restoreAbout()
  await round()
})

describe('an edit that is undone after pages were built of it', () => {
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
    [
      'a page had another slug',
      () => setAbout({ post_name: 'about-us' }),
      () => setAbout({ post_name: 'we' }),
    ],
    ['a page was deleted', restoreAbout, deleteAbout],
    ['a site had another path', () => setSite({ path: '/shop/' }), () => setSite({ path: '/x/' })],
  ])('%s', async (name, start, edit) => {
    await start()
    await round()
    await edit()
    await write(`written after ${name}`)
    await front.executor.finish(SHOP)
    await start()
    await expectTrue()
  })

  it('a frame was written by the service', async () => {
    await write('first')
    const { tables } = site
    const record = { option_name: recordOption(await idOf('header')) }
    const before = await db.sql(tables.options).where(record).first('option_value')
    await round()
    await round()
    await write('second')
    await db.sql(tables.options).where(record).update(before)
    await expectTrue()
  })

  it('edits that are not undone are recorded by the build, and found by no other comparison', async () => {
    await setAbout({ post_title: 'Everyone' })
    await write('once')
    await front.executor.finish(SHOP)
    expect([...(await copies()).values()].join()).toContain('Everyone')
    expect(await recordEdits({ db, globals }, SHOP)).toBeUndefined()
  })
})
