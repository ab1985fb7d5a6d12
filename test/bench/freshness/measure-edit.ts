import type { SqlDatabase } from '../../support/open-database.ts'
import type { RunningNetwork } from '../generated/create-network.ts'
import type { SitePlan } from '../generated/fill-site.ts'
import { tableOf } from '../generated/site-tables.ts'
import { staticDir } from '../setup/start-service.ts'
import { type Expectation, isMet, shows, untilMet } from './copy-watch.ts'
import { copyFile } from './measured-site.ts'

/** A statement with `?` for values and `??` for names. */
export type EditStatement = readonly [sql: string, bindings: readonly (string | number)[]]

/** An edit of a site that bypasses the service, and the copies that must follow. */
export type Edit = {
  /** Sent one after the other, each committed by itself, as WordPress does. The measured time begins when the last one is acknowledged. */
  readonly statements: readonly EditStatement[] | (() => Promise<void>)
  /** What WordPress writes after the edit, and pages do not show. */
  readonly afterwards?: readonly EditStatement[]
  readonly expected: readonly Expectation[]
}

/** What an edit in WordPress sets besides the edited columns. */
export const MODIFIED = 'post_modified = NOW(), post_modified_gmt = UTC_TIMESTAMP()'

/** How long copies are waited for, in milliseconds. */
export const LIMIT_MS = 20_000

/** Times from the acknowledgement of an edit, in milliseconds; undefined if the limit came first. */
export type EditTime = {
  /** Until the first of the expected copies was as expected. */
  readonly firstMs: number | undefined
  readonly allMs: number | undefined
}

/** Commits an edit, and waits until all expected copies are as expected. Its times are undefined if they were so before. */
export async function measureEdit(
  db: SqlDatabase,
  { statements, afterwards = [], expected }: Edit,
  limitMs = LIMIT_MS,
): Promise<EditTime> {
  if (expected.every(isMet)) {
    await commit(db, statements)
    return { firstMs: undefined, allMs: undefined }
  }
  const isOver = new AbortController()

  const watching = expected.map((one) => untilMet(one, isOver.signal))
  let limit: NodeJS.Timeout | undefined
  try {
    await commit(db, statements)
    const acknowledged = performance.now()
    limit = setTimeout(() => isOver.abort(), limitMs)
    await commit(db, afterwards)
    // A feed can be faster than the acknowledgement.
    const found = await Promise.all(watching)
    const times = found.map((at) => at && Math.max(0, at - acknowledged))
    const known = times.filter((ms) => ms !== undefined)
    return {
      firstMs: known.length > 0 ? Math.min(...known) : undefined,
      allMs: known.length === times.length ? Math.max(...known) : undefined,
    }
  } finally {
    clearTimeout(limit)
    isOver.abort()
  }
}

export async function commit(db: SqlDatabase, statements: Edit['statements']): Promise<void> {
  if (typeof statements === 'function') return statements()
  for (const [sql, bindings] of statements) await db.sql.raw(sql, bindings)
}

let marks = 0

/** A text that no page shows, also in later runs on the same network; also valid as a slug. */
export function newMark(): string {
  marks += 1
  return `m${Date.now().toString(36)}x${marks}`
}

/**
 * Edits the title of the front page of a site as another program does.
 * @returns the time until its copy shows it, in milliseconds
 * @throws Error if it does not in time
 */
export async function editFrontPage(
  { db, folder }: RunningNetwork,
  site: SitePlan,
  limitMs: number,
): Promise<number> {
  const title = `Title ${newMark()}`
  const { allMs } = await measureEdit(
    db,
    {
      statements: [
        [
          `UPDATE ?? SET post_title = ?, ${MODIFIED} WHERE ID = 1`,
          [tableOf(site.blogId, 'posts'), title],
        ],
      ],
      expected: [shows(copyFile(staticDir(folder), site), title)],
    },
    limitMs,
  )
  if (allMs !== undefined) return allMs
  throw new Error(`an edit did not arrive within ${limitMs / 1000} seconds`)
}
