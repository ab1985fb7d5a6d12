import { setMaxListeners } from 'node:events'
import type { Knex } from 'knex'
import type { Contender } from '../contender.ts'
import { figuresOf, resetPeaks } from '../load/process-figures.ts'
import { type ReadTimes, readMeanwhile } from '../publication/small-reads.ts'
import { shows } from './copy-watch.ts'
import { MODIFIED } from './edits/edit.ts'
import { takePage } from './edits/page-edits.ts'
import { type EditGauge, newMark, untilSettled } from './measure-edit.ts'
import type { MeasuredSite } from './measured-site.ts'

/** Many rows changed in one transaction, which also edits pages of the large site. */
export type MillionRows = {
  readonly rows: number
  /** From the commit until the copies of the edited pages showed them, in milliseconds; undefined if the limit came first. */
  readonly shownMs: number | undefined
  /** From the commit until the service had no work, in milliseconds. */
  readonly settledMs: number
  /** Resident memory of the service: its peak from the beginning of the transaction. */
  readonly peakBytes: number
  /** CPU time of the service. */
  readonly cpuMs: number
  /** Small reads through the API from the beginning of the transaction until the service had no work. */
  readonly reads: ReadTimes
}

/** Where the rows are. */
export type MillionRowsKind = {
  readonly title: string
  change(transaction: Knex.Transaction, site: MeasuredSite, rows: number): Promise<void>
  /** Removes the rows. */
  undo(site: MeasuredSite): Promise<void>
}

const EDITED_PAGES = 20
const OTHER_DATABASE = 'other_program'

export const MILLION_ROWS: readonly MillionRowsKind[] = [
  {
    title: 'in the database of another program',
    change: async (transaction, _, rows) => {
      await transaction.raw(
        `INSERT INTO ${OTHER_DATABASE}.measurements (value) SELECT REPEAT('x', 100) FROM ${numbersBelow(rows)}`,
      )
    },
    undo: async ({ db }) => {
      await db.sql.raw(`TRUNCATE TABLE ${OTHER_DATABASE}.measurements`)
    },
  },
  {
    title: 'in postmeta of the large site',
    change: async (transaction, site, rows) => {
      await transaction.raw(
        `INSERT INTO ?? (post_id, meta_key, meta_value)
          SELECT 1 + n % ${site.pages.length}, 'views', n FROM ${numbersBelow(rows)}`,
        [site.table('postmeta')],
      )
    },
    undo: async (site) => {
      await site.db.sql(site.table('postmeta')).where({ meta_key: 'views' }).delete()
    },
  },
]

/** A table with the numbers from 0 in its column `n`: only MariaDB has one. */
function numbersBelow(count: number): string {
  const digits =
    '(SELECT 0 AS d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)'
  const powers = Array.from(String(count - 1), (_, power) => power)
  const number = powers.map((power) => `d${power}.d * ${10 ** power}`).join(' + ')
  const tables = powers.map((power) => `${digits} d${power}`).join(', ')
  return `(SELECT n FROM (SELECT ${number} AS n FROM ${tables}) numbers WHERE n < ${count}) numbers`
}

/** Creates the table of the other program. */
export async function createOtherDatabase({ db }: MeasuredSite): Promise<void> {
  await db.sql.raw(`CREATE DATABASE IF NOT EXISTS ${OTHER_DATABASE}`)
  await db.sql.raw(
    `CREATE TABLE IF NOT EXISTS ${OTHER_DATABASE}.measurements
      (id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, value varchar(100) NOT NULL)`,
  )
}

/** Changes the rows and edits pages in one transaction, and waits until the service has no work. */
export async function measureMillionRows(
  gauge: EditGauge,
  service: Contender,
  site: MeasuredSite,
  { change }: MillionRowsKind,
  rows: number,
): Promise<MillionRows> {
  const { db, watch, limitMs } = gauge
  const title = `Title ${newMark()}`
  const pages = Array.from({ length: EDITED_PAGES }, () => takePage(site, 'unlisted'))
  const pids = service.processes()
  resetPeaks(pids)
  const before = figuresOf(pids)
  const { result, reads } = await readMeanwhile(service, async () => {
    await db.sql.transaction(async (transaction) => {
      await change(transaction, site, rows)
      await transaction.raw(`UPDATE ?? SET post_title = ?, ${MODIFIED} WHERE ID IN (?)`, [
        site.table('posts'),
        title,
        pages.map(({ id }) => id),
      ])
    })
    const committed = performance.now()
    const limit = AbortSignal.timeout(limitMs)
    setMaxListeners(pages.length, limit)
    const shown = await Promise.all(
      pages.map((page) => watch.until(shows(site.fileOf(page), title), limit)),
    )
    await untilSettled(db, { limitMs })
    const known = shown.filter((at) => at !== undefined)
    return {
      shownMs: known.length === pages.length ? Math.max(...known) - committed : undefined,
      settledMs: performance.now() - committed,
    }
  })
  const own = figuresOf(pids)
  return { rows, ...result, reads, peakBytes: own.peakBytes, cpuMs: own.cpuMs - before.cpuMs }
}
