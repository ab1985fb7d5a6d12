import { describe, expect, it } from 'vitest'
import { useFramesApi } from '../../support/frames-api.ts'

const frames = await useFramesApi()
const { send } = frames
const html = '<p>x</p>'
let count = 0
const freshSlug = (): string => {
  count += 1
  return `fresh-${count}`
}

describe('POST /frames', () => {
  it('creates a frame and returns the complete report on its markup', async () => {
    const markup =
      '<!doctype html><body><p data-op-bind="page.title; class:site.lang"></p>\n<!-- svc/menu {"location":"header"} /--><!-- svc/frame {"name":"gone"} /--><!-- svc/nope /--></body>'
    const { status, body } = await send('post', '/frames', {
      slug: 'Layout__Main--Wide',
      html: markup,
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      applied: true,
      updated: false,
      site_id: 2,
      frame: expect.objectContaining({
        slug: 'layout__main--wide',
        block: 'layout',
        element: 'main',
        modifier: 'wide',
        updated_by: 2,
      }),
      inserts: { 'op/frame': 1, 'op/menu': 1 },
      inserts_total: 2,
      sources: ['menu.header', 'page.title', 'site.lang'],
      frame_refs: ['gone'],
      frame_refs_missing: ['gone'],
      binds: 2,
      renders_on_request: true,
      live_reasons: ['page.title'],
      has_doctype: true,
      has_body: true,
      warnings: ['slug_changed', expect.stringMatching(/^Line 2, column \d+: .*svc\/nope/)],
      bake: {
        status: 'ok',
        response: expect.objectContaining({ frame_id: body.frame.id, renders_on_request: true }),
      },
      rebaked: expect.objectContaining({ status: 'ok', total: 0, frames: [] }),
      republish: expect.anything(),
    })
  })

  it.each([
    [{ html: '', markup: 'm' }, 'm', []],
    [{ html: null, markup: '', content: 'c' }, 'c', []],
    [{ html: 'h', markup: 'h', content: 'h' }, 'h', []],
    [{ html: 'h', markup: 'm' }, 'h', ['markup_ignored']],
    [{ markup: 'm', content: 'c' }, 'm', ['content_ignored']],
    [{ html: 'h', markup: ['m'], content: 'c' }, 'h', ['markup_ignored', 'content_ignored']],
  ])('stores the first name of the markup that holds text: %j', async (named, stored, warnings) => {
    const { body } = await send('post', '/frames', { slug: freshSlug(), ...named })
    expect(body.warnings).toEqual(warnings)
    expect((await send('get', `/frames/${body.frame.id}`)).body.frame.html).toBe(stored)
  })

  it.each([
    '',
    'a_b',
    '-a',
    'a-',
    'a--b--c',
    'a__b__c',
    'ä',
    'a b',
    '\u212Aelvin',
    'a\n',
    'x'.repeat(201),
    7,
    null,
    ['a'],
    { a: 1 },
    undefined,
  ])('rejects the slug %j: 400 invalid_slug with pattern and hint', async (slug) => {
    const { status, body } = await send('post', '/frames', { slug, html })
    expect([status, body.error]).toEqual([400, 'invalid_slug'])
    expect(body).toMatchObject({
      success: false,
      pattern: expect.any(String),
      hint: expect.any(String),
    })
  })

  it('rejects a slug in use: 409 slug_taken with the id of its frame', async () => {
    const slug = freshSlug()
    const { body: holder } = await send('post', '/frames', { slug, html })
    const { status, body } = await send('post', '/frames', { slug: slug.toUpperCase(), html })
    expect([status, body.error, body.id]).toEqual([409, 'slug_taken', holder.frame.id])
  })

  it('accepts 2 MB of UTF-8 and rejects one byte more: 413 frame_too_large with max_bytes', async () => {
    const most = 'é'.repeat(1024 * 1024)
    expect(
      (await send('post', '/frames', { slug: freshSlug(), html: most, bake: false })).status,
    ).toBe(200)
    const { status, body } = await send('post', '/frames', { slug: freshSlug(), html: `${most}x` })
    expect([status, body.error, body.max_bytes]).toEqual([413, 'frame_too_large', 2_097_152])
  })

  it.each([
    ['NUL, CR LF and a BOM', '\uFEFF<p>a\u0000b\r\n\tc</p>\r'],
    ['4-byte characters', '<p>😀 \u{1F469}\u200D\u{1F680} \u{10FFFF}</p>'],
    ['backslashes and quotes', String.raw`\\ \' \" \0 \n %s ' " ; --`],
    ['what looks serialized', 'a:1:{s:1:"x";s:3:"abc";}'],
    ['what looks like JSON', '{"html":"other"}'],
    ['every kind of space', ' \t\n\u00a0\u2028\u2029\u3000 '],
  ])('returns markup byte for byte: %s', async (_name, markup) => {
    const slug = freshSlug()
    const { body } = await send('post', '/frames', { slug, html: markup })
    expect(body.frame.bytes).toBe(Buffer.byteLength(markup))
    expect((await send('get', `/frames/${slug}`)).body.frame.html).toBe(markup)
  })

  it('accepts a slug of 200 characters', async () => {
    const most = 'a'.repeat(200)
    expect((await send('post', '/frames', { slug: most, html })).body.frame.slug).toBe(most)
  })
})

describe('PUT /frames/{ref}', () => {
  it('replaces the markup, keeps id and creation date, and rebakes the embedding frames', async () => {
    const [inner, middle, outer] = [freshSlug(), freshSlug(), freshSlug()]
    const embed = (slug: string) => `<!-- svc/frame {"name":"${slug}"} /-->`
    const { body: made } = await send('post', '/frames', { slug: inner, html: 'old' })
    await send('post', '/frames', { slug: middle, html: embed(inner) })
    await send('post', '/frames', { slug: outer, html: embed(middle) })
    const { status, body } = await send('put', `/frames/${inner}`, { html: 'new' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      applied: true,
      updated: true,
      frame: {
        id: made.frame.id,
        slug: inner,
        bytes: 3,
        created_at_gmt: made.frame.created_at_gmt,
      },
      bake: { status: 'ok', response: { baked: true } },
      rebaked: { status: 'ok', total: 2, baked: 2 },
    })
    expect(body.rebaked.frames.map((frame: { slug: string }) => frame.slug)).toEqual(
      [middle, outer].sort(),
    )
    expect(body).not.toHaveProperty('renamed')
  })

  it('renames the frame with another slug', async () => {
    const [from, to, embedder] = [freshSlug(), freshSlug(), freshSlug()]
    await send('post', '/frames', { slug: from, html })
    await send('post', '/frames', { slug: embedder, html: `<!-- svc/frame {"ref":"${from}"} /-->` })
    const { body } = await send('put', `/frames/${from}`, { html: 'new', slug: to })
    expect(body).toMatchObject({
      frame: { slug: to },
      renamed: { from, to, frames_updated: [embedder] },
    })
    const { body: rewritten } = await send('get', `/frames/${embedder}`)
    expect(rewritten.frame.html).toBe(`<!-- svc/frame {"name":"${to}"} /-->`)
  })
})
