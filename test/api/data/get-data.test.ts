import { describe, expect, it } from 'vitest'
import { encodePhp, setValue } from '#php-serialized'
import { useMenusApi } from '../../support/menus-api.ts'
import { setOption } from '../../support/network.ts'
import { renderedMenus, truths } from '../../wordpress/truth.ts'

const menus = await useMenusApi()
const { send } = menus

type Row = { id: number; title: string; url: string; children: Row[] }
const flat = (rows: readonly Row[]): Row[] => rows.flatMap((row) => [row, ...flat(row.children)])

const storeDataset = (name: string, value: string) =>
  setOption(menus.network, 2, `svc_data_${name}`, value)

describe('GET /data/menu.<location>', () => {
  it('returns the menu that visitors see, as a complete tree', async () => {
    const { status, body } = await send('get', '/data/menu.header?lang=de')
    expect(status).toBe(200)
    expect({ ...body, items: body.items.length }).toEqual({
      success: true,
      site_id: 2,
      source: 'menu.header',
      lang: 'de',
      menu: { id: 25, name: 'Hauptmenü', slug: 'hauptmenu' },
      total: 6,
      items: 4,
    })
    expect(body.items[0]).toEqual({
      id: 39,
      title: 'Startseite',
      url: 'http://net.test/shop/de/startseite/',
      type: 'post_type',
      page: 5,
      target: '',
      classes: '',
      children: [],
    })
    expect(body.items[2]).toMatchObject({
      type: 'custom',
      page: null,
      target: '_blank',
      classes: 'one two',
      children: [{ title: 'Relative' }, { title: 'Anchor' }],
    })
    expect(body.items[3]).toMatchObject({ type: 'taxonomy', page: null })
  })

  it('uses the default language without lang; returns null if no menu is assigned', async () => {
    expect((await send('get', '/data/menu.header')).body).toMatchObject({
      lang: 'en',
      menu: { id: 23 },
    })
    expect((await send('get', '/data/menu.footer_2')).body).toMatchObject({
      menu: null,
      total: 0,
      items: [],
    })
    const monolingual = await menus.as('bob')('get', '/site/3/data/menu.header')
    expect(monolingual.body).toMatchObject({ lang: null, menu: { id: 4 } })
  })

  it('has the items that wp_nav_menu prints, at every location and in every language', async () => {
    const seen = new Set<string>()
    for (const [address, { lang, locations }] of Object.entries(renderedMenus)) {
      if (!address.startsWith('http://net.test/shop/')) continue
      for (const [location, html] of Object.entries(locations)) {
        if (seen.has(`${lang} ${location}`)) continue
        seen.add(`${lang} ${location}`)
        const { body } = await send('get', `/data/menu.${location}?lang=${lang}`)
        const printed = [...html.matchAll(/id="menu-item-(\d+)"/g)].map(([, id]) => Number(id))
        expect([location, lang, flat(body.items).map(({ id }) => id)]).toEqual([
          location,
          lang,
          printed,
        ])
        expect(body.total).toBe(printed.length)
      }
    }
    expect(seen.size).toBeGreaterThan(4)
  })
})

describe('GET /data/<source>', () => {
  const shop = truths.find(({ blog_id }) => blog_id === 2)

  it('returns site and site.<field>', async () => {
    const { body } = await send('get', '/data/site?lang=ar')
    expect(body).toEqual({
      success: true,
      site_id: 2,
      source: 'site',
      lang: 'ar',
      value: {
        id: 2,
        title: 'shop',
        description: '',
        url: shop?.languages?.find(({ slug }) => slug === 'ar')?.home_url,
        home: 'http://net.test/shop',
        domain: 'net.test',
        lang: 'ar',
        locale: 'ar',
        language_tag: 'ar',
        rtl: true,
        dir: 'rtl',
        robots: 'noindex, nofollow',
      },
    })
    expect((await send('get', '/data/site.title')).body.value).toBe('shop')
  })

  it('returns settings and settings.<name>, but no secret option', async () => {
    const { body } = await send('get', '/data/settings')
    expect(body.value).toMatchObject({ blogname: 'shop', permalink_structure: '/%postname%/' })
    expect((await send('get', '/data/settings.blogname')).body.value).toBe('shop')
    for (const secret of ['admin_email', 'mailserver_pass', 'auth_key']) {
      expect(body.value[secret]).toBeUndefined()
      expect((await send('get', `/data/settings.${secret}`)).status).toBe(404)
    }
  })

  it('returns the published pages of a language, and pages without a language', async () => {
    const { body } = await send('get', '/data/pages?lang=fr')
    const expected = shop?.pages.filter(
      ({ status, lang }) => status === 'publish' && (lang === 'fr' || lang === null),
    )
    const withoutProtected = expected?.filter(({ title }) => !/password/i.test(title))
    const ordered: number[] = await menus.network.db
      .sql(menus.site.tables.posts)
      .whereIn('ID', withoutProtected?.map(({ id }) => id) ?? [])
      .orderBy(['menu_order', 'post_title', 'ID'])
      .pluck('ID')
    expect(body.items.map(({ id }: Row) => id)).toEqual(ordered)
    expect(body.total).toBe(body.items.length)
  })

  it('returns languages', async () => {
    const { body } = await send('get', '/data/languages')
    expect(body.items).toEqual(
      shop?.languages?.map(({ slug, locale, name, rtl, home_url }) => ({
        slug,
        locale,
        name,
        rtl,
        url: home_url,
      })),
    )
    expect((await menus.as('bob')('get', '/site/3/data/languages')).body).toMatchObject({
      total: 0,
      items: [],
    })
  })

  it('leaves out languages that Polylang Pro has deactivated', async () => {
    const { terms, termTaxonomy } = menus.site.tables
    const row = menus.network.db
      .sql(termTaxonomy)
      .where({ taxonomy: 'language' })
      .whereIn('term_id', menus.network.db.sql(terms).where({ slug: 'de' }).select('term_id'))
    const { description } = await row.clone().first('description')
    const off = setValue(description, ['active'], encodePhp(false))
    await row.clone().update({ description: off })
    const { body } = await send('get', '/data/languages')
    expect(JSON.stringify(body.items)).not.toContain('"de"')
    expect(body.total).toBe((shop?.languages?.length ?? 0) - 1)
    await row.clone().update({ description })
  })

  it('includes languages without content, which switchers leave out', async () => {
    const { termTaxonomy, terms } = menus.site.tables
    const { sql } = menus.network.db
    const row = sql(termTaxonomy)
      .where({ taxonomy: 'language' })
      .whereIn('term_id', sql(terms).where({ slug: 'ar' }).select('term_id'))
    const { count } = await row.clone().first('count')
    await row.clone().update({ count: 0 })
    const { body } = await send('get', '/data/languages')
    expect(
      body.items.map(({ slug, empty }: { slug: string; empty?: true }) => [slug, empty]),
    ).toEqual(shop?.languages?.map(({ slug }) => [slug, slug === 'ar' ? true : undefined]))
    await row.clone().update({ count })
  })

  it('returns dataset.<name> from JSON or PHP, and paths into it', async () => {
    await storeDataset('prices', JSON.stringify({ currency: 'EUR', plans: [{ name: 'One' }] }))
    await storeDataset('team', encodePhp([{ name: 'Ann' }, { name: 'Bob' }]))
    expect((await send('get', '/data/dataset.prices')).body.value).toEqual({
      currency: 'EUR',
      plans: [{ name: 'One' }],
    })
    expect((await send('get', '/data/dataset.prices.plans')).body).toMatchObject({
      total: 1,
      items: [{ name: 'One' }],
    })
    expect((await send('get', '/data/dataset.prices.plans.0.name')).body.value).toBe('One')
    expect((await send('get', '/data/dataset.team')).body).toMatchObject({
      source: 'dataset.team',
      total: 2,
      items: [{ name: 'Ann' }, { name: 'Bob' }],
    })
  })

  it.each([
    'dataset.none',
    'dataset',
    'dataset.prices.none',
    'dataset.__proto__',
    'menu',
    'menu.a.b',
    'site.none',
    'site.constructor',
    'page.title',
    'props.x',
    'item',
    'nothing',
    '..',
    'options.siteurl',
  ])('rejects %s: unknown_source', async (source) => {
    const { status, body } = await send('get', `/data/${encodeURIComponent(source)}`)
    expect([status, body.error]).toEqual([404, 'unknown_source'])
  })
})
