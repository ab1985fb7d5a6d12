import type { Db } from '../../db/database.ts'
import { inBatches } from '../../db/sql.ts'
import { BackgroundLoop } from '../../host/concurrency/background-loop.ts'
import type { Log } from '../../host/log.ts'
import { listManageableSites } from '../network/find-sites.ts'
import type { GlobalTables } from '../network/site.ts'
import { describeDifference } from './describe-difference.ts'
import { readTables } from './read-tables.ts'
import type { TableDifference } from './table-differences.ts'
import { findDifferences } from './table-knowledge.ts'

/** Sites whose tables are looked up in the information schema at once. */
const SITES_PER_STATEMENT = 50
/** How many sites the log names. */
const MAX_NAMED = 20
/** The longest pause of a timer, 24 days. */
const ONCE = 2 ** 31 - 1

type SurveyOptions = { readonly db: Db; readonly globals: GlobalTables; readonly log: Log }

/** Compares the tables of all sites once after the start of a process, so that the log says which sites cannot be written before somebody tries. */
export class TableSurvey {
  readonly #loop: BackgroundLoop

  constructor(options: SurveyOptions) {
    this.#loop = new BackgroundLoop(async (signal) => {
      try {
        await surveyTables(options, signal)
        return ONCE
      } catch (error) {
        options.log.warn({ err: error }, 'could not compare the tables of sites')
        return options.db.timings.db.pruneIntervalMs
      }
    })
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }
}

async function surveyTables(
  { db, globals, log }: SurveyOptions,
  signal: AbortSignal,
): Promise<void> {
  const refused = new Map<number, TableDifference>()
  for (const sites of inBatches(await listManageableSites(db, globals), SITES_PER_STATEMENT)) {
    if (signal.aborted) return
    const states = await readTables(
      db,
      sites.flatMap(({ tables }) => Object.values(tables)),
    )
    for (const { blogId, tables } of sites) {
      const differences = await findDifferences(db, tables, states)
      const refusing = differences.find(({ refusesWrites }) => refusesWrites)
      if (refusing) refused.set(blogId, refusing)
    }
  }
  const [first] = refused.values()
  if (!first) return
  log.warn(
    { sites: [...refused.keys()].slice(0, MAX_NAMED), count: refused.size },
    `writes to sites are refused, because their tables are not as WordPress makes them. ${describeDifference(first).message} "wp-frames doctor" says what to repair`,
  )
}
