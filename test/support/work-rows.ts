import { workTable } from '../../src/work/work-tables.ts'
import type { TestNetwork } from './network.ts'

/** A row of the work table; times in seconds from now. */
export type WorkRow = {
  readonly kind?: string
  readonly name?: string
  /** When it was touched [100 seconds ago]. */
  readonly since?: number
  /** When it may be claimed [in five minutes, so that no worker of the test claims it]. */
  readonly due?: number
  /** Claimed by a worker. */
  readonly isClaimed?: boolean
  readonly tries?: number
  readonly error?: string
}

/** Replaces the work of a site. */
export async function putWork(
  { db, globals }: Pick<TestNetwork, 'db' | 'globals'>,
  blogId: number,
  rows: readonly WorkRow[],
): Promise<void> {
  const table = workTable(globals)
  const fromNow = (seconds: number) => db.sql.raw('NOW(6) + INTERVAL ? SECOND', [seconds])
  await db.sql(table).where({ blog_id: blogId }).delete()
  for (const row of rows) {
    const { kind = 'page', name = '', since = -100, due = 300, isClaimed = false } = row
    const { tries = 0, error = null } = row
    await db.sql(table).insert({
      blog_id: blogId,
      kind,
      name,
      version: 1,
      tries,
      error,
      since: fromNow(since),
      due_at: fromNow(due),
      owner: isClaimed ? '0123456789abcdef' : null,
    })
  }
}
