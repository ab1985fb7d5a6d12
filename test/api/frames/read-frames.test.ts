import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { encodePhp, setValue } from '#php-serialized'
import { MAX_LIST_HTML_BYTES } from '../../../src/api/endpoints/frames.ts'
import { analyzeMarkup, MAX_MARKUP_BYTES } from '../../../src/content/frames/frame-markup.ts'
import {
  metaOption,
  REGISTRY_OPTION,
  recordOption,
} from '../../../src/content/frames/option-names.ts'
import { metaOf } from '../../../src/content/frames/record.ts'
import { ZERO_DATE } from '../../../src/wordpress/dates.ts'
import { readOption } from '../../../src/wordpress/options/read-options.ts'
import { writeOptions } from '../../../src/wordpress/options/write-options.ts'
import { useFramesApi } from '../../support/frames-api.ts'
import { pagesOf } from '../../support/pages-of.ts'

const MARKUP = {
  article: '<!doctype html><body><h1 data-op-bind="page.title"></h1><!-- svc/content /--></body>',
  article__faq: '<dl><!-- svc/frame {"name":"article__faq--simple"} /--></dl>',
  'article__faq--simple': '<dt data-op-bind="item.title">T</dt>',
  articles: '<p>not of the block article</p>',
  header: '<nav><!-- svc/menu {"location":"header"} /--></nav>',
}

const ids: Record<string, string> = {}

const frames = await useFramesApi()
for (const [slug, html] of Object.entries(MARKUP)) {
  const { body } = await frames.send('post', '/frames', { slug, html })
  ids[slug] = body.frame.id
}
await frames.send('post', '/frames/article/assign', { page: 7 })

describe('GET /frames', () => {
  it('returns all fields, with frames sorted by slug', async () => {
    const { status, body } = await frames.send('get', '/frames')
    expect(status).toBe(200)
    const { frames: list, ...envelope } = body
    expect(envelope).toEqual({
      success: true,
      site_id: 2,
      home_url: 'http://net.test/shop/',
      total: 5,
      registry_option: 'svc_frames',
      page_meta: '_svc_frame',
      slug_pattern: expect.stringMatching(/^\^.*\$$/),
    })
    expect(list.map(({ slug }: { slug: string }) => slug)).toEqual(Object.keys(MARKUP).sort())
  })

  it('returns every field of a frame, and its pages only if it has any', async () => {
    const { body } = await frames.send('get', '/frames?block=article')
    const [article, faq] = body.frames
    expect(article).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      slug: 'article',
      block: 'article',
      element: null,
      modifier: null,
      bytes: Buffer.byteLength(MARKUP.article),
      sha256: createHash('sha256').update(MARKUP.article).digest('hex'),
      inserts: { 'op/content': 1 },
      sources: ['page.content', 'page.title'],
      frame_refs: [],
      binds: 1,
      created_at_gmt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      updated_at_gmt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      updated_by: 2,
      option: `svc_frame_${article.id}`,
      pages: [7],
      renders_on_request: true,
    })
    expect(faq).not.toHaveProperty('pages')
    expect(faq).not.toHaveProperty('html')
  })

  it('filters by block: the block, its elements and its modifiers, case-insensitive', async () => {
    const { body } = await frames.send('get', '/frames?block=Article')
    expect(body.frames.map(({ slug }: { slug: string }) => slug)).toEqual([
      'article',
      'article__faq',
      'article__faq--simple',
    ])
    expect(body.total).toBe(3)
  })

  it('filters by a part of the slug, case-insensitive', async () => {
    const { body } = await frames.send('get', '/frames?q=FAQ')
    expect(body.frames).toHaveLength(2)
  })

  it('returns the markup of each frame with include_html=1', async () => {
    const { body } = await frames.send('get', '/frames?include_html=1&q=header')
    expect(body.frames[0].html).toBe(MARKUP.header)
  })

  it('ignores type with a warning', async () => {
    const { body } = await frames.send('get', '/frames?type=page')
    expect(body).toMatchObject({ total: 5, warnings: ['type_ignored'] })
  })

  it('is empty on a site without frames', async () => {
    const bob = await frames.api.as('bob')
    const { body } = await bob.get('/site/3/frames')
    expect(body).toMatchObject({ success: true, site_id: 3, total: 0, frames: [] })
  })
})

describe('GET /frames/{ref}', () => {
  it('returns the markup, the embedding frames and the pages, by id and by slug', async () => {
    const byId = await frames.send('get', `/frames/${ids.article}`)
    expect(byId.body.frame).toMatchObject({ html: MARKUP.article, referenced_by: [], pages: [7] })
    const bySlug = await frames.send('get', '/frames/ARTICLE')
    expect(bySlug.body).toEqual(byId.body)
    const embedded = await frames.send('get', '/frames/article__faq--simple')
    expect(embedded.body.frame).toMatchObject({
      referenced_by: ['article__faq'],
      pages: [],
      element: 'faq',
      modifier: 'simple',
    })
  })
})

describe('a record that an older endpoint has written without meta', () => {
  const html = '<b data-op-bind="page.title"></b><!-- svc/content /-->'
  const changed = {
    html,
    bytes: Buffer.byteLength(html),
    sha256: createHash('sha256').update(html).digest('hex'),
    inserts: { 'op/content': 1 },
    sources: ['page.content', 'page.title'],
    binds: 1,
    renders_on_request: true,
    updated_at_gmt: '2031-02-03 04:05:06',
  }

  /** Replaces parts of the record as the PHP endpoint does: nothing else is written. */
  async function rewrite(slug: string, parts: Record<string, string>): Promise<void> {
    const { db } = frames.network
    const site = await frames.network.site(2)
    const name = recordOption(ids[slug] ?? '')
    let value = (await readOption(db, site, name)) ?? ''
    for (const [key, part] of Object.entries(parts)) value = setValue(value, [key], encodePhp(part))
    await db.write({}, (tx) => writeOptions(tx, site, [{ name, value }], 'off'))
  }

  it('is reported as stored, even if the meta has the same size or the same markup', async () => {
    const { updated_at_gmt } = changed
    const others = '<dt data-op-bind="page.title">T</dt>'
    expect(Buffer.byteLength(others)).toBe(Buffer.byteLength(MARKUP['article__faq--simple']))
    await rewrite('header', { html, updated_at_gmt })
    await rewrite('article__faq--simple', { html: others })
    await rewrite('articles', { updated_at_gmt })
    const read = async (ref: string) => (await frames.send('get', `/frames/${ref}`)).body.frame
    expect(await read('header')).toMatchObject(changed)
    expect(await read('article__faq--simple')).toMatchObject({
      sha256: createHash('sha256').update(others).digest('hex'),
      sources: ['page.title'],
    })
    expect(await read('articles')).toMatchObject({ updated_at_gmt })
  })

  it('is reported as stored in a list with markup', async () => {
    const { body } = await frames.send('get', '/frames?include_html=1&q=header')
    expect(body.frames).toMatchObject([changed])
  })
})

/** Stores frames of the maximum size with a short statement. */
async function storeLarge(slugs: readonly string[]): Promise<void> {
  const { db } = frames.network
  const site = await frames.network.site(2)
  const record = {
    html: 'x'.repeat(MAX_MARKUP_BYTES),
    slug: '',
    created_at_gmt: ZERO_DATE,
    updated_at_gmt: ZERO_DATE,
    updated_by: 0,
  }
  const meta = JSON.stringify(metaOf(record, analyzeMarkup(record.html)))
  let list = (await readOption(db, site, REGISTRY_OPTION)) ?? ''
  for (const [index, slug] of slugs.entries()) {
    const id = index.toString(16).padStart(16, 'b')
    list = setValue(list, [id], encodePhp(slug))
    await db.sql.raw(
      "INSERT INTO ?? (option_name, option_value, autoload) VALUES (?, REPEAT('x', ?), 'off'), (?, ?, 'off')",
      [site.tables.options, recordOption(id), MAX_MARKUP_BYTES, metaOption(id), meta],
    )
  }
  const value = { name: REGISTRY_OPTION, value: list }
  await db.write({}, (tx) => writeOptions(tx, site, [value], 'off'))
}

/** All pages of a list, as a script reads them for a backup. */
async function readAll(query: string): Promise<{ slug: string; html?: string }[][]> {
  const pages = await pagesOf(async (after) => {
    const { status, body } = await frames.send('get', `/frames?${query}&limit=200&after=${after}`)
    expect(status).toBe(200)
    return body
  })
  return pages.map((page) => page.frames)
}

it('the list of frames is refused as a whole beyond 8 MB of markup, and complete in pages', async () => {
  const slugs = Array.from({ length: 7 }, (_, index) => `big-${index + 10}`)
  await storeLarge(slugs)
  const whole = await frames.send('get', '/frames?include_html=1&q=big')
  expect([whole.status, whole.body.error, whole.body.max_bytes]).toEqual([
    413,
    'list_too_large',
    MAX_LIST_HTML_BYTES,
  ])
  const pages = await readAll('include_html=1&q=big')
  expect(pages.map(({ length }) => length)).toEqual([3, 3, 1])
  const all = pages.flat()
  expect(all.map(({ slug }) => slug)).toEqual(slugs)
  expect(new Set(all.map(({ html }) => html?.length))).toEqual(new Set([MAX_MARKUP_BYTES]))
  expect((await frames.send('get', '/frames?q=big')).body.total).toBe(7)
})

it('the list of frames measures the markup as JSON', async () => {
  const html = '\u0001'.repeat(1024 * 1024)
  for (const slug of ['control-1', 'control-2'])
    await frames.send('post', '/frames', { slug, html, bake: false })
  const pages = await readAll('include_html=1&q=control')
  expect(pages.map((page) => page.map(({ slug, html }) => [slug, html?.length]))).toEqual([
    [['control-1', html.length]],
    [['control-2', html.length]],
  ])
})
