import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { binlogArgs } from '../../../demo/private-database/start-server.ts'
import { migrate } from '../../../src/db/migrate.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import {
  type BenchServer,
  describeDatabase,
  loadTestNetwork,
  openForBench,
  startBenchServer,
} from '../setup/open-database.ts'
import { untilSettled } from '../setup/pending-work.ts'
import { startService } from '../setup/start-service.ts'
import type { Undo } from '../setup/undo.ts'
import { createSite } from './fill-site.ts'
import { markSeen } from './mark-seen.ts'
import { isLike, type NetworkPlan } from './plan-network.ts'
import { cloneSites } from './site-tables.ts'

/** A running server with the database of a network. */
export type RunningNetwork = BenchServer & {
  readonly db: SqlDatabase
  readonly folder: string
  readonly plan: NetworkPlan
}

/** Prints a line of progress. */
export type Report = (line: string) => void

/** Prints each line with the time since the beginning, in seconds. */
export function startReport(): Report {
  const begin = performance.now()
  return (line) => {
    const seconds = ((performance.now() - begin) / 1000).toFixed(0).padStart(5)
    console.log(`${seconds} s  ${line}`)
  }
}

/** The file that marks a folder whose network is complete. */
const MARK_FILE = 'network.json'

/**
 * Creates the database of a network in a folder, unless a former run has done it. All its sites were compared, so that nothing is built until
 * something is changed.
 * @param outer stops what runs if the program is interrupted
 */
export async function createNetwork(
  folder: string,
  plan: NetworkPlan,
  outer: Undo,
  report: Report,
): Promise<void> {
  const mark = join(folder, MARK_FILE)
  const name = JSON.stringify([plan.name, plan.models])
  if (existsSync(mark) && readFileSync(mark, 'utf8') === name) return
  report(`creating ${plan.name}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const undo = outer.part()
  const running = await startServer(folder, plan, undo, { isDurable: false, binlog: false })
  await createSites(running, report)
  const published = plan.isPublished ? plan.models.map(({ blogId }) => blogId) : []
  await markSeen(running.db, published, report)
  if (published.length > 0) await publish(running, published, undo)
  await undo.run()
  writeFileSync(mark, name)
}

/** Starts the server on the database of a network for measurements: durable, and with a binlog by row if the feed is to read it. */
export async function startNetwork(
  folder: string,
  plan: NetworkPlan,
  undo: Undo,
  { binlog = true } = {},
): Promise<RunningNetwork> {
  const running = await startServer(folder, plan, undo, { isDurable: true, binlog })
  // The network may be of a former version.
  await migrate(running.db, 'wp_')
  return running
}

/**
 * Starts the server with caches that hold all tables. Tables are in the common tablespace, so that the limit of open files of the machine does
 * not matter: with a file for each table, a server needs as many open files as the sites have tables. The server lowers `table_open_cache` at its
 * start to half of the open files that it may have, so it is set afterwards.
 */
async function startServer(
  folder: string,
  plan: NetworkPlan,
  undo: Undo,
  { isDurable, binlog }: { readonly isDurable: boolean; readonly binlog: boolean },
): Promise<RunningNetwork> {
  const { tableCache, bufferPoolMb } = plan
  const isNew = !existsSync(join(folder, 'db'))
  const server = await startBenchServer(folder, undo, {
    isDurable,
    args: [
      `--innodb-buffer-pool-size=${bufferPoolMb}M`,
      `--table-definition-cache=${tableCache}`,
      '--innodb-file-per-table=OFF',
      ...(binlog ? binlogArgs() : []),
    ],
  })
  if (isNew) await loadTestNetwork(server)
  const db = openForBench(server, undo)
  await db.sql.raw(`SET GLOBAL table_open_cache = ${tableCache}`)
  return { ...server, db, folder, plan }
}

const CLONES_PER_REPORT = 250

/** Creates the tables and rows of the sites, without static copies. */
async function createSites({ db, plan }: RunningNetwork, report: Report): Promise<void> {
  const { sites, models } = plan
  let count = 0
  const onCloned = (): void => {
    count += 1
    if (count % CLONES_PER_REPORT === 0) report(`created ${count} of ${sites.length} copies`)
  }
  for (const model of models) {
    await createSite(db, model)
    const clones = sites.filter((site) => site !== model && isLike(site, model))
    await cloneSites(db, model.blogId, clones, onCloned)
  }
}

/** Publishes the pages of these sites, whose work is recorded. */
async function publish(
  running: RunningNetwork,
  [first = 0]: readonly number[],
  undo: Undo,
): Promise<void> {
  const database = await describeDatabase(running.db, running, first)
  await startService(database, running.folder, undo, { name: 'setup' })
  await untilSettled(running.db)
}
