import { describe, expect, it } from 'vitest'
import { MAX_UNSAVED } from '../../../src/api/endpoints/preview.ts'
import { issueTokenFor, startApi, useApi } from '../../support/api.ts'
import type { Answer } from '../../support/frames-api.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { use } from '../../support/use.ts'

const ABOUT = 7

const { network, api } = await useApi()
const { executor } = api
const shop = createSiteFixture(network.db, await network.site(2), { executor })
await shop.frame('part', '<p>stored</p>')
await shop.frame('page', '<h1 data-op-bind="page.title"></h1><!-- svc/frame {"name":"part"} /-->')
await shop.frame('other', 'other')
// About us and its translations, a draft, a private page, and one in the trash.
await shop.assign('page', [ABOUT, 8, 9, 19, 20, 23])

const preview = async (body: object, login = 'alice'): Promise<Answer> => {
  const agent = await api.as(login)
  return agent.post('/site/2/preview').send({ page: ABOUT, ...body })
}
const part = (html: string) => ({ frames: [{ slug: 'part', html }] })

describe('POST /preview', () => {
  it('shows the page with an embedded frame that is not saved, and what it affects', async () => {
    const { status, body } = await preview(part('<p>new</p>'))
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({
      success: true,
      site_id: 2,
      html: '<h1>About us</h1><p>new</p>',
      warnings: [],
      unresolved: [],
      menus: [],
      page: { id: ABOUT, path: 'about-us', lang: 'en', status: 'publish', title: 'About us' },
      frame: { slug: 'page' },
      affected_frames: {
        total: 2,
        items: [
          { slug: 'page', because: ['frame:part'] },
          { slug: 'part', because: ['unsaved'] },
        ],
      },
    })
    const { affected_pages: pages } = body
    // Nobody builds drafts, private pages, and pages in the trash.
    expect(pages.total).toBe(3)
    expect(pages.items.map(({ id, lang }: { id: number; lang: string }) => [id, lang])).toEqual([
      [ABOUT, 'en'],
      [8, 'fr'],
      [9, 'de'],
    ])
    expect(await executor.renderById(shop.site, ABOUT)).toContain('<p>stored</p>')
  })

  it('reports the markup of a frame like its write, and the binds of the page with their frame', async () => {
    const html =
      '<p data-op-bind="page.excerpt">x</p><!-- svc/nothing /--><!-- svc/frame {"name":"later"} /-->'
    const frames = [
      { slug: 'part', html },
      {
        slug: 'later',
        html: '<i data-op-bind="dataset.none.title">y</i><!-- svc/frame {"name":"part"} /-->',
      },
    ]
    const { body } = await preview({ frames })
    const agent = await api.as('alice')
    const written = await agent.put('/site/2/frames/part').send({ html, dry_run: true })
    const { success: _, ...single } = written.body
    const times = { frame: expect.anything() }
    // The embedded frame is among the unsaved ones.
    expect(body.frames[0]).toEqual({
      ...single,
      ...times,
      frame_refs: ['later'],
      frame_refs_missing: [],
    })
    expect(body.unresolved).toEqual([
      { frame: 'later', bind: 'dataset.none.title', reason: 'unknown_name', line: 1, column: 1 },
      { frame: 'part', bind: 'page.excerpt', reason: 'no_value', line: 1, column: 1 },
    ])
    expect(body.frames[0].warnings).toEqual([expect.stringContaining('svc/nothing')])
    // They embed one another.
    expect(body.warnings).toEqual([expect.stringContaining('part')])
  })

  it('counts a page that gets another frame among the affected ones, unless visitors do not see it', async () => {
    const affected = async (page: number) =>
      (await preview({ page, assign: 'other' })).body.affected_pages
    expect(await affected(ABOUT)).toMatchObject({ total: 1, items: [{ id: ABOUT }] })
    expect(await affected(19)).toEqual({ total: 0, items: [] })
  })

  it('shows the translation in a language, and pages that only editors see', async () => {
    for (const page of [ABOUT, 'about-us']) {
      const { body } = await preview({ page, lang: 'fr' })
      expect(body.page).toMatchObject({ id: 8, lang: 'fr' })
    }
    for (const [page, status] of [
      [19, 'draft'],
      [20, 'private'],
    ]) {
      const { body } = await preview({ page, ...part('seen') })
      expect([body.page.status, body.html]).toEqual([status, expect.stringContaining('seen')])
      expect(await executor.renderById(shop.site, Number(page))).toBeUndefined()
    }
  })

  it('shows the front page for /, in each language', async () => {
    for (const [lang, id] of [
      ['en', 3],
      ['ar', 6],
    ]) {
      const { body } = await preview({ page: '/', lang, assign: 'other' })
      expect(body).toMatchObject({ page: { id, lang }, html: 'other' })
    }
  })

  it('names the unsaved data set with an error', async () => {
    const { body } = await preview({ datasets: [{ name: 'a b', value: 1 }, { name: 'c' }] })
    expect(Object.keys(body.data.params)).toEqual(['datasets.0.name', 'datasets.1.value'])
  })

  it('takes only so many unsaved things', async () => {
    const frames = Array.from({ length: MAX_UNSAVED + 1 }, (_, n) => ({
      slug: `f${n}`,
      html: '<i></i>',
    }))
    expect((await preview({ frames })).body.code).toBe('rest_invalid_param')
    expect((await preview({ frames: frames.slice(1) })).body.code).toBeUndefined()
  })

  it('needs the scope read, and for frames the right to write markup', async () => {
    const limits = { scope: 'read', sites: null } as const
    const token = await issueTokenFor(network, 'admin', { limits })
    const agent = (await api.as()).set('Authorization', `Bearer ${token}`)
    const sent = { page: ABOUT, ...part('read') }
    expect((await agent.post('/site/2/preview').send(sent)).body.html).toContain('read')
    const strict = await use(startApi(network, { markupWriters: 'super-admins' }))
    const alice = await strict.as('alice')
    const refused = await alice.post('/site/2/preview').send(sent)
    expect(refused.body).toMatchObject({
      error: 'unfiltered_html_required',
      unsaved: 'frames[0]',
    })
    expect((await alice.post('/site/2/preview').send({ page: ABOUT })).status).toBe(200)
  })

  it('builds in this process, also with an executor in another one', async () => {
    const away = () => Promise.reject(new Error('no remote executor'))
    const remote = await use(
      startApi(network, {
        executor: { apply: away, rebake: away, render: away },
      }),
    )
    const large = `<p>${'large '.repeat(20_000)}</p>`
    const { body } = await (await remote.as('alice'))
      .post('/site/2/preview')
      .send({ page: ABOUT, ...part(large) })
    expect(body.html).toContain(large)
  })
})
