import type { Db } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { FrameGraph } from './graph.ts'
import { type OptionRow, VERSIONED_OPTIONS_SQL, optionsOf, peekCachedGraph, versionIn, versionedBindings } from './graph-cache.ts'
import type { Frame } from './lock-frames.ts'
import { PAGE_META_KEY, metaOption, recordOption } from './option-names.ts'
import { frameIn, withFreshMetas } from './read-frame.ts'
import { readSiteGraph } from './read-graph.ts'
import { readRegistry } from './registry.ts'

/** A frame whole, among the others of its site. */
export type SiteFrame = Frame & {
  readonly graph: FrameGraph
  /** Ids of the pages that stand on it, in order. */
  readonly pages: readonly number[]
}

/**
 * The frame of `{ref}`: in one statement, where the graph that is held is the database's still.
 * @throws AppError `frame_ref_required`, `frame_not_found`, `frame_unreadable`
 */
export async function getFrame(db: Db, site: Site, ref: string): Promise<SiteFrame> {
  const held = peekCachedGraph(db, site)
  const guess = held?.graph.registry.find(ref)
  if (held && guess) {
    const { options, pages } = await readFrameRows(db, site, guess.id)
    if (versionIn(options) === held.version)
      return withGraphAndPages(frameIn(db, options, guess), held.graph, pages)
  }
  const graph = await readSiteGraph(db, site)
  const name = graph.registry.get(ref)
  const { options, pages } = await readFrameRows(db, site, name.id)
  // Deleted since the graph was read, unless it is listed still and has lost its record.
  if (!options.has(recordOption(name.id))) (await readRegistry(db, site)).get(name.id)
  return withGraphAndPages(frameIn(db, options, name), graph, pages)
}

function withGraphAndPages(frame: Frame, graph: FrameGraph, pages: readonly number[]): SiteFrame {
  return { ...frame, graph: withFreshMetas(graph, [frame]), pages }
}

/** The rows of the frame and of the version, in one statement. */
async function readFrameRows(db: Db, site: Site, id: string) {
  const rows = await readRows<OptionRow>(
    db,
    `${VERSIONED_OPTIONS_SQL}
      UNION ALL SELECT :pageKey, post_id FROM :postmeta:
      WHERE meta_key = :pageKey AND meta_value = :id`,
    {
      ...versionedBindings(site, [recordOption(id), metaOption(id)]),
      postmeta: site.tables.postmeta,
      pageKey: PAGE_META_KEY,
      id,
    },
  )
  const pages = rows.filter((row) => row.option_name === PAGE_META_KEY)
  const ids = new Set(pages.map((row) => Number(row.option_value)))
  return { options: optionsOf(rows), pages: [...ids].sort((a, b) => a - b) }
}
