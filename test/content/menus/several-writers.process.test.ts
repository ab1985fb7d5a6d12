import { describe, expect, it } from 'vitest'
import { decodePhp } from '#php-serialized'
import { getFrame } from '../../../src/content/frames/read-frame.ts'
import { readSiteGraph } from '../../../src/content/frames/read-graph.ts'
import { readLanguages } from '../../../src/wordpress/languages/languages.ts'
import { readLocationMaps } from '../../../src/wordpress/nav-menus/location-maps.ts'
import { listMenus } from '../../../src/wordpress/nav-menus/nav-menu.ts'
import { readStoredMenu } from '../../../src/wordpress/nav-menus/read-menu.ts'
import { readOption } from '../../../src/wordpress/options/read-options.ts'
import { readLinkSettings } from '../../../src/wordpress/permalinks/link-settings.ts'
import { issueTokenFor } from '../../support/api.ts'
import { readMenu } from '../../support/read-menu.ts'
import { startServeProcesses } from '../../support/serve-processes.ts'
import { use } from '../../support/use.ts'
import { useTruth } from '../../wordpress/clone-truth.ts'

const WRITERS = 16
const LOCATIONS = ['header', 'footer_1', 'footer_2', 'footer_3']
const LANGUAGES = ['en', 'fr', 'de', 'ar']

const network = await useTruth()
const site = await network.site(2)
const token = await issueTokenFor(network, 'alice')
const service = await use(
  startServeProcesses(3, network.url, {
    TABLE_PREFIX: network.globals.basePrefix,
    // What is built later is of no concern here.
    EFFECTS_BUDGET_MS: '0',
  }),
)

const send = (method: string, path: string, body: object = {}) =>
  service.send(token, method, `/site/2${path}`, body)

const atOnce = <T>(work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: WRITERS }, (_, index) => work(index)))
const succeeded = Array(WRITERS).fill(200)

const pick = <T>(values: readonly T[], index: number): T => {
  const value = values[index % values.length]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}

/** A tree that identifies its writer, with a number of items of its own. */
const treeOf = (writer: number): object[] => [
  { url: `/by/${writer}`, title: `Writer ${writer}`, children: Array(writer + 1).fill(7) },
]

/** Asserts the invariants of a site. */
async function assertConsistent(): Promise<void> {
  const { db } = network
  const { terms, termTaxonomy, termRelationships, posts, postmeta } = site.tables
  const menus = await listMenus(db, site)
  const links = await readLinkSettings(db, site)
  for (const menu of menus) {
    const items = (await readMenu(db, site, links, menu.id))?.items ?? []
    const ids = new Set(items.map(({ id }) => id))
    expect([menu.slug, menu.count]).toEqual([
      menu.slug,
      items.filter(({ status }) => status === 'publish').length,
    ])
    expect(items.filter(({ parent }) => parent !== 0 && !ids.has(parent))).toEqual([])
  }
  expect(new Set(menus.map(({ slug }) => slug)).size).toBe(menus.length)
  expect(new Set(menus.map(({ name }) => name.toLowerCase())).size).toBe(menus.length)
  const related = await db
    .sql({ p: posts })
    .leftJoin({ tr: termRelationships }, 'tr.object_id', 'p.ID')
    .leftJoin({ tt: termTaxonomy }, 'tt.term_taxonomy_id', 'tr.term_taxonomy_id')
    .leftJoin({ t: terms }, 't.term_id', 'tt.term_id')
    .where('p.post_type', 'nav_menu_item')
    .select('p.ID', 'p.guid', 't.term_id')
  expect(related.filter(({ term_id }) => term_id === null)).toEqual([])
  expect(related.filter(({ guid }) => !/^http/.test(guid))).toEqual([])
  const lost = await db
    .sql(postmeta)
    .where('meta_key', 'like', '\\_menu\\_item\\_%')
    .whereNotIn('post_id', db.sql(posts).select('ID'))
  expect(lost).toEqual([])

  const known = new Set(menus.map(({ id }) => id))
  for (const theme of ['opal', 'other']) {
    const { byTheme, byLanguage } = await readLocationMaps(db, site, theme)
    const ids = [...byTheme.values(), ...[...byLanguage.values()].flatMap((m) => [...m.values()])]
    expect(ids.filter((id) => id !== 0 && !known.has(id))).toEqual([])
  }
  for (const name of ['theme_mods_opal', 'theme_mods_other', 'polylang', 'nav_menu_options']) {
    expect(decodePhp((await readOption(db, site, name)) ?? '')).toBeInstanceOf(Map)
  }
}

describe(`${WRITERS} concurrent writers of frames in three processes`, () => {
  it('create a frame of one slug once, on a site without frames', async () => {
    const answers = await atOnce((index) =>
      send('POST', '/frames', { slug: 'contested', html: `by ${index}` }),
    )
    const winners = answers.filter(({ status }) => status === 200)
    expect(winners).toHaveLength(1)
    const winnerId = winners[0]?.body.frame.id
    for (const { status, body } of answers.filter((answer) => answer !== winners[0]))
      expect([status, body.error, body.id]).toEqual([409, 'slug_taken', winnerId])
  })

  it('all create different frames', async () => {
    const answers = await atOnce((index) =>
      send('POST', '/frames', { slug: `own-${index}`, html: 'x' }),
    )
    expect(answers.map(({ status }) => status)).toEqual(succeeded)
    const graph = await readSiteGraph(network.db, site)
    expect(graph.all().filter(({ slug }) => slug.startsWith('own-'))).toHaveLength(WRITERS)
  })

  it('rename and replace one frame at the same time', async () => {
    const html = '<!-- svc/frame {"name":"moving-0"} /-->'
    await send('POST', '/frames', { slug: 'embedder', html })
    const { body } = await send('POST', '/frames', { slug: 'moving-0', html: 'markup 0' })
    const { id } = body.frame
    for (let round = 1; round <= 8; round += 1) {
      const [renamed, replaced] = await Promise.all([
        send('PATCH', `/frames/${id}`, { slug: `moving-${round}` }),
        send('PUT', `/frames/${id}`, { html: `markup ${round}` }),
      ])
      expect([renamed.status, replaced.status]).toEqual([200, 200])
      const { record, graph } = await getFrame(network.db, site, id)
      expect(record).toMatchObject({ slug: `moving-${round}`, html: `markup ${round}` })
      expect(graph.embeddersOf([id]).map(({ slug }) => slug)).toEqual(['embedder'])
    }
  })
})

describe(`${WRITERS} concurrent writers of menus in three processes`, () => {
  it('all succeed in assigning different locations', async () => {
    const assignment = (index: number) => ({
      location: pick(LOCATIONS, index),
      lang: pick(LANGUAGES, Math.floor(index / 4)),
      theme: pick(['opal', 'other'], index),
    })
    const menuAt = (index: number) => pick([23, 24, 25, 26, 27], index)
    const answers = await atOnce((index) =>
      send('PUT', `/menus/${menuAt(index)}/location`, assignment(index)),
    )
    expect(answers.map(({ status }) => status)).toEqual(succeeded)
    const { default: standard } = await readLanguages(network.db, site)
    for (let index = 0; index < WRITERS; index += 1) {
      const { location, lang, theme } = assignment(index)
      const maps = await readLocationMaps(network.db, site, theme)
      expect(maps.byLanguage.get(location)?.get(lang)).toBe(menuAt(index))
      if (lang === standard) expect(maps.byTheme.get(location)).toBe(menuAt(index))
    }
    await assertConsistent()
  })

  it('leave the complete tree of one writer after replacing one tree', async () => {
    const answers = await atOnce((index) =>
      send('PUT', '/menus/27/items', { items: treeOf(index) }),
    )
    expect(answers.map(({ status }) => status)).toEqual(succeeded)
    const links = await readLinkSettings(network.db, site)
    const items = (await readMenu(network.db, site, links, 27))?.items ?? []
    const writer = Number(items[0]?.ownTitle.replace('Writer ', ''))
    expect(items).toHaveLength(writer + 2)
    expect(items.slice(1).every(({ parent }) => parent === items[0]?.id)).toBe(true)
    await assertConsistent()
  })

  it('all add their items to one menu, each at a position of its own', async () => {
    await send('PUT', '/menus/27/items', { items: [] })
    const answers = await atOnce((index) => send('POST', '/menus/27/items', { url: `/${index}` }))
    expect(answers.map(({ body }) => body.total).sort((a, b) => a - b)).toEqual(
      Array.from({ length: WRITERS }, (_, index) => index + 1),
    )
    const links = await readLinkSettings(network.db, site)
    const items = (await readMenu(network.db, site, links, 27))?.items ?? []
    const stored = await readStoredMenu(network.db, site, 27)
    expect(stored?.items.map(({ row }) => row.menu_order)).toEqual(
      Array.from({ length: WRITERS }, (_, index) => index + 1),
    )
    expect(new Set(items.map(({ url }) => url)).size).toBe(WRITERS)
  })

  it('get unique names and slugs for menus of one name and slug', async () => {
    const answers = await atOnce((index) =>
      send('POST', '/menus', { name: index % 2 ? 'Same' : 'SAME', slug: 'same' }),
    )
    expect(answers.map(({ status }) => status)).toEqual(succeeded)
    await assertConsistent()
  })

  it('leave consistent data after renaming, replacing, assigning, adding and deleting at once', async () => {
    const made = await atOnce((index) =>
      send('POST', '/menus', { name: `Contested ${index}`, items: treeOf(index) }),
    )
    const ids = made.map(({ body }) => body.menu.id).slice(0, 6)
    const verbs = [
      (ref: string, index: number) => send('PATCH', ref, { name: `Name ${index % 3}` }),
      (ref: string, index: number) => send('PUT', `${ref}/items`, { items: treeOf(index) }),
      (ref: string, index: number) =>
        send('PUT', `${ref}/location`, {
          location: pick(LOCATIONS, index),
          lang: pick(LANGUAGES, index),
          theme: pick(['opal', 'other'], index),
        }),
      (ref: string, index: number) => send('POST', `${ref}/items`, { url: `/late/${index}` }),
      (ref: string) => send('DELETE', ref),
    ]
    const statuses: number[] = []
    for (const round of [0, 1, 2, 3]) {
      const answers = await atOnce((index) => {
        const ref = `/menus/${pick(ids, index + round)}`
        // One deletion per round, so that there are menus left to write.
        const verb = index === 0 ? verbs[4] : pick(verbs.slice(0, 4), index)
        return verb?.(ref, index) ?? Promise.reject(new Error('no verb'))
      })
      for (const { status, body } of answers) {
        statuses.push(status)
        if (status !== 200) expect([status, body.error]).toEqual([404, 'menu_not_found'])
      }
      await assertConsistent()
    }
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(WRITERS)
    const left = new Set((await listMenus(network.db, site)).map(({ id }) => id))
    expect(ids.filter((id) => !left.has(id)).length).toBeGreaterThan(0)
  })
})
