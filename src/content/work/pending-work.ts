import type { Db } from '../../db/database.ts'
import { isMissingTable } from '../../db/database-error.ts'
import { readRows } from '../../db/sql.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { namesOf, type Work } from './work.ts'
import { workTables } from './work-tables.ts'

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
  const [things, wanted] = await readWork(db, site, pages)
  const frames = new Set(namesOf('frame', things))
  const toPublish = new Set(wanted.map(({ page }) => page))
  const isAny = things.some(({ kind }) => kind !== 'frame')
  const failed = new Map(
    wanted.flatMap(({ page, tries, error }) => (tries > 0 ? [[page, error ?? '']] : [])),
  )
  const hasFrame = (id: string) => isAny || frames.has(id)
  return {
    hasFrame,
    hasPage: (page, frame) => toPublish.has(page) || hasFrame(frame ?? ''),
    failureOf: (page) => failed.get(page),
  }
}

type WaitingPage = { readonly page: number; readonly tries: number; readonly error: string | null }

async function readWork(
  db: Db,
  { blogId, globals }: Site,
  pages: readonly number[] | undefined,
): Promise<[Work[], WaitingPage[]]> {
  const values = { ...workTables(globals), blogId }
  try {
    return await Promise.all([
      readRows<Work>(db, 'SELECT kind, name FROM :work: WHERE blog_id = :blogId', values),
      readRows<WaitingPage>(
        db,
        `SELECT page_id AS page, tries, error FROM :pages: WHERE blog_id = :blogId AND wanted > 0
          ${pages === undefined ? '' : 'AND page_id IN (:ids)'}`,
        { ...values, ids: [0, ...(pages ?? [])] },
      ),
    ])
  } catch (error) {
    if (isMissingTable(error)) return [[], []]
    throw error
  }
}
