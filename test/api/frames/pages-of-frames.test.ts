import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPostMetaOf } from '../../../src/wordpress/postmeta.ts'
import { useFramesApi } from '../../support/frames-api.ts'

const frames = await useFramesApi()
const { send } = frames
const copyOf = (path: string) => join(frames.staticDir, 'net.test/shop', path, 'index.html')

await send('post', '/frames', { slug: 'layout', html: '<h1 data-op-bind="page.title"></h1>' })

describe('POST /frames/{ref}/assign', () => {
  it('assigns the frame to a page and publishes its copy', async () => {
    const { status, body } = await send('post', '/frames/layout/assign', { page: 'about-us' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      site_id: 2,
      frame: { slug: 'layout' },
      page: { id: 7, title: 'About us', url: 'http://net.test/shop/about-us/' },
      meta_key: '_svc_frame',
      cleared: false,
      static: {
        published: true,
        url: 'http://net.test/shop/about-us/',
        bytes: 17,
        reason: null,
        was_published: false,
        was_url: null,
        removed: false,
        changed: true,
      },
      republish: { status: 'ok' },
    })
    expect(readFileSync(copyOf('about-us'), 'utf8')).toBe('<h1>About us</h1>')
    const site = await frames.network.site(2)
    expect(await readPostMetaOf(frames.network.db, site, 7, '_svc_frame')).toBe(body.frame.id)
  })

  it.each([[10], ['10'], ['about-us/team'], ['/about-us/team/'], ['team']])(
    'finds the page by %j',
    async (page) => {
      const { body } = await send('post', '/frames/layout/assign', { page })
      expect(body.page).toMatchObject({ id: 10, title: 'Team' })
    },
  )

  it('removes the frame and the copy with clear', async () => {
    await send('post', '/frames/layout/assign', { page: 8 })
    expect(existsSync(copyOf('fr/a-propos'))).toBe(true)
    const { body } = await send('post', '/frames/layout/assign', { page: 8, clear: true })
    expect(body).toMatchObject({
      cleared: true,
      page: { id: 8 },
      static: {
        published: false,
        url: null,
        bytes: 0,
        reason: 'no_frame',
        message: 'The page has no frame.',
        was_published: true,
        removed: true,
        changed: true,
      },
    })
    expect(existsSync(copyOf('fr/a-propos'))).toBe(false)
  })
})

describe('DELETE /frames/{ref}', () => {
  it('removes the frame from its pages, removes their copies, and does not edit embedding frames', async () => {
    const { id } = (await send('post', '/frames', { slug: 'part', html: 'part' })).body.frame
    const embed = '<body><!-- svc/frame {"name":"part"} /--></body>'
    await send('post', '/frames', { slug: 'whole', html: embed })
    await send('post', '/frames/whole/assign', { page: 15 })
    await send('post', '/frames/part/assign', { page: 16 })
    expect(readFileSync(copyOf('products'), 'utf8')).toBe('<body>part</body>')

    const { status, body } = await send('delete', '/frames/part')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      site_id: 2,
      deleted: { id, slug: 'part', block: 'part', element: null, modifier: null },
      unbound_pages: [16],
      referenced_by: ['whole'],
      warnings: [expect.stringContaining('16'), expect.stringContaining('whole')],
      bake: { status: 'skipped' },
    })
    expect((await send('get', '/frames/whole')).body.frame).toMatchObject({
      html: embed,
      frame_refs: ['part'],
    })
    expect(readFileSync(copyOf('products'), 'utf8')).toBe('<body></body>')
    expect(existsSync(copyOf('services'))).toBe(false)
    const site = await frames.network.site(2)
    const left = await frames.network.db
      .sql(site.tables.options)
      .where('option_name', 'like', `%${id}%`)
      .select('option_name')
    expect(left).toEqual([])

    // A new frame with the slug appears in the frames that embed it.
    await send('post', '/frames', { slug: 'part', html: 'healed' })
    expect(readFileSync(copyOf('products'), 'utf8')).toBe('<body>healed</body>')
  })

  it('removes the copies of its pages also with bake false', async () => {
    await send('post', '/frames', { slug: 'going', html: 'x' })
    await send('post', '/frames/going/assign', { page: 9 })
    expect(existsSync(copyOf('de/uber-uns'))).toBe(true)
    const { body } = await send('delete', '/frames/going', { bake: false })
    expect(body).toMatchObject({ unbound_pages: [9], rebaked: { status: 'skipped' } })
    expect(existsSync(copyOf('de/uber-uns'))).toBe(false)
  })

  it('sorts pages by id, and does not warn about a frame that embedded itself', async () => {
    const html = '<!-- svc/frame {"name":"ouroboros"} /-->'
    await send('post', '/frames', { slug: 'ouroboros', html })
    for (const page of [16, 9, 7]) await send('post', '/frames/ouroboros/assign', { page })
    const { body: read } = await send('get', '/frames/ouroboros')
    expect(read.frame.pages).toEqual([7, 9, 16])
    const { body } = await send('delete', '/frames/ouroboros')
    expect(body).toMatchObject({ unbound_pages: [7, 9, 16], referenced_by: [] })
  })
})
