import { describe, expect, it } from 'vitest'
import { useFramesApi } from '../../support/frames-api.ts'

const slugs = (list: { slug: string }[]) => list.map(({ slug }) => slug)

const frames = await useFramesApi()
const markup = {
  menu: '<!-- svc/menu {"location":"header"} /-->',
  'menu-outer': '<!-- svc/frame {"name":"menu"} /-->',
  pages:
    '<!-- svc/repeat {"source":"pages"} --><i data-op-bind="item.title"></i><!-- /svc/repeat -->',
  languages: '<!-- svc/repeat {"source":"languages"} -->x<!-- /svc/repeat -->',
  settings: '<!-- svc/data {"source":"settings.blogname"} /-->',
  news: '<!-- svc/data {"source":"dataset.news.title"} /-->',
  plain: '<p>nothing</p>',
}
for (const [slug, html] of Object.entries(markup)) {
  await frames.send('post', '/frames', { slug, html })
}

describe('POST /frames/rebake', () => {
  it.each([
    [{ menus: true }, ['menu', 'menu-outer']],
    [{ languages: true }, ['languages', 'menu', 'menu-outer', 'pages']],
    [{ settings: true }, ['languages', 'menu', 'menu-outer', 'pages', 'settings']],
    [{ datasets: ['news'] }, ['news']],
    [{ datasets: ['other'] }, []],
    [{ frames: ['menu'] }, ['menu-outer']],
    [{ all: true }, ['languages', 'menu', 'menu-outer', 'news', 'pages', 'plain', 'settings']],
  ])('%j selects %j', async (body, expected) => {
    const { status, body: answer } = await frames.send('post', '/frames/rebake', body)
    expect(status).toBe(200)
    expect(answer).toMatchObject({
      success: true,
      site_id: 2,
      changed: body,
      rebaked: { total: expected.length },
    })
    expect(slugs(answer.rebaked.frames)).toEqual(expected)
  })

  it('foretells in a dry run what it would select, and builds nothing', async () => {
    await frames.send('post', '/frames/menu-outer/assign', { page: 7, bake: false })
    const body = { menus: true, dry_run: true }
    const { status, body: answer } = await frames.send('post', '/frames/rebake', body)
    expect(status).toBe(200)
    expect(answer).toMatchObject({
      changed: { menus: true },
      dry_run: true,
      impact: {
        frames_total: 2,
        frames: [
          { slug: 'menu', because: ['menus'] },
          { slug: 'menu-outer', because: ['frame:menu'] },
        ],
        pages_total: 1,
        pages: [{ id: 7, status: 'publish' }],
      },
    })
    expect(answer).not.toHaveProperty('rebaked')
    const { body: pages } = await frames.send('get', '/pages?frame=menu-outer')
    expect(pages.pages).toMatchObject([{ id: 7, static: { state: 'none' } }])
    const built = await frames.send('post', '/frames/rebake', { menus: true })
    expect(built.body.rebaked.cache.pages).toEqual([7])
    await frames.send('post', '/frames/menu-outer/assign', { page: 7, clear: true })
  })

  it('builds 25 frames per call and lists the others as skipped', async () => {
    for (let index = 10; index < 30; index += 1) {
      await frames.send('post', '/frames', { slug: `more-${index}`, html: 'x', bake: false })
    }
    const { body } = await frames.send('post', '/frames/rebake', { all: true })
    expect(body.rebaked.frames).toHaveLength(25)
    expect(body.rebaked.skipped).toEqual(['plain', 'settings'])
    const { body: other } = await frames.send('post', '/frames/rebake', { settings: true })
    expect(other.rebaked.skipped ?? []).toEqual([])
    const { body: next } = await frames.send('post', '/frames/rebake', { all: true })
    expect([slugs(next.rebaked.frames), next.rebaked.skipped]).toEqual([['plain', 'settings'], []])
  })
})
