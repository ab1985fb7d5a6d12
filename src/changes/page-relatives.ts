import { closureFrames } from '../build/baking/closure.ts'
import { readCopyRecords } from '../build/publishing/copies-table.ts'
import type { FrameGraph } from '../content/frames/graph.ts'
import { PAGE_META_KEY } from '../content/frames/option-names.ts'
import type { Db } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import type { Languages } from '../wordpress/languages/languages.ts'
import type { Site } from '../wordpress/network/site.ts'
import { type Post, readPosts } from '../wordpress/pages/posts.ts'
import { readPostsMeta } from '../wordpress/postmeta.ts'
import { type PostEdit, readSeenPaths } from './seen-posts.ts'

/** Edited pages, by what their edits change. */
export type EditedPages = {
  /** The URL of the page, who may see it, its language or its translations. */
  readonly moved: ReadonlySet<number>
  /** What lists of pages show of it: title, dates. */
  readonly relisted: ReadonlySet<number>
  /** Its own output. */
  readonly own: ReadonlySet<number>
}

export type RelativesContext = {
  readonly db: Db
  readonly site: Site
  readonly languages: Languages
  readonly graph: FrameGraph
  /** No more pages than this are of interest. */
  readonly limit: number
}

/**
 * The pages whose static copies an edit of these pages changes: the pages themselves, those below them, their parents, their translations, and
 * other pages at their URLs. Only pages that have a frame or a copy, and only if their frames show what changed.
 * @param edits the edits of the pages, for their former parents
 * @returns undefined if there may be more than `limit`
 */
export async function findAffectedPages(
  context: RelativesContext,
  pages: EditedPages,
  edits: readonly PostEdit[],
): Promise<Set<number> | undefined> {
  const { db, site, limit } = context
  const below = await readDescendants(db, site, new Set([...pages.moved, ...pages.relisted]))
  const affected = new Relatives(pages)
  const belowMoved = below.filter(({ top }) => pages.moved.has(top)).map(({ id }) => id)
  const moved = new Set([...pages.moved, ...belowMoved])
  if (moved.size > limit || below.length > limit) return undefined
  for (const id of moved) affected.always.add(id)
  for (const { id } of below) affected.showingAncestors.add(id)
  const posts = await readPosts(db, site, context.languages, {
    ids: [...new Set([...moved, ...pages.relisted])],
  })
  for (const id of [...moved, ...pages.relisted]) {
    const parent = posts.get(id)?.parent ?? 0
    if (parent > 0) affected.showingChildren.add(parent)
  }
  for (const { before } of edits)
    if (before && before.parent > 0) affected.showingChildren.add(before.parent)
  for (const id of moved)
    for (const translation of posts.get(id)?.translations.values() ?? [])
      affected.always.add(translation)
  for (const id of await findPagesTranslatedBy(context, moved)) affected.always.add(id)
  for (const id of await findPagesAtSamePaths(context, moved, posts)) affected.always.add(id)
  return affected.withFrames(context)
}

/** Candidates, by what their frames must show for them to be affected. */
class Relatives {
  readonly always: Set<number>
  readonly showingAncestors = new Set<number>()
  readonly showingChildren = new Set<number>()

  constructor({ own, moved }: EditedPages) {
    this.always = new Set([...own, ...moved])
  }

  async withFrames({ db, site, graph, limit }: RelativesContext): Promise<Set<number> | undefined> {
    const all = [...new Set([...this.always, ...this.showingAncestors, ...this.showingChildren])]
    if (all.length > limit) return undefined
    const [frames, copies] = await Promise.all([
      readPostsMeta(db, site, all, PAGE_META_KEY),
      readCopyRecords(db, site, all),
    ])
    const shows = (id: number, source: string) => showsSource(graph, frames.get(id), source)
    return new Set(
      all.filter(
        (id) =>
          (this.always.has(id) && (frames.has(id) || copies.has(id))) ||
          (this.showingAncestors.has(id) && shows(id, 'page.ancestors')) ||
          (this.showingChildren.has(id) && shows(id, 'page.children')),
      ),
    )
  }
}

/** Whether a frame, or one that it embeds, reads a source. */
function showsSource(graph: FrameGraph, frame: string | undefined, source: string): boolean {
  if (frame === undefined) return false
  return closureFrames(graph, frame).some(({ meta }) =>
    meta.sources.some((name) => name === source || name.startsWith(`${source}.`)),
  )
}

type Descendant = { readonly id: number; readonly top: number }

/** The pages below these pages at any depth, each with the page of these that it is below. A cycle of parents ends. */
async function readDescendants(
  db: Db,
  { tables }: Site,
  tops: ReadonlySet<number>,
): Promise<Descendant[]> {
  if (tops.size === 0) return []
  return readRows<Descendant>(
    db,
    `WITH RECURSIVE below (id, top) AS (
        SELECT ID, post_parent FROM :posts: WHERE post_parent IN (:tops) AND post_type = 'page'
        UNION
        SELECT child.ID, below.top FROM below JOIN :posts: child ON child.post_parent = below.id
        WHERE child.post_type = 'page'
      ) SELECT id, top FROM below`,
    { posts: tables.posts, tops: [...tops] },
  )
}

/** The pages whose groups of translations list one of these pages. A plugin may have removed the page itself from the group. */
async function findPagesTranslatedBy(
  { db, site, languages }: RelativesContext,
  moved: ReadonlySet<number>,
): Promise<number[]> {
  if (moved.size === 0 || languages.list.length === 0) return []
  const { termTaxonomy, termRelationships } = site.tables
  const rows = await readRows<{ object_id: number }>(
    db,
    `SELECT DISTINCT tr.object_id FROM :taxonomy: tt
      JOIN :relationships: tr ON tr.term_taxonomy_id = tt.term_taxonomy_id
      WHERE tt.taxonomy = 'post_translations' AND tt.description REGEXP :members`,
    {
      taxonomy: termTaxonomy,
      relationships: termRelationships,
      members: `[:"](${[...moved].map(Number).join('|')})[;"]`,
    },
  )
  return rows.map(({ object_id }) => object_id)
}

/** Pages with the same path as a moved page has now or had before: which of them visitors see may have changed. */
async function findPagesAtSamePaths(
  { db, site, languages }: RelativesContext,
  moved: ReadonlySet<number>,
  posts: ReadonlyMap<number, Post>,
): Promise<number[]> {
  const present = [...moved].flatMap((id) => posts.get(id)?.path ?? [])
  const former = await readSeenPaths(db, site, [...moved])
  const paths = new Set([...present, ...former.values()].filter((path) => path !== ''))
  if (paths.size === 0) return []
  const slugs = [...paths].map((path) => path.slice(path.lastIndexOf('/') + 1))
  const found = await readPosts(db, site, languages, { type: 'page', slugs: [...new Set(slugs)] })
  return [...found.values()].filter(({ path }) => paths.has(path)).map(({ id }) => id)
}
