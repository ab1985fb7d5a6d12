import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { COPY_FILE } from '../../../src/build/publishing/static-path.ts'
import { recordChange } from '../../../src/content/work/record-work.ts'
import { workOn } from '../../../src/content/work/work.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { freePort } from '../../support/free-port.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import { Random } from '../../torture/support/random.ts'
import type { Contender } from '../contender.ts'
import type { BenchDatabase } from '../setup/open-database.ts'
import { startService, staticDir } from '../setup/start-service.ts'
import type { Undo } from '../setup/undo.ts'
import { createBenchDatabase } from './bench-database.ts'
import { CopyWatch, shows } from './copy-watch.ts'
import { MODIFIED } from './edits/edit.ts'
import { type EditGauge, LIMIT_MS, measureEdit, newMark, untilSettled } from './measure-edit.ts'
import { MeasuredSite } from './measured-site.ts'
import type { NetworkPlan } from './network/create-network.ts'
import { getSite, type SitePlan } from './network/fill-site.ts'
import {
  DATABASE_NAME,
  type NetworkServer,
  openNetworkDatabase,
  startNetworkServer,
} from './network/network-server.ts'
import { tableOf } from './network/site-tables.ts'
import { PASSES, type PassName } from './passes.ts'

/** The running database and service of a pass, and the sites whose edits are measured. */
export type RunningPass = {
  readonly folder: string
  readonly plan: NetworkPlan
  readonly database: BenchDatabase
  readonly service: Contender
  readonly metricsUrl: string
  readonly small: MeasuredSite
  readonly large: MeasuredSite
  readonly gauge: EditGauge
}

/** Maximum pause between two edits that follow one another: shorter than that of a poll, because a feed has no rounds. */
const FEED_PAUSE_MS = 300

/** Starts the database with the binlog of the pass, and the service with a feed or a poll. */
export async function startPass(
  folder: string,
  plan: NetworkPlan,
  name: PassName,
  undo: Undo,
): Promise<RunningPass> {
  const { binlog, watchSeconds, hasFeed } = PASSES[name]
  const server = await startNetworkServer(folder, undo, { binlog, isDurable: true })
  const db = openNetworkDatabase(server, undo)
  // The network may be of a former version.
  await migrate(db, 'wp_')
  const { blogId } = plan.large
  const database = await createBenchDatabase(db, { url: server.url, pids: server.pids, blogId })
  await publishAgain(db, folder, plan)
  const metricsPort = await freePort()
  const service = await startService(database, folder, undo, {
    name,
    env: {
      WATCH_SECONDS: String(watchSeconds),
      METRICS_PORT: String(metricsPort),
      ...(hasFeed ? { FEED_DATABASE_URL: await createFeedAccount(db, server) } : {}),
    },
  })
  const random = new Random(1)
  return {
    folder,
    plan,
    database,
    service,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    small: await MeasuredSite.open(db, plan.small, staticDir(folder)),
    large: await MeasuredSite.open(db, plan.large, staticDir(folder)),
    gauge: {
      db,
      watch: new CopyWatch(),
      limitMs: LIMIT_MS,
      random: () => random.next(),
      pauseMs: hasFeed ? FEED_PAUSE_MS : watchSeconds * 1000,
    },
  }
}

/**
 * Records the work to publish the measured sites, if an edit has left them without copies for good.
 * @returns whether there was such a site
 */
export async function publishAgain(
  db: SqlDatabase,
  folder: string,
  { small, large }: NetworkPlan,
): Promise<boolean> {
  const isMissing = ({ domain, path }: SitePlan) =>
    !existsSync(join(staticDir(folder), domain, path, COPY_FILE))
  const missing = [small, large].filter(isMissing)
  for (const { blogId } of missing) {
    const site = await getSite(db, blogId)
    const change = { bake: true, work: workOn('all') }
    await db.write({ site }, (tx) => recordChange(tx, site, change))
  }
  return missing.length > 0
}

const FEED_ACCOUNT = "'feed'@'127.0.0.1'"

/** Creates the account of the feed, and returns the address with it. */
export async function createFeedAccount(
  { sql }: SqlDatabase,
  { url }: NetworkServer,
): Promise<string> {
  await sql.raw(`CREATE USER IF NOT EXISTS ${FEED_ACCOUNT} IDENTIFIED BY 'feed'`)
  await sql.raw(`GRANT REPLICATION SLAVE ON *.* TO ${FEED_ACCOUNT}`)
  await sql.raw(`GRANT SELECT ON ${DATABASE_NAME}.* TO ${FEED_ACCOUNT}`)
  const address = new URL(url)
  address.username = 'feed'
  address.password = 'feed'
  return address.href
}

/** How long the first comparison of all sites may take, in milliseconds. */
const MAX_START_MS = 180_000
const MAX_SETTLE_MS = 300_000

/**
 * Waits until an edit of the site with the highest id arrives, and until no work is left: then the service has compared all sites. A second
 * edit arrives by the feed, if there is one.
 * @returns the times until the edits arrived, in milliseconds
 * @throws Error if one does not arrive
 */
export async function untilWatched(pass: RunningPass): Promise<[number, number]> {
  const { gauge } = pass
  const first = await edit(pass, MAX_START_MS)
  await untilSettled(gauge.db, { limitMs: MAX_SETTLE_MS })
  return [first, await edit(pass, gauge.limitMs)]
}

async function edit({ gauge, folder, plan }: RunningPass, limitMs: number): Promise<number> {
  const last = plan.clones.at(-1) ?? plan.models.at(-1) ?? plan.large
  const title = `Title ${newMark()}`
  const { allMs } = await measureEdit(
    { ...gauge, limitMs },
    {
      statements: [
        [
          `UPDATE ?? SET post_title = ?, ${MODIFIED} WHERE ID = 1`,
          [tableOf(last.blogId, 'posts'), title],
        ],
      ],
      expected: [shows(join(staticDir(folder), last.domain, last.path, COPY_FILE), title)],
    },
  )
  if (allMs === undefined)
    throw new Error(`an edit did not arrive within ${limitMs / 1000} seconds`)
  return allMs
}
