import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { SiteData } from '../../../src/build/baking/site-data.ts'
import { openBuilder } from '../../../src/build/executor/builder.ts'
import { findEditedSites } from '../../../src/changes/find-edited-sites.ts'
import { openDatabase } from '../../../src/db/database.ts'
import { createLog } from '../../../src/host/log.ts'
import { TIMINGS } from '../../../src/host/timings.ts'
import { examineNetwork } from '../../../src/network/doctor/examine.ts'
import { globalTables } from '../../../src/wordpress/network/site.ts'
import { type SqlDatabase, withBuilder } from '../../support/open-database.ts'
import { createNetwork, type NetworkPlan } from '../freshness/network/create-network.ts'
import { getSite } from '../freshness/network/fill-site.ts'
import {
  type NetworkServer,
  openNetworkDatabase,
  startNetworkServer,
} from '../freshness/network/network-server.ts'
import { startReport } from '../freshness/progress.ts'
import type { FreshnessOptions } from '../freshness/run-freshness.ts'
import { figuresOf } from '../load/process-figures.ts'
import { staticDir } from '../setup/start-service.ts'
import type { Undo } from '../setup/undo.ts'
import { StatementTimes } from './statement-times.ts'

const TIMES = 5
/** As the command `doctor` does. */
const SITES_AT_ONCE = 4
const SHOWN_STATEMENTS = 12
const GLOBALS = globalTables('wp_')

/**
 * Measures what depends on the number of sites and pages, in this process: what a bake reads for a list of all pages, a round of the poll, and
 * the doctor on the whole network.
 */
export async function runSites(
  { sites, pages, folder: kept }: Pick<FreshnessOptions, 'sites' | 'pages' | 'folder'>,
  undo: Undo,
): Promise<void> {
  const folder = kept ? resolve(kept) : mkdtempSync(join(tmpdir(), 'wp-frames-sites-'))
  if (kept === undefined) undo.add(() => rmSync(folder, { recursive: true, force: true }))
  const plan = await createNetwork(folder, { sites, pages }, undo, startReport())
  const server = await startNetworkServer(folder, undo, { binlog: 'none', isDurable: true })
  openNetworkDatabase(server, undo)
  const { url } = server
  const log = createLog('silent')
  const db = withBuilder(openDatabase({ url, poolSize: 10, log, timings: TIMINGS }), url)
  undo.add(() => db.close())
  await measureList(db, plan)
  await measureRounds(db, server)
  await measureDoctor(db, server, folder)
}

/** Time in which the main thread was busy, and CPU time of this process and of the database, in milliseconds. */
async function measure(
  { pids }: Pick<NetworkServer, 'pids'>,
  title: string,
  work: () => Promise<number>,
): Promise<void> {
  const [begin, loop, own] = [
    performance.now(),
    performance.eventLoopUtilization(),
    process.cpuUsage(),
  ]
  const database = figuresOf(pids).cpuMs
  const count = await work()
  const { user, system } = process.cpuUsage(own)
  const each = (ms: number): string => (ms / count).toFixed(2)
  const figures = [
    `${each(performance.now() - begin)} ms`,
    `main thread ${each(performance.eventLoopUtilization(loop).active)}`,
    `CPU ${each((user + system) / 1000)} + database ${each(figuresOf(pids).cpuMs - database)}`,
    `load ${loadavg()[0]?.toFixed(1)}`,
  ]
  console.log(`${title.padEnd(34)} ${figures.join(', ')}`)
}

/** What a bake reads for a list of all pages, in each language. */
async function measureList(db: SqlDatabase, { large }: NetworkPlan): Promise<void> {
  const site = await getSite(db, large.blogId)
  const nothing = { site: [], settings: [], menus: [], datasets: [], page: [], languages: false }
  for (let time = 0; time < TIMES; time += 1)
    await measure({ pids: [] }, `list of ${large.pageCount} pages`, () =>
      db.snapshot(async (reads) => {
        const data = new SiteData(reads, site)
        for (const lang of await data.languageSlugs())
          data.digestOf(await data.values({ ...nothing, pages: true }, lang))
        return 1
      }),
    )
}

/** Per site. Nothing is recorded, so each round compares all sites. */
async function measureRounds(db: SqlDatabase, server: NetworkServer): Promise<void> {
  for (let time = 0; time < TIMES; time += 1)
    await measure(server, 'round of the poll, per site', async () => {
      for await (const _ of findEditedSites(db, GLOBALS));
      return countSites(db)
    })
}

async function countSites(db: SqlDatabase): Promise<number> {
  const [[{ sites }]] = await db.sql.raw('SELECT COUNT(*) AS sites FROM ??', [GLOBALS.blogs])
  return sites
}

/** Per site, and the statements that take most of the time. */
async function measureDoctor(
  db: SqlDatabase,
  server: NetworkServer,
  folder: string,
): Promise<void> {
  const options = { db, globals: GLOBALS, log: createLog('silent'), staticDir: staticDir(folder) }
  const { executor, copies, close } = openBuilder(options)
  const services = { ...options, executor, copies, now: () => new Date() }
  try {
    for (let time = 0; time < 2; time += 1)
      await measure(server, 'doctor, per site', async () => {
        await examineNetwork(services, { sitesAtOnce: SITES_AT_ONCE })
        return countSites(db)
      })
    const times = new StatementTimes()
    await examineNetwork({ ...services, db: times.watch(db) }, { sitesAtOnce: SITES_AT_ONCE })
    for (const line of times.lines(await countSites(db), SHOWN_STATEMENTS)) console.log(line)
  } finally {
    await close()
  }
}
