import type { Db } from '../db/database.ts'
import { isMissingTable } from '../db/database-error.ts'
import { readRows } from '../db/sql.ts'
import type { Site } from '../wordpress/network/site.ts'
import { namesOf, type Work } from './work.ts'
import { workTable } from './work-tables.ts'

/** What of a site is to be built: it may be outdated without being a problem. */
export type PendingWork = {
  hasFrame(id: string): boolean
  /** @param frame id of the frame of the page; undefined if it has none */
  hasPage(page: number, frame: string | undefined): boolean
  /** Why the last attempt to publish the page failed; undefined if none has. */
  failureOf(page: number): string | undefined
}

/**
 * Reads the work of a site. Work that names no frame and no page may concern any of them. A database that is not migrated has no work.
 * @param pages only the work of these pages [all], besides that of frames
 */
export async function readPendingWork(
  db: Db,
  site: Site,
  pages?: readonly number[],
): Promise<PendingWork> {
  const work = await readWork(db, site, pages)
  const frames = new Set(namesOf('frame', work))
  const toPublish = new Set(namesOf('page', work))
  const isAny = work.some(({ kind }) => kind !== 'frame' && kind !== 'page')
  const failed = new Map(
    work.flatMap(({ kind, name, tries, error }) =>
      kind === 'page' && tries > 0 ? [[name, error ?? '']] : [],
    ),
  )
  const hasFrame = (id: string) => isAny || frames.has(id)
  return {
    hasFrame,
    hasPage: (page, frame) => toPublish.has(String(page)) || hasFrame(frame ?? ''),
    failureOf: (page) => failed.get(String(page)),
  }
}

type WorkRow = Work & { readonly tries: number; readonly error: string | null }

async function readWork(
  db: Db,
  { blogId, globals }: Site,
  pages: readonly number[] | undefined,
): Promise<WorkRow[]> {
  try {
    return await readRows<WorkRow>(
      db,
      `SELECT kind, name, tries, error FROM :work: WHERE blog_id = :blogId AND kind <> 'purge'
        ${pages === undefined ? '' : "AND (kind <> 'page' OR name IN (:names))"}`,
      { work: workTable(globals), blogId, names: ['', ...(pages ?? [])].map(String) },
    )
  } catch (error) {
    if (isMissingTable(error)) return []
    throw error
  }
}
