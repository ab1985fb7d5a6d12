import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { encodeRecord } from '../../src/frames/record.ts'
import type { ItemTree } from '../../src/menus/item-tree.ts'
import { listMenus } from '../../src/wordpress/nav-menus/nav-menu.ts'
import { readStoredMenu } from '../../src/wordpress/nav-menus/read-menu.ts'
import { encodePhp } from '../../src/wordpress/serialized/encode-php.ts'
import { readRestorableState } from '../support/restorable-state.ts'
import { createSiteFixture } from '../support/site-fixture.ts'
import { statementsOf } from '../support/statements.ts'
import { use } from '../support/use.ts'
import { cloneTruth } from '../wordpress/clone-truth.ts'
import { createPlannedSite, frame, linesOf, menu } from './planned-site.ts'

const network = await use(cloneTruth())
const site = await network.site(2)
const fixture = createSiteFixture(network.db, site)
const planned = createPlannedSite(network, site)

/** Plans, applies, and expects that nothing is left to do. */
async function settle(desired: Parameters<typeof planned.plan>[0]): Promise<string[]> {
  const plan = await planned.plan(desired)
  expect(plan.problems).toEqual([])
  const applied = await planned.apply(desired, { expectedDigest: plan.digest })
  expect([applied.outcome, applied.problems]).toEqual(['applied', []])
  expect(applied.steps.map((step) => ({ ...step }))).toEqual(plan.steps)
  expect(await planned.plan(desired)).toMatchObject({ steps: [], problems: [] })
  return linesOf(plan.steps)
}

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

describe('language switchers', () => {
  it('have no drift when wp-admin has stored their titles, and no lines in differences', async () => {
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
        expect(await planned.plan({ menus: [wanted('https://a.test/', described)] })).toMatchObject(
          {
            steps: [],
          },
        )
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
})

describe('frames', () => {
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

  it('writes 200 frames with few statements', { timeout: 60_000 }, async () => {
    const many = (text: string) =>
      Array.from({ length: 200 }, (_, at) =>
        frame(`many-${at}`, `<p>${text} ${at}</p>`.repeat(100)),
      )
    await settle({ frames: many('first') })
    const statements = await statementsOf(network.db, async () => {
      const { steps } = await planned.apply({ frames: many('second') })
      expect(steps).toHaveLength(200)
    })
    expect(statements.length).toBeLessThan(60)
    expect(await planned.plan({ frames: many('second') })).toMatchObject({ steps: [] })
  })
})

describe('menus', () => {
  const items = [{ url: '/one', title: 'One', children: [{ page: 'about-us' }] }]

  it('does not delete a menu whose items have changed since the plan', async () => {
    await settle({ menus: [menu('doomed', items)] })
    const { steps, digest } = await planned.plan({ manages: 'all' })
    const deletion = steps.find(({ name }) => name === 'doomed')
    expect(deletion).toMatchObject({ action: 'deleted', diff: expect.stringContaining('/one') })
    await settle({ menus: [menu('doomed', [...items, { url: '/two', title: 'Two' }])] })
    const applied = await planned.apply({ manages: 'all' }, { expectedDigest: digest })
    expect(applied.outcome).toBe('moved')
  })

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
    expect(steps[0]?.diff).toContain('+ url /new  "New"')
    expect(steps[0]?.diff).toContain('- url /one  "One"')
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

describe('pages and variables', () => {
  it('assigns pages to new and old frames, and clears them', async () => {
    await fixture.page({ slug: 'planned-page' })
    await fixture.frame('page-frame', '<p>page</p>')
    const on = (slug: string | null) => [{ path: 'planned-page', frame: slug }]
    expect(await settle({ pages: on('page-frame') })).toEqual([
      'assigned assignment /planned-page to page-frame',
    ])
    expect(
      await settle({ frames: [frame('new-page-frame', '')], pages: on('new-page-frame') }),
    ).toEqual([
      'created frame new-page-frame',
      'assigned assignment /planned-page from page-frame to new-page-frame',
    ])
    expect(await settle({ pages: on(null) })).toEqual([
      'cleared assignment /planned-page from new-page-frame',
    ])
  })

  it('counts the pages that would be published', async () => {
    const pages = [await fixture.page({ slug: 'shown-1' }), await fixture.page({ slug: 'shown-2' })]
    await fixture.frame('inner', '1')
    await fixture.frame('outer', '<!-- svc/frame {"name":"inner"} /-->')
    await fixture.assign('outer', pages)
    const plan = await planned.plan({ frames: [frame('inner', '2')] })
    expect(plan.pages).toEqual({ total: 2, ids: pages })
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

  it('writes the variables as a data set', async () => {
    expect(await settle({ variables: { b: '2', a: '1' } })).toEqual(['created dataset variables'])
    expect(await fixture.option('svc_data_variables')).toBe('{"a":"1","b":"2"}')
    expect(await settle({ variables: { a: '3' } })).toEqual(['replaced dataset variables'])
  })
})

describe('a plan', () => {
  it('is refused if the site has changed since', async () => {
    await fixture.frame('moving', '1')
    const frames = [frame('moving', '2')]
    const { digest } = await planned.plan({ frames })
    await fixture.frame('moving', '3')
    const { outcome, steps } = await planned.apply({ frames }, { expectedDigest: digest })
    expect([outcome, linesOf(steps)]).toEqual(['moved', ['replaced frame moving']])
    const still = await planned.plan({ frames: [frame('moving', '3')] })
    expect(still.steps).toEqual([])
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

  it('can be taken back by its run', async () => {
    await fixture.page({ slug: 'taken-back' })
    await settle({
      frames: [frame('back-1', '1'), frame('back-2', '2')],
      menus: [
        menu('back', [{ url: '/x', title: 'X' }], {
          locations: [{ location: 'footer_2', lang: 'de' }],
        }),
      ],
      pages: [{ path: 'taken-back', frame: 'back-1' }],
      variables: { a: 'before' },
    })
    const before = await readRestorableState(network.db, site)
    const runId = randomUUID()
    const { outcome } = await planned.apply(
      {
        frames: [frame('back-renamed', '3', ['back-1']), frame('back-3', '3')],
        menus: [
          menu('back-too', [{ url: '/y', title: 'Y' }], { formerly: ['back'] }),
          menu('back-new', [], { locations: [{ location: 'footer_2', lang: 'de' }] }),
        ],
        pages: [{ path: 'taken-back', frame: 'back-3' }],
        variables: { a: 'after' },
      },
      { runId },
    )
    expect(outcome).toBe('applied')
    const { obstacles } = await planned.rollBack(runId)
    expect(obstacles).toEqual([])
    expect(await readRestorableState(network.db, site)).toEqual(before)
    expect(await fixture.option('svc_data_variables')).toBe('{"a":"before"}')
  })

  it('deletes what is not described if the description manages all', async () => {
    const third = await network.site(3)
    const [local, one] = [createSiteFixture(network.db, third), createPlannedSite(network, third)]
    const page = await local.page({ slug: 'managed' })
    await local.frame('undescribed', '1')
    await local.assign('undescribed', [page])
    await local.menu({ name: 'Undescribed', location: 'header' })
    const described = {
      manages: 'all' as const,
      frames: [frame('described', '1')],
      menus: [
        menu('described', [], { name: 'Undescribed', locations: [{ location: 'footer_1' }] }),
      ],
    }
    const { steps } = await one.plan(described)
    expect(linesOf(steps)).toEqual(
      expect.arrayContaining([
        'deleted frame undescribed',
        'deleted menu undescribed',
        'cleared assignment /managed from undescribed',
      ]),
    )
    expect((await one.apply(described)).outcome).toBe('applied')
    expect((await one.plan(described)).steps).toEqual([])
    const moved = { ...described, menus: [menu('described', [], { name: 'Undescribed' })] }
    expect(linesOf((await one.plan(moved)).steps)).toEqual([
      'cleared location footer_1 from described',
    ])
    expect((await one.apply(moved)).outcome).toBe('applied')
    expect((await one.plan(moved)).steps).toEqual([])
  })
})

describe('a menu that links a page that is not published', () => {
  it('is blocked, unless the menu has the item already', async () => {
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
})
