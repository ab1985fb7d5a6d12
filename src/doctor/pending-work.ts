import type { Db } from '../db/database.ts'
import { isMissingTable } from '../db/database-error.ts'
import { readRows } from '../db/sql.ts'
import type { Site } from '../wordpress/network/site.ts'
import { type Work, workTable } from '../work/work-tables.ts'

/** What of a site is to be built: it may be outdated without being a problem. */
export type PendingWork = {
  hasFrame(id: string): boolean
  /** @param frame id of the frame of the page; undefined if it has none */
  hasPage(page: number, frame: string | undefined): boolean
}

/** Work that names no frame and no page may concern any of them. A database that is not migrated has no work. */
export async function readPendingWork(db: Db, site: Site): Promise<PendingWork> {
  const work = await readWork(db, site)
  const namesOf = (kind: Work['kind']) =>
    new Set(work.filter((one) => one.kind === kind).map(({ name }) => name))
  const [frames, pages] = [namesOf('frame'), namesOf('page')]
  const isAny = work.some(({ kind }) => kind !== 'frame' && kind !== 'page')
  const hasFrame = (id: string) => isAny || frames.has(id)
  return {
    hasFrame,
    hasPage: (page, frame) => pages.has(String(page)) || hasFrame(frame ?? ''),
  }
}

async function readWork(db: Db, { blogId, globals }: Site): Promise<Work[]> {
  try {
    return await readRows<Work>(db, 'SELECT kind, name FROM :work: WHERE blog_id = :blogId', {
      work: workTable(globals),
      blogId,
    })
  } catch (error) {
    if (isMissingTable(error)) return []
    throw error
  }
}
