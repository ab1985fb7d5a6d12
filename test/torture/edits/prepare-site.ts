import { PAGE_META_KEY } from '../../../src/content/frames/option-names.ts'
import { type Registry, readRegistry } from '../../../src/content/frames/registry.ts'
import { readPostMeta } from '../../../src/wordpress/postmeta.ts'
import { type EditableSite, FRAMES } from '../../support/editable-site.ts'
import { Caller } from '../support/caller.ts'
import { PublishedSite } from '../support/published-site.ts'
import type { TortureFixture } from '../support/torture-fixture.ts'
import type { Writers } from '../support/writers.ts'

/** Pages on frames that writers of the service write. */
const PAGES = 30
/** The items and names of these menus are edited. No writer writes them. */
const MENUS = ['main-menu', 'footer', 'deep']
/** A frame that shows them. Only pages on it show their items, whatever menus the locations have. */
const MENUS_FRAME = 'menus'
/** Frames of the first writer, which embed its hub. */
const PARTS = ['w0-part-0', 'w0-part-1', 'w0-part-2', 'w0-part-3']

/** A site that the service and other programs write at the same time. */
export type SharedSite = { readonly writers: Writers; readonly editable: EditableSite }

/**
 * Adds pages and frames, some for the writers and some for other programs. Edits may concern any page except those whose assignments
 * writers write, and any frame that no writer writes, so that no acknowledged write is undone.
 * @param url address of the API
 */
export async function prepareSharedSite(
  fixture: TortureFixture,
  url: string,
  seed: number,
): Promise<SharedSite> {
  const { db, site } = fixture
  const { posts, postmeta, termTaxonomy, terms, termRelationships } = site.tables
  const menus: number[] = await db.sql(terms).whereIn('slug', MENUS).pluck('term_id')
  const items: number[] = await db
    .sql(termRelationships)
    .whereIn(
      'term_taxonomy_id',
      db.sql(termTaxonomy).whereIn('term_id', menus).select('term_taxonomy_id'),
    )
    .pluck('object_id')
  const { writers } = await PublishedSite.prepare(fixture, url, { seed, pages: PAGES })
  const registry = await createFrames(fixture, url, menus)
  const idsOf = (slugs: readonly string[]) => slugs.flatMap((slug) => registry.find(slug)?.id ?? [])
  const frames = idsOf(Object.keys(FRAMES))
  const assignable = [...frames, ...idsOf([MENUS_FRAME, ...PARTS])]
  const written = writers.all.map(({ page }) => page)
  const pages: number[] = await db
    .sql(posts)
    .where({ post_type: 'page' })
    .whereNotIn('ID', written)
    .orderBy('ID')
    .pluck('ID')
  const assigned = await readPostMeta(db, site, PAGE_META_KEY)
  const free = pages.filter((page) => !assigned.some(({ postId }) => postId === page))
  const rows = free.map((post_id, at) => ({
    post_id,
    meta_key: PAGE_META_KEY,
    meta_value: assignable[at % assignable.length],
  }))
  await db.sql(postmeta).insert(rows)
  return { writers, editable: { db, site, pages, items, menus, frames, assignable } }
}

/** Creates frames that show everything that a page can show. */
async function createFrames(
  { db, site, token }: TortureFixture,
  url: string,
  menus: readonly number[],
): Promise<Registry> {
  const caller = new Caller('setting up', { token, blogId: site.blogId, url })
  const shown = menus.map((menu) => `<!-- svc/menu {"menu":"${menu}"} /-->`).join('')
  const markup = { ...FRAMES, [MENUS_FRAME]: `${FRAMES.plain}${shown}` }
  for (const [slug, html] of Object.entries(markup)) {
    const { status } = await caller.call('POST', '/frames', { slug, html, bake: false })
    if (status !== 200 && status !== 201) throw new Error(`frame ${slug} was answered ${status}`)
  }
  return readRegistry(db, site)
}
