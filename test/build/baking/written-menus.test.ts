import { expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { findChangedDependents, menusWrittenBy } from '../../../src/build/baking/written-menus.ts'
import { countAffectedPages } from '../../../src/build/preview/affected.ts'
import { writeChange } from '../../../src/changes/record-write.ts'
import { readSiteGraph } from '../../../src/content/frames/read-graph.ts'
import { addItem } from '../../../src/content/menus/edit-items.ts'
import { readTree } from '../../../src/content/menus/item-tree.ts'
import { readMenuName } from '../../../src/content/menus/menu-names.ts'
import { MENU_CHANGE, readWriteContext } from '../../../src/content/menus/write-context.ts'
import {
  assignLocation,
  createMenu,
  deleteMenu,
  renameMenu,
} from '../../../src/content/menus/write-menu.ts'
import type { Tx } from '../../../src/db/transaction.ts'
import { recordedWrites } from '../../../src/record/history/record-history.ts'
import { createPlannedSite, menu as described } from '../../network/plan/planned-site.ts'
import { useExecutorFixture } from '../executor/executor-fixture.ts'

const shop = await useExecutorFixture(2)
const { site, network } = shop
const { db } = network
const now = () => new Date()
const context = await readWriteContext(db, site, { userId: 1, unfilteredHtml: true }, now)
const { languages } = context.links
const planned = createPlannedSite(network, site)

const link = [{ url: '/one', title: 'One' }]
const menus = {
  main: await shop.menu({ name: 'Main', location: 'header', lang: 'en', items: link }),
  french: await shop.menu({ name: 'French', location: 'header', lang: 'fr', items: link }),
  foot: await shop.menu({ name: 'Foot', location: 'footer_1', lang: 'en', items: link }),
  side: await shop.menu({ name: 'Side Bar', items: link }),
  unseen: await shop.menu({ name: 'Unseen', location: 'footer_3', lang: 'en', items: link }),
}
const FRAMES = {
  'at-header': '<!-- svc/menu {"location":"header"} /-->',
  around: '<!-- svc/frame {"name":"at-header"} /--><!-- svc/frame {"name":"plain"} /-->',
  bound:
    '<!-- svc/repeat {"source":"menu.footer_1"} --><i data-op-bind="item.title"></i><!-- /svc/repeat -->',
  'in-french': '<!-- svc/menu {"location":"header","lang":"fr"} /-->',
  plain: '<p>plain</p>',
}
/** Frames that name menus. */
const NAMING = {
  'by-id': `<!-- svc/menu {"menu":${menus.main}} /-->`,
  'by-name': '<!-- svc/menu {"menu":"Side Bar"} /-->',
  'by-new-name': '<!-- svc/menu {"menu":"later"} /-->',
}
for (const [slug, html] of Object.entries(FRAMES)) {
  await shop.frame(slug, html)
  await shop.assign(slug, [await shop.page({ slug: `on-${slug}` })])
}

const targetOf = (id: number) => ({ ref: String(id) })
let added = 0
const adds = (id: number) => async (tx: Tx) => {
  added += 1
  const tree = readTree([{ url: `/more-${added}`, title: 'More' }])
  await addItem(tx, site, targetOf(id), { tree, parent: 0 }, context)
}
const assigns = (id: number, location: string, lang: string) => (tx: Tx) =>
  assignLocation(tx, site, languages, targetOf(id), { theme: 'opal', location, lang })
const newMenu = {
  slug: undefined,
  assignment: undefined,
  tree: readTree(link),
  allowInvalid: false,
}
const creates = (name: string) => (tx: Tx) =>
  createMenu(tx, site, { ...newMenu, name: readMenuName(name) }, context)
const deletes = (id: number) => (tx: Tx) => deleteMenu(tx, site, languages, targetOf(id))
const renames = (id: number, slug: string) => (tx: Tx) =>
  renameMenu(tx, site, targetOf(id), { name: undefined, slug })

const { work } = MENU_CHANGE
/** What is said of a write, by a dry run; then writes, and expects that no other frame is baked. */
async function said(write: (tx: Tx) => Promise<unknown>, { site, network, executor } = shop) {
  const { db } = network
  const dry = await db.write({ site, dryRun: true }, async (tx) => {
    await write(tx)
    const written = menusWrittenBy(recordedWrites(tx, site))
    const graph = await readSiteGraph(tx, site)
    const found = await findChangedDependents(tx, site, graph, work, written)
    return {
      slugs: found.map(({ frame }) => frame.slug),
      pages: await countAffectedPages(tx, site, work),
    }
  })
  const { change } = await writeChange(db, { site }, async (tx) => {
    await write(tx)
    return { change: MENU_CHANGE }
  })
  const { rebaked } = await executor.apply(site, change)
  const baked = rebaked.frames.filter(({ bake }) => bake === 'baked').map(({ slug }) => slug)
  expect(dry.slugs).toEqual(expect.arrayContaining(baked))
  return { ...dry, baked }
}

it('of a written menu, only the frames that show it are said to change, and their pages', async () => {
  const header = ['around', 'at-header']
  expect(await said(adds(menus.main))).toMatchObject({ slugs: header, pages: 2, baked: header })
  const french = ['around', 'at-header', 'in-french']
  expect(await said(adds(menus.french))).toMatchObject({ slugs: french, pages: 3 })
  expect(await said(adds(menus.foot))).toMatchObject({ slugs: ['bound'], pages: 1 })
  for (const write of [adds(menus.unseen), adds(menus.side), creates('Nowhere')])
    expect(await said(write)).toEqual({ slugs: [], pages: 0, baked: [] })
  expect(await said(assigns(menus.side, 'footer_2', 'en'))).toMatchObject({ slugs: [] })
  expect(await said(assigns(menus.side, 'footer_1', 'de'))).toMatchObject({ slugs: ['bound'] })
  expect(await said(deletes(menus.foot))).toMatchObject({ slugs: ['bound'], baked: ['bound'] })
})

it('of a plan of menus, only the pages that show them are counted', async () => {
  const pagesOf = async (...args: Parameters<typeof described>) =>
    (await planned.plan({ menus: [described(...args)] })).pages.total
  expect(await pagesOf('new-one', link)).toBe(0)
  expect(await pagesOf('main', link, { name: 'Main' })).toBe(2)
  expect(await pagesOf('side-bar', [], { name: 'Side Bar' })).toBe(1)
  expect(
    await pagesOf('new-one', link, { locations: [{ location: 'footer_1', lang: 'fr' }] }),
  ).toBe(1)
  expect((await planned.plan({ menus: [], manages: 'all' })).pages.total).toBeGreaterThan(2)
})

it('a frame that names a menu is counted if other names could mean another one', async () => {
  for (const [slug, html] of Object.entries(NAMING)) await shop.frame(slug, html)
  const naming = Object.keys(NAMING)
  const header = ['around', 'at-header', 'by-id']
  expect(await said(adds(menus.main))).toMatchObject({ slugs: header, baked: header })
  expect((await said(adds(menus.side))).slugs).toEqual(expect.arrayContaining(['by-name']))
  for (const write of [creates('Later'), assigns(menus.unseen, 'footer_2', 'fr')])
    expect((await said(write)).slugs).toEqual(naming)
  expect((await said(renames(menus.side, 'later-on'))).slugs).toEqual(
    expect.arrayContaining(naming),
  )
  expect((await said(deletes(menus.main))).slugs).toEqual(expect.arrayContaining(header))
})

it('a frame without a copy of its present markup may show any menu', async () => {
  await shop.frame('plain', '<!-- svc/menu {"location":"footer_2"} /-->', { bake: false })
  expect((await said(adds(menus.unseen))).slugs).toEqual(['around', 'plain'])
})

it('a location that holds the name of a menu is counted if names change', async () => {
  // A site without languages: the map of its theme decides.
  const docs = await useExecutorFixture(3)
  const id = await docs.menu({ name: 'Held', items: link })
  const theme = (await docs.option('stylesheet')) ?? ''
  const locations = { nav_menu_locations: { header: 'Held' } }
  await docs.setOption(`theme_mods_${theme}`, encodePhp(locations))
  await docs.frame('at-header', FRAMES['at-header'])
  const rename = { name: readMenuName('Other'), slug: 'other' }
  const renamed = await said((tx) => renameMenu(tx, docs.site, targetOf(id), rename), docs)
  expect(renamed).toMatchObject({ slugs: ['at-header'], baked: ['at-header'] })
  const created = await said(async (tx) => {
    const writer = { userId: 1, unfilteredHtml: true }
    const menu = { ...newMenu, name: readMenuName('Held') }
    await createMenu(tx, docs.site, menu, await readWriteContext(tx, docs.site, writer, now))
  }, docs)
  expect(created).toMatchObject({ slugs: ['at-header'], baked: ['at-header'] })
})
