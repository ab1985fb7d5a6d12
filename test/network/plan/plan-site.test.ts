import { describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { encodeRecord } from '../../../src/content/frames/record.ts'
import type { ItemTree } from '../../../src/content/menus/item-tree.ts'
import { menuIdAt, readLocationMaps } from '../../../src/wordpress/nav-menus/location-maps.ts'
import { listMenus } from '../../../src/wordpress/nav-menus/nav-menu.ts'
import { readStoredMenu } from '../../../src/wordpress/nav-menus/read-menu.ts'
import { readLinkSettings } from '../../../src/wordpress/permalinks/link-settings.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { useTruth } from '../../wordpress/clone-truth.ts'
import { createPlannedSite, frame, linesOf, menu } from './planned-site.ts'

const network = await useTruth()
const site = await network.site(2)
const fixture = createSiteFixture(network.db, site)
const planned = createPlannedSite(network, site)

describe('the plan of a site', () => {
  it('counts the pages that would be published', async () => {
    const pages = [await fixture.page({ slug: 'shown-1' }), await fixture.page({ slug: 'shown-2' })]
    await fixture.frame('inner', '1')
    await fixture.frame('outer', '<!-- svc/frame {"name":"inner"} /-->')
    await fixture.assign('outer', pages)
    const plan = await planned.plan({ frames: [frame('inner', '2')] })
    expect(plan.pages).toEqual({ total: 2, ids: pages })
  })

  it('has the same digest on sites that differ in ids only', async () => {
    const other = createPlannedSite(network, await network.site(3))
    const desired = {
      frames: [frame('equal', '2')],
      menus: [menu('equal', [{ url: '/x', title: 'X' }])],
    }
    for (const one of [planned, other])
      await one.apply({ frames: [frame('equal', '1')], menus: [menu('equal', [])] })
    expect((await planned.plan(desired)).digest).toBe((await other.plan(desired)).digest)
  })
})

const { settle } = planned

describe('the plan of frames', () => {
  it('creates, replaces and leaves frames alone', async () => {
    await fixture.frame('kept', '<p>kept</p>')
    await fixture.frame('changed', '<p>old</p>\n<p>same</p>')
    const frames = [
      frame('kept', '<p>kept</p>'),
      frame('changed', '<p>new</p>\n<p>same</p>'),
      frame('added', 'Größe'),
    ]
    const { steps } = await planned.plan({ frames })
    expect(steps.map(({ diff }) => diff?.split('\n'))).toEqual([
      expect.arrayContaining(['-<p>old</p>', '+<p>new</p>', ' <p>same</p>']),
      expect.arrayContaining(['+Größe']),
    ])
    expect(await settle({ frames })).toEqual(['replaced frame changed', 'created frame added'])
  })

  it('renames a frame, and rewrites frames that embed it', async () => {
    await fixture.frame('old-name', '<p>1</p>')
    await fixture.frame('embedder', '<!-- svc/frame {"name":"old-name"} /-->')
    const id = await fixture.idOf('old-name')
    const frames = [frame('new-name', '<p>1</p>', ['older', 'old-name'])]
    expect(await settle({ frames })).toEqual([
      'renamed frame new-name from old-name',
      'replaced frame embedder',
    ])
    expect(await fixture.idOf('new-name')).toBe(id)
    expect(
      await planned.plan({
        frames: [frame('embedder', '<!-- svc/frame {"name":"new-name"} /-->')],
      }),
    ).toMatchObject({ steps: [] })
  })

  it('renames no frame that one embeds whose record is damaged', async () => {
    await fixture.frame('torn-name', '<p>1</p>')
    await fixture.frame('torn', '<!-- svc/frame {"name":"torn-name"} /-->')
    const id = await fixture.idOf('torn')
    await fixture.setOption(`svc_frame_${id}`, 'a:5:{torn')
    const frames = [frame('whole-name', '<p>1</p>', ['torn-name'])]
    const { problems } = await planned.plan({ frames })
    expect(problems).toMatchObject([{ kind: 'frame', name: 'torn', reason: 'frame_unreadable' }])
    await fixture.frame('torn', '<p>whole</p>')
    expect(await settle({ frames })).toEqual(['renamed frame whole-name from torn-name'])
  })

  it('suggests the former name of a new frame that equals one that is not described', async () => {
    await fixture.frame('before-the-move', '<p>moved</p>')
    const plan = (formerly: string[]) =>
      planned.plan({ frames: [frame('after-the-move', '<p>moved</p>', formerly)] }, 'errors')
    expect((await plan([])).warnings).toMatchObject([
      { name: 'after-the-move', reason: 'former_name' },
    ])
    expect((await plan([])).warnings[0]?.message).toContain('formerly: [before-the-move]')
    expect((await plan(['before-the-move'])).warnings).toEqual([])
  })

  it('finds edits of records by other programs, in any format', async () => {
    await fixture.frame('edited', '<p>1</p>')
    const option = `svc_frame_${await fixture.idOf('edited')}`
    const frames = [frame('edited', '<p>1</p>')]
    expect(await planned.plan({ frames })).toMatchObject({ steps: [] })
    const dates = { created_at_gmt: '2026-01-01 00:00:00', updated_at_gmt: '2026-01-01 00:00:00' }
    const record = { slug: 'edited', html: '<p>2</p>', ...dates, updated_by: 3 }
    await fixture.setOption(option, encodeRecord(record))
    expect(linesOf((await planned.plan({ frames })).steps)).toEqual(['replaced frame edited'])
    await fixture.setOption(option, '<p>1</p>')
    expect(await planned.plan({ frames })).toMatchObject({ steps: [] })
    await fixture.setOption(option, JSON.stringify({ html: '<p>3</p>' }))
    expect(await settle({ frames })).toEqual(['replaced frame edited'])
  })

  it('refuses markup whose inserts contradict each other, and writes nothing', async () => {
    await fixture.frame('one', '1')
    await fixture.frame('two', '2')
    const html = '<!-- svc/frame {"name":"one","slug":"two"} /-->'
    const frames = [frame('one', 'other'), frame('contradicts', html)]
    const { outcome, problems } = await planned.apply({ frames })
    expect({ outcome, problems }).toMatchObject({
      outcome: 'blocked',
      problems: [{ kind: 'frame', name: 'contradicts', reason: 'frame_ref_conflict' }],
    })
    expect(linesOf((await planned.plan({ frames: [frame('one', '1')] })).steps)).toEqual([])
  })
})

describe('the plan of pages', () => {
  it('assigns pages to new and old frames, and clears them', async () => {
    await fixture.page({ slug: 'planned-page' })
    await fixture.frame('page-frame', '<p>page</p>')
    const on = (slug: string | null) => [{ path: 'planned-page', frame: slug }]
    expect(await settle({ pages: on('page-frame') })).toEqual([
      'assigned assignment /planned-page to page-frame',
    ])
    expect(
      await settle({ frames: [frame('new-page-frame', '<br>')], pages: on('new-page-frame') }),
    ).toEqual([
      'created frame new-page-frame',
      'assigned assignment /planned-page from page-frame to new-page-frame',
    ])
    expect(await settle({ pages: on(null) })).toEqual([
      'cleared assignment /planned-page from new-page-frame',
    ])
  })

  it('reports missing pages and frames', async () => {
    await fixture.page({ slug: 'there' })
    const { problems } = await planned.plan({
      pages: [
        { path: 'missing/page', frame: null },
        { path: 'there', frame: 'no-such-frame' },
      ],
    })
    expect(problems.map(({ name, reason }) => [name, reason])).toEqual([
      ['/missing/page', 'page_not_found'],
      ['/there', 'frame_missing'],
    ])
  })
})

type Location = { readonly location: string; readonly lang?: string; readonly theme?: string }

const at = (slug: string, ...locations: readonly Location[]) => menu(slug, [], { locations })

/** The slug of the menu at a location of the active theme, as WordPress finds it. */
async function shownAt(location: string, lang: string): Promise<string | undefined> {
  const { languages } = await readLinkSettings(network.db, site)
  const maps = await readLocationMaps(network.db, site, 'opal')
  const id = menuIdAt(maps, languages, location, lang)
  return (await listMenus(network.db, site)).find((one) => one.id === id)?.slug
}

describe('the plan of locations', () => {
  it('assigns a location without a language in the default one', async () => {
    expect(await settle({ menus: [at('default', { location: 'footer_1' })] })).toEqual([
      'created menu default',
      expect.stringMatching(/^assigned location footer_1:en .*to default$/),
    ])
    expect(await shownAt('footer_1', 'en')).toBe('default')
    const { steps } = await planned.plan({
      menus: [at('default', { location: 'footer_1', lang: 'en' })],
    })
    expect(steps).toEqual([])
  })

  it('names the menu that loses a location', async () => {
    const location = { location: 'footer_2', lang: 'fr' }
    await settle({ menus: [at('first', location)] })
    const steps = await settle({ menus: [at('second', location)] })
    expect(steps).toEqual([
      'created menu second',
      'assigned location footer_2:fr from first to second',
    ])
    expect(await shownAt('footer_2', 'fr')).toBe('second')
  })

  it('leaves locations alone that are not described, unless the description manages all', async () => {
    await settle({ menus: [at('moving', { location: 'footer_3', lang: 'de' })] })
    expect((await planned.plan({ menus: [at('moving')] })).steps).toEqual([])
    const { steps } = await planned.plan({ menus: [at('moving')], manages: 'all' })
    expect(linesOf(steps)).toContain('cleared location footer_3:de from moving')
  })

  it('finds a menu in the map of a theme that is not active', async () => {
    const location = { location: 'header', theme: 'other-theme' }
    expect(await settle({ menus: [at('themed', location)] })).toContainEqual(
      expect.stringMatching(/^assigned location .*other-theme.* to themed$/),
    )
  })

  it('refuses two menus at one location, also if one names the default language', async () => {
    const { problems } = await planned.plan({
      menus: [at('left', { location: 'header' }), at('right', { location: 'header', lang: 'en' })],
    })
    expect(problems).toMatchObject([
      { kind: 'location', name: 'header:en', reason: 'location_taken' },
    ])
    expect(problems[0]?.message).toContain('"left" and "right"')
  })

  it('refuses a location that is stored in a damaged option', async () => {
    await settle({ menus: [at('undamaged')] })
    await fixture.setOption('theme_mods_broken', 'a:1:{s:9:"x";i:1;}')
    for (const menu of ['undamaged', 'not-created-yet']) {
      const { problems } = await planned.plan({
        menus: [at(menu, { location: 'header', theme: 'broken' })],
      })
      expect(problems).toMatchObject([{ kind: 'location', reason: 'option_damaged' }])
    }
  })
})

/** Stores a value of an item of a menu as another program does. */
async function storeItem(menuId: number, at: number, title: string, settings?: object) {
  const { posts, postmeta, termRelationships } = site.tables
  const ids: number[] = await network.db
    .sql(posts)
    .join(termRelationships, 'object_id', 'ID')
    .where({ term_taxonomy_id: menuId })
    .orderBy('menu_order')
    .pluck('ID')
  await network.db.sql(posts).where({ ID: ids[at] }).update({ post_title: title })
  if (settings)
    await network.db
      .sql(postmeta)
      .where({ post_id: ids[at], meta_key: '_pll_menu_item' })
      .update({ meta_value: encodePhp({ ...settings }) })
}

it('language switchers have no drift when wp-admin has stored their titles, and no lines in differences', async () => {
  const switcher = { at: '0', parent: -1, object: { kind: 'switcher', flags: ['show_names'] } }
  const wanted = (url: string, title?: string) =>
    menu('switching', [], {
      tree: {
        items: [
          { ...switcher, ...(title === undefined ? {} : { title }) },
          { at: '1', parent: -1, url, title: 'Link' },
        ] as ItemTree['items'],
        problems: [],
      },
    })
  await settle({ menus: [wanted('https://a.test/')] })
  const [stored] = (await listMenus(network.db, site)).filter(({ slug }) => slug === 'switching')
  const taxonomyId = stored?.termTaxonomyId ?? 0
  for (const title of ['', 'Sprachen', 'Languages']) {
    await storeItem(taxonomyId, 0, title)
    for (const described of [undefined, '', 'Languages'])
      expect(await planned.plan({ menus: [wanted('https://a.test/', described)] })).toMatchObject({
        steps: [],
      })
  }
  const { steps } = await planned.plan({ menus: [wanted('https://b.test/', 'Languages')] })
  const diff = steps[0]?.diff ?? ''
  expect(diff).toContain('https://b.test/')
  expect(diff).not.toContain('switcher')
  // The settings of Polylang 3.9 that a description cannot name.
  const settings = { show_names: 1, dropdown: 0, layout: 'horizontal', show_labels: 'codes' }
  await storeItem(taxonomyId, 0, 'Languages', settings)
  expect(await planned.plan({ menus: [wanted('https://a.test/')] })).toMatchObject({ steps: [] })
  await settle({ menus: [wanted('https://b.test/')] })
  const { items } = (await readStoredMenu(network.db, site, stored?.id ?? 0)) ?? { items: [] }
  expect(items[0]?.meta.get('_pll_menu_item')).toContain('s:5:"codes"')
})

describe('the plan of menus', () => {
  const items = [{ url: '/one', title: 'One', children: [{ page: 'about-us' }] }]

  it('creates a menu and assigns it, and replaces its items', async () => {
    const main = (list: readonly unknown[]) =>
      menu('plan-main', list, { locations: [{ location: 'footer_3', lang: 'fr' }] })
    expect(await settle({ menus: [main(items)] })).toEqual([
      'created menu plan-main',
      expect.stringMatching(/^assigned location footer_3:fr .*to plan-main$/),
    ])
    expect(await settle({ menus: [main([...items, { url: '/two', title: 'Two' }])] })).toEqual([
      'replaced menu plan-main',
    ])
  })

  it('shows the changed items', async () => {
    await settle({ menus: [menu('shown', items)] })
    const { steps } = await planned.plan({
      menus: [menu('shown', [{ url: '/new', title: 'New' }])],
    })
    expect(steps[0]?.diff?.split('\n')).toEqual([
      'removed "One" from "/one" to nothing',
      'removed "One" / page about-us',
      'added "New" from nothing to "/new"',
    ])
  })

  it('renames a menu without writing its items', async () => {
    await settle({ menus: [menu('old-menu', items)] })
    const renamed = menu('new-menu', items, { formerly: ['old-menu'] })
    expect(await settle({ menus: [renamed] })).toEqual(['renamed menu new-menu from old-menu'])
  })

  it('exchanges the names of two menus', async () => {
    await settle({ menus: [menu('swap-a', [], { name: 'A' }), menu('swap-b', [], { name: 'B' })] })
    const swapped = [menu('swap-a', [], { name: 'B' }), menu('swap-b', [], { name: 'A' })]
    expect(await settle({ menus: swapped })).toEqual(['renamed menu swap-a', 'renamed menu swap-b'])
  })

  it('reports what the site lacks', async () => {
    await settle({ menus: [menu('holder', [], { name: 'Größe' })] })
    const { problems } = await planned.plan({
      menus: [
        menu('lacking', [{ page: 'no-such-page' }]),
        menu('located', [], {
          locations: [{ location: 'nowhere' }, { location: 'header', lang: 'xx' }],
        }),
        menu('named', [], { name: 'GROSSE' }),
        menu('twin', [], { name: 'grösse' }),
      ],
    })
    expect(problems.map(({ kind, name, reason }) => [kind, name, reason])).toEqual([
      ['menu', 'lacking', 'page_not_found'],
      ['menu', 'twin', 'name_taken'],
      ['location', 'nowhere', 'unknown_location'],
      ['location', 'header:xx', 'unknown_language'],
    ])
  })
})

it('a menu that links a page that is not published is blocked, unless the menu has the item already', async () => {
  const page = await fixture.page({ slug: 'unpublished' })
  const desired = { menus: [menu('links-draft', [{ page }])] }
  await settle(desired)
  await network.db.sql(site.tables.posts).where({ ID: page }).update({ post_status: 'private' })
  expect(await settle(desired)).toEqual([])
  const other = { menus: [menu('links-draft-too', [{ page }])] }
  expect(await planned.plan(other)).toMatchObject({
    problems: [{ name: 'links-draft-too', reason: 'page_not_published' }],
  })
})

it('the plan of variables writes the variables as a data set', async () => {
  expect(await settle({ variables: { b: '2', a: '1' } })).toEqual(['created dataset variables'])
  expect(await fixture.option('svc_data_variables')).toBe('{"a":"1","b":"2"}')
  expect(await settle({ variables: { a: '3' } })).toEqual(['replaced dataset variables'])
})
