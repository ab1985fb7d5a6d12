import type { Db } from '../db/database.ts'
import type { Menu } from '../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../wordpress/network/site.ts'

/**
 * Texts that a menu contains already. They are written unchanged, without the filters for new texts, so that a caller who sends back the
 * tree that was read changes nothing, even if the caller may not write such a text or a write would store it in another form.
 */
export type StoredTexts = {
  readonly titles: ReadonlySet<string>
  /** Of links. */
  readonly urls: ReadonlySet<string>
}

export const NO_TEXTS: StoredTexts = { titles: new Set(), urls: new Set() }

/** The ids of all items of a menu, including drafts, in order, and the texts of the published ones. */
export async function readStoredTexts(
  db: Db,
  { tables }: Site,
  { termTaxonomyId }: Menu,
): Promise<{ readonly ids: readonly number[]; readonly texts: StoredTexts }> {
  const rows: { id: number; title: string; status: string; url: string | null }[] = await db
    .sql({ tr: tables.termRelationships })
    .join({ p: tables.posts }, 'p.ID', 'tr.object_id')
    .leftJoin({ m: tables.postmeta }, (on) =>
      on.on('m.post_id', 'p.ID').andOnVal('m.meta_key', '_menu_item_url'),
    )
    .where({ 'tr.term_taxonomy_id': termTaxonomyId, 'p.post_type': 'nav_menu_item' })
    .orderBy(['p.menu_order', 'p.ID'])
    .select({ id: 'p.ID', title: 'p.post_title', status: 'p.post_status', url: 'm.meta_value' })
  const shown = rows.filter(({ status }) => status === 'publish')
  return {
    ids: [...new Set(rows.map(({ id }) => id))],
    texts: {
      titles: new Set(shown.map(({ title }) => title)),
      urls: new Set(shown.flatMap(({ url }) => url || [])),
    },
  }
}
