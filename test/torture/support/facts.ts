import { PAGE_META_KEY } from '../../../src/content/frames/option-names.ts'
import { readFrames } from '../../../src/content/frames/read-frame.ts'
import { readRegistry } from '../../../src/content/frames/registry.ts'
import { createDb, type Db } from '../../../src/db/database.ts'
import { createReadCache } from '../../../src/db/read-cache.ts'
import { readLocationMaps } from '../../../src/wordpress/nav-menus/location-maps.ts'
import type { MenuItem } from '../../../src/wordpress/nav-menus/menu-item.ts'
import { listMenus } from '../../../src/wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../../src/wordpress/network/site.ts'
import { readLinkSettings } from '../../../src/wordpress/permalinks/link-settings.ts'
import { readPostMeta } from '../../../src/wordpress/postmeta.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import { readMenu } from '../../support/read-menu.ts'
import { senderOf } from '../../support/statements.ts'

/**
 * The content of a site by name: `frame <slug>` its markup, `page <id>` the slug of its frame, `menu <slug>` its items as an
 * outline, `branch <title>` the items below a top item of the shared menu, `location <name>` the slug of its menu.
 */
export type Facts = ReadonlyMap<string, string>

/** A site's facts, and the ids of menu items by their titles. */
export type Observation = { readonly facts: Facts; readonly itemIds: ReadonlyMap<string, number> }

/** The menu that all writers write to, each below its own item. */
export const SHARED_MENU = 'shared'

/** Reads all facts from one snapshot of the database. */
export function observe(db: SqlDatabase, site: Site): Promise<Observation> {
  return db.sql.transaction(
    async (sql) => {
      // On a node of a Galera cluster: waits until the writes of the other nodes are applied. MySQL skips the comment.
      await sql.raw('SET @waits = 1 /*M! , SESSION wsrep_sync_wait = 1 */')
      const snapshot = createDb(senderOf(sql), { cache: createReadCache(), timings: db.timings })
      const menus = await menuFacts(snapshot, site)
      return {
        facts: new Map([...(await frameFacts(snapshot, site)), ...menus.facts]),
        itemIds: menus.itemIds,
      }
    },
    { isolationLevel: 'repeatable read' },
  )
}

async function frameFacts(db: Db, site: Site): Promise<[string, string][]> {
  const registry = await readRegistry(db, site)
  const frames = await readFrames(db, site, registry.all())
  const pages = await readPostMeta(db, site, PAGE_META_KEY)
  return [
    ...frames.map(({ record }): [string, string] => [`frame ${record.slug}`, record.html]),
    ...pages.map(({ postId, value }): [string, string] => [
      `page ${postId}`,
      registry.find(value)?.slug ?? `the missing frame ${value}`,
    ]),
  ]
}

async function menuFacts(db: Db, site: Site): Promise<Observation> {
  const links = await readLinkSettings(db, site)
  const menus = await listMenus(db, site)
  const slugs = new Map(menus.map(({ id, slug }) => [id, slug]))
  const facts = new Map<string, string>()
  const itemIds = new Map<string, number>()
  for (const { id, slug } of menus) {
    const items = (await readMenu(db, site, links, id))?.items ?? []
    for (const item of items) itemIds.set(item.title, item.id)
    facts.set(`menu ${slug}`, outline(items, 0))
    if (slug !== SHARED_MENU) continue
    for (const item of items)
      if (item.parent === 0) facts.set(`branch ${item.title}`, outline(items, item.id))
  }
  const { byTheme, byLanguage } = await readLocationMaps(db, site)
  const language = links.languages.default ?? ''
  for (const [location, id] of byTheme) {
    const twin = byLanguage.get(location)?.get(language) ?? 0
    if (id === 0 && twin === 0) continue
    const slug = slugs.get(id) ?? `the missing menu ${id}`
    facts.set(`location ${location}`, twin === id ? slug : `${slug}, and for Polylang ${twin}`)
  }
  return { facts, itemIds }
}

/** The items below an item, or at the top, as `First, Second (Child, Child)`. */
function outline(items: readonly MenuItem[], under: number): string {
  return items
    .filter(({ parent }) => parent === under)
    .map(({ id, title }) => {
      const below = outline(items, id)
      return below === '' ? title : `${title} (${below})`
    })
    .join(', ')
}
