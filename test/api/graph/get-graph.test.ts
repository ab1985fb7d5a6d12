import { describe, expect, it } from 'vitest'
import { useFramesApi } from '../../support/frames-api.ts'

const MARKUP = {
  base: '<b data-op-bind="site.title"></b><!-- svc/frame {"name":"gone"} /-->',
  card: '<!-- svc/frame {"name":"base"} /-->',
  layout: '<!-- svc/frame {"name":"card"} /--><!-- svc/frame {"name":"aside"} /-->',
  aside:
    '<!-- svc/data {"source":"dataset.news.title"} /--><!-- svc/menu {"location":"header"} /-->',
  'ring-a': '<!-- svc/frame {"name":"ring-b"} /-->',
  'ring-b': '<!-- svc/frame {"name":"ring-a"} /-->',
}

const ids: Record<string, string> = {}
const frames = await useFramesApi()
for (const [slug, html] of Object.entries(MARKUP)) {
  const { body } = await frames.send('post', '/frames', { slug, html })
  ids[slug] = body.frame.id
}
await frames.send('post', '/frames/layout/assign', { page: 7 })
await frames.send('post', '/frames/card/assign', { page: 10 })

const slugOf = new Map<string, string>()
const nameOf = (key: string): string => {
  for (const [slug, id] of Object.entries(ids)) slugOf.set(`frame:${id}`, slug)
  return slugOf.get(key) ?? key
}

async function read(query = '') {
  const { status, body } = await frames.send('get', `/graph${query}`)
  expect(status).toBe(200)
  type Edge = { from: string; to: string; kind: string }
  return {
    body,
    nodes: body.nodes.map(({ key }: { key: string }) => nameOf(key)).sort(),
    edges: body.edges
      .map(({ from, to, kind }: Edge) => `${nameOf(from)} ${kind} ${nameOf(to)}`)
      .sort(),
  }
}

describe('GET /graph', () => {
  it('shows all frames with what they show and who uses them', async () => {
    const { body, nodes, edges } = await read()
    expect(nodes).toEqual(
      [...Object.keys(MARKUP), 'missing:gone', 'menu:header', 'data:site', 'data:dataset.news']
        .concat(['page:7', 'page:10'])
        .sort(),
    )
    expect(edges).toEqual([
      'aside reads data:dataset.news',
      'aside shows menu:header',
      'base embeds missing:gone',
      'base reads data:site',
      'card embeds base',
      'layout embeds aside',
      'layout embeds card',
      'page:10 uses card',
      'page:7 uses layout',
      'ring-a embeds ring-b',
      'ring-b embeds ring-a',
    ])
    expect(body).toMatchObject({
      frame: null,
      impact: null,
      truncated: false,
      totals: { frames: 6, pages: 2 },
    })
    const menu = body.nodes.find(({ kind }: { kind: string }) => kind === 'menu')
    expect(menu.menus.map(({ lang }: { lang: string }) => lang)).toContain('en')
    const page = body.nodes.find(({ key }: { key: string }) => key === 'page:7')
    const stored = await frames.send('get', '/data/pages')
    expect(page).toMatchObject({ id: 7, status: 'publish' })
    expect(stored.body.items).toContainEqual(
      expect.objectContaining({ id: 7, title: page.title, url: page.url }),
    )
  })

  it('shows the frames around one, by id or slug', async () => {
    const { body, nodes } = await read('?frame=card')
    expect(nodes).toEqual(
      ['base', 'card', 'layout', 'data:site', 'missing:gone', 'page:10', 'page:7'].sort(),
    )
    expect(body.frame).toEqual({ id: ids.card, slug: 'card' })
    expect((await read(`?frame=${ids.card}`)).body).toEqual(body)
    expect((await read('?frame=ring-a')).nodes).toEqual(['ring-a', 'ring-b'])
  })

  it('foretells what a change touches', async () => {
    const { body } = await read('?frame=base')
    const { change } = body.impact
    expect(change).toMatchObject({ frames_total: 2, pages_total: 2 })
    const { body: written } = await frames.send('put', '/frames/base', {
      html: `${MARKUP.base}<p>more</p>`,
    })
    const names = ({ slug, because }: { slug: string; because: string[] }) => ({ slug, because })
    expect(written.rebaked.frames.map(names)).toEqual(change.frames.map(names))
    expect([...written.rebaked.cache.pages].sort()).toEqual(
      change.pages.map(({ id }: { id: number }) => id).sort(),
    )
  })

  it('foretells only pages that are published again', async () => {
    // A draft, a private page, and one in the trash.
    for (const page of [19, 20, 23]) await frames.send('post', '/frames/base/assign', { page })
    const { change, deletion } = (await read('?frame=base')).body.impact
    const { body: foretold } = await frames.send('post', '/frames/rebake', {
      frames: ['base'],
      dry_run: true,
    })
    for (const impact of [change, foretold.impact]) expect(impact.pages_total).toBe(2)
    const { body: written } = await frames.send('put', '/frames/base', {
      html: `${MARKUP.base}<p>other</p>`,
    })
    expect([...written.rebaked.cache.pages].sort()).toEqual(
      change.pages.map(({ id }: { id: number }) => id).sort(),
    )
    expect(deletion.pages_total).toBe(3)
    for (const page of [19, 20, 23])
      await frames.send('post', '/frames/base/assign', { page, clear: true })
  })

  it('foretells what a deletion breaks', async () => {
    const { body } = await read('?frame=card')
    const { deletion } = body.impact
    expect(deletion).toMatchObject({
      embedders: [{ id: ids.layout, slug: 'layout' }],
      embedders_total: 1,
      pages_total: 1,
    })
    const { body: deleted } = await frames.send('delete', '/frames/card')
    expect(deleted.referenced_by).toEqual(['layout'])
    expect(deleted.unbound_pages).toEqual(deletion.pages.map(({ id }: { id: number }) => id))
    const { nodes } = await read('?frame=layout')
    expect(nodes).toContain('missing:card')
    const made = await frames.send('post', '/frames', { slug: 'card', html: MARKUP.card })
    ids.card = made.body.frame.id
  })
})
