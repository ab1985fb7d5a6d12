import { readFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listCopyUrls } from '../../../src/build/publishing/copies-table.ts'
import { useFramesApi } from '../../support/frames-api.ts'

const ABOUT = 'http://net.test/shop/about-us/'
/** About us. */
const PAGE = 7

const frames = await useFramesApi()
const { send } = frames
const folder = () => join(frames.staticDir, 'net.test/shop/about-us')
const copy = () => readFileSync(join(folder(), 'index.html'), 'utf8')

/** Creates a folder at the path of the copy, so that writing the copy fails. */
async function obstruct(): Promise<void> {
  await rm(join(folder(), 'index.html.gz'), { force: true })
  await mkdir(join(folder(), 'index.html.gz'))
}
const clear = () => rm(join(folder(), 'index.html.gz'), { recursive: true })

const FAILED = { status: 'failed', message: expect.stringMatching(/\.$/) }

describe('a write whose pages cannot be published', () => {
  beforeAll(async () => {
    await send('post', '/frames', { slug: 'part', html: 'one' })
    await send('post', '/frames', {
      slug: 'layout',
      html: '<p><!-- svc/frame {"name":"part"} /--><!-- svc/menu {"location":"header"} /--></p>',
    })
    await send('post', '/frames/layout/assign', { page: PAGE })
    expect(copy()).toContain('<p>one')
    await obstruct()
  })
  afterAll(clear)

  it('reports the failure, and reports no page as published', async () => {
    const { body } = await send('put', '/frames/layout', {
      html: '<p>new<!-- svc/frame {"name":"part"} /--><!-- svc/menu {"location":"header"} /--></p>',
    })
    expect(body).toMatchObject({
      applied: true,
      bake: { status: 'ok', response: { published: { published: false, pages: [] }, pages: [7] } },
      rebaked: { status: 'ok' },
      republish: FAILED,
    })
    expect(copy()).toContain('<p>one')
  })

  it('reports that the old copy still exists, and why it was not replaced', async () => {
    const { body } = await send('post', '/frames/layout/assign', { page: PAGE })
    expect(body.static).toEqual({
      published: true,
      url: ABOUT,
      bytes: Buffer.byteLength(copy()),
      reason: 'failed',
      message: expect.any(String),
      was_published: true,
      was_url: ABOUT,
      removed: false,
      changed: false,
    })
    expect(body.republish).toMatchObject(FAILED)
  })

  it('publishes again once that is possible', async () => {
    await clear()
    const { body } = await send('put', '/frames/layout', { html: 'back' })
    expect(body).toMatchObject({
      bake: { response: { published: { published: true, pages: [7] } } },
      republish: { status: 'ok' },
    })
    expect(copy()).toBe('back')
    await mkdir(join(folder(), 'index.html.gz'), { recursive: true }).catch(() => {})
  })
})

it('a write of a frame reports a page whose path is too long for the file system', async () => {
  const { tables } = await frames.network.site(2)
  const { sql } = frames.network.db
  let post_parent = 0
  // The longest slugs that WordPress stores, as many as a URL may have, and a short one.
  for (const length of [...Array<number>(20).fill(200), 60]) {
    const page = await sql(tables.posts).where({ ID: PAGE }).first()
    const { ID: _, ...columns } = page
    const [id = 0] = await sql(tables.posts).insert({
      ...columns,
      post_name: 'n'.repeat(length),
      post_parent,
    })
    post_parent = id
  }
  await send('post', '/frames', { slug: 'deep', html: 'x' })
  const { body } = await send('post', '/frames/deep/assign', { page: post_parent })
  expect(body.static).toMatchObject({
    published: false,
    reason: 'failed',
    was_published: false,
    url: null,
  })
  expect(body.republish).toMatchObject(FAILED)
  const put = await send('put', '/frames/deep', { html: 'y' })
  expect(put.body).toMatchObject({
    bake: { status: 'ok', response: { published: { published: false, pages: [] } } },
    republish: FAILED,
  })
  const { db, globals } = frames.network
  expect([...(await listCopyUrls(db, { blogId: 2, globals })).keys()]).toContain(post_parent)
})
