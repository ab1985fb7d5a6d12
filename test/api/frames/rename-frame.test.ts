import { describe, expect, it } from 'vitest'
import { useFramesApi } from '../../support/frames-api.ts'

const frames = await useFramesApi()
const { send } = frames
const make = async (slug: string, html = '<p>x</p>') =>
  (await send('post', '/frames', { slug, html })).body.frame
const markupOf = async (ref: string) => (await send('get', `/frames/${ref}`)).body.frame.html

describe('PATCH /frames/{ref}', () => {
  it('rewrites the inserts of all other frames and no other byte', async () => {
    const { id } = await make('old-name')
    const around =
      '\uFEFF<p title="svc/frame old-name">\r\n\t<script>"<!-- svc/frame {\\"name\\":\\"old-name\\"} /-->"</script>'
    const before = {
      'by-name': `${around}<!--  svc/frame  { "name" : "old-name" , "n":1.50, "s":"\\u00e9" }  /-->`,
      'by-id': `${around}<!-- svc/frame {"id":"${id}"} /-->`,
      'in-repeat': `${around}<!-- svc/repeat {"source":"pages","frame":"old-name"} /-->`,
      unrelated: `${around}<!-- svc/frame {"name":"old-name-2"} /-->`,
    }
    for (const [slug, html] of Object.entries(before)) await make(slug, html)
    const { status, body } = await send('patch', '/frames/old-name', { slug: 'New-Name' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      site_id: 2,
      frame: { id, slug: 'new-name' },
      renamed: {
        from: 'old-name',
        to: 'new-name',
        frames_updated: ['by-name', 'in-repeat'],
        details: [
          { slug: 'by-name', replaced: 1 },
          { slug: 'in-repeat', replaced: 1 },
        ],
      },
      bake: { status: 'ok' },
      rebaked: { status: 'ok', total: 3 },
    })
    expect(await markupOf('by-name')).toBe(
      `${around}<!--  svc/frame  { "name" : "new-name" , "n":1.50, "s":"\\u00e9" }  /-->`,
    )
    expect(await markupOf('in-repeat')).toBe(
      `${around}<!-- svc/repeat {"source":"pages","frame":"new-name"} /-->`,
    )
    for (const slug of ['by-id', 'unrelated'] as const)
      expect(await markupOf(slug)).toBe(before[slug])
    expect((await send('get', '/frames/old-name')).status).toBe(404)
  })

  it('keeps the pages of the frame, which reference it by id', async () => {
    const { id } = await make('standing')
    await send('post', '/frames/standing/assign', { page: 9 })
    const { body } = await send('patch', '/frames/standing', { slug: 'still-standing' })
    expect(body.frame.id).toBe(id)
    expect((await send('get', `/frames/${id}`)).body.frame.pages).toEqual([9])
  })

  it('does not list a frame that embeds itself as rewritten', async () => {
    const html = '<!-- svc/frame {"name":"ouroboros"} /-->'
    await make('ouroboros', html)
    const { body } = await send('patch', '/frames/ouroboros', { slug: 'snake' })
    expect(body.renamed).toMatchObject({ frames_updated: [], details: [] })
    expect(await markupOf('snake')).toBe(html)
  })
})
