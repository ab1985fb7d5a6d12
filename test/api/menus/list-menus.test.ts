import { describe, expect, it } from 'vitest'
import { useMenusApi } from '../../support/menus-api.ts'
import { truths } from '../../wordpress/truth.ts'

const menus = await useMenusApi()

type Listed = { id: number; slug: string; items: number; assigned: unknown[] }

describe('GET /menus', () => {
  it('lists the menus of the site with their assignments (complete response)', async () => {
    const { status, body } = await menus.send('get', '/menus')
    expect(status).toBe(200)
    expect({ ...body, menus: body.menus.length }).toEqual({
      success: true,
      site_id: 2,
      theme: 'opal',
      locations: ['header', 'footer_1', 'footer_2', 'footer_3'],
      default_lang: 'en',
      read_items_at: '/site/2/data/menu.<location>',
      total: 7,
      menus: 7,
    })
    expect(body.menus[1]).toEqual({
      id: 26,
      name: 'Footer',
      slug: 'footer',
      items: 7,
      assigned: [
        { location: 'footer_1', lang: 'en' },
        { location: 'footer_1', lang: 'fr' },
      ],
    })
    expect(body.menus[5].name).toBe('Unassigned & "odd" – naïve')
  })

  it.each(truths)('agrees with WordPress on site $blog_id', async (truth) => {
    const { body } = await menus.as('admin')('get', `/site/${truth.blog_id}/menus`)
    expect(body.menus.map(({ id, slug, items }: Listed) => ({ id, slug, count: items }))).toEqual(
      truth.menus.map(({ id, slug, count }) => ({ id, slug, count })),
    )
    expect(body.default_lang).toBe(truth.default_lang ?? null)
  })

  it('reads the location map of the theme in the query', async () => {
    const { body } = await menus.send('get', '/menus?theme=other')
    const assigned = Object.fromEntries(
      body.menus.map(({ id, assigned }: Listed) => [id, assigned]),
    )
    expect(body.theme).toBe('other')
    expect(assigned[26]).toEqual([{ location: 'header', lang: null }])
    expect(assigned[23]).toEqual([{ location: 'primary', lang: null }])
    expect(assigned[24]).toEqual([])
    expect((await menus.send('get', '/menus?theme=')).body.theme).toBe('opal')
  })

  it('gives no languages on a site without Polylang', async () => {
    const { body } = await menus.as('bob')('get', '/site/3/menus')
    expect(body.default_lang).toBeNull()
    expect(body.menus[0].assigned).toEqual([{ location: 'header', lang: null }])
  })
})
