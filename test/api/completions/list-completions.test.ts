import { describe, expect, it } from 'vitest'
import { MAX_COMPLETIONS } from '../../../src/api/endpoints/pages.ts'
import { recordOption } from '../../../src/content/frames/option-names.ts'
import { INSERTS } from '../../../src/content/markup/inserts/all-inserts.ts'
import { listClasses } from '../../../src/content/markup/list-classes.ts'
import { useApi } from '../../support/api.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'

const { network, api } = await useApi()
const shop = createSiteFixture(network.db, await network.site(2))
await shop.frame('card', `<div class="card card--wide">x</div><b class='card'></b><i class=bare>`)
await shop.frame('broken', '<p class="of-broken"></p>')
await shop.setOption('svc_data_news', '[]')

const complete = async (login = 'alice', site = 2) => {
  const agent = await api.as(login)
  return agent.get(`/site/${site}/completions`)
}

describe('GET /completions', () => {
  it('lists the inserts of the language with their parameters', async () => {
    const { status, body } = await complete()
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.bind_attribute).toBe('data-op-bind')
    expect(body.inserts.map(({ kind }: { kind: string }) => kind)).toEqual(
      INSERTS.map(({ kinds }) => kinds[0]),
    )
    expect(body.inserts).toContainEqual({
      kind: 'frame',
      aliases: ['partial'],
      parameters: [{ name: 'name', value: 'frame', description: expect.any(String) }],
      passes_properties: true,
      has_body: false,
    })
    const withBody = body.inserts.filter(({ has_body }: { has_body: boolean }) => has_body)
    expect(withBody.map(({ kind }: { kind: string }) => kind)).toEqual(['repeat'])
  })

  it('lists names of the site: value paths, locations, menus, languages, and the most frequent classes first', async () => {
    const { body } = await complete()
    expect(body).toMatchObject({ success: true, site_id: 2, truncated: false })
    expect(body.paths).toEqual(
      expect.arrayContaining([
        'site.title',
        'settings.date_format',
        'page.title',
        'item.title',
        'languages',
        'menu.header',
        'dataset.news',
      ]),
    )
    expect(body.locations).toContain('footer_1')
    expect(body.menus).toContainEqual(expect.objectContaining({ slug: 'main-menu' }))
    expect(body.languages).toEqual(['en', 'fr', 'de', 'ar'])
    expect(body.classes).toEqual(['card', 'of-broken', 'card--wide', 'bare'])
  })

  it('knows of one site only', async () => {
    const { body } = await complete('admin', 1)
    expect(body.classes).toEqual([])
    expect(body.paths).not.toContain('dataset.news')
    expect((await complete('alice', 1)).status).toBe(404)
  })

  it('leaves out what is too much, and says so', async () => {
    const classes = Array.from({ length: MAX_COMPLETIONS + 1 }, (_, at) => `c${at}`).join(' ')
    await shop.frame('many', `<b class="${classes}"></b>`)
    const { body } = await complete()
    expect(body.truncated).toBe(true)
    expect(body.classes).toHaveLength(MAX_COMPLETIONS)
  })

  it('leaves out the classes of a frame that cannot be read', async () => {
    const [broken] = (await (await api.as('alice')).get('/site/2/frames?q=broken')).body.frames
    await shop.setOption(recordOption(broken.id), 'a:1:{damaged')
    const { status, body } = await complete()
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.classes).toContain('card')
    expect(body.classes).not.toContain('of-broken')
  })
})

it('classes of markup are no parts of inserts or templates', () => {
  const html = `<a class="one <!-- svc/data {"source":"x"} /--> two {{three}}" CLASS = 'four
    five' data-class="six" class=seven>`
  const found = [...listClasses(html)].flat()
  expect(found).toEqual(expect.arrayContaining(['one', 'four', 'five', 'seven']))
  expect(found.filter((name) => /[<{"]/.test(name))).toEqual([])
})

describe('classes of large markup', () => {
  /** Longer than what is looked through at once. */
  const names = Array.from({ length: 40_000 }, (_, at) => `name-${at}`)

  it.each([
    ['one attribute', `<b class="${names.join(' ')}">`],
    ['one without quotes', `<b class=${names[7]} class='${names.join('\n')}'`],
    ['many attributes', names.map((name) => `<b class="${name}">`).join('')],
    ['one tag', `<b ${names.map((name) => `class='${name}'`).join(' ')}>`],
  ])('are listed a few at a time, each of them whole: %s', (_, html) => {
    const lists = [...listClasses(html)]
    expect(new Set(lists.flat())).toEqual(new Set(names))
    expect(Math.max(...lists.map(({ length }) => length))).toBeLessThanOrEqual(500)
  })

  it('are counted as often as they occur', async () => {
    const often = (name: string, times: number) => Array(times).fill(name)
    const list = [...names.slice(0, 9000), ...often('twice', 2), ...often('thrice', 3)]
    const more = [...often('most', 5), 'twice', 'twice', ...names.slice(9000)]
    const other = createSiteFixture(network.db, await network.site(3))
    await other.frame('first', `<b class="${list.join(' ')}">`)
    await other.frame('second', `<b class="${more.join(' ')}">`)
    const { body } = await complete('admin', 3)
    expect(body.classes.slice(0, 3)).toEqual(['most', 'twice', 'thrice'])
    expect(body.classes).toHaveLength(MAX_COMPLETIONS)
    expect(body.truncated).toBe(true)
  })
})
