import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../../../src/db/migrate.ts'
import { loadNetwork } from '../../support/load-network.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import { sqlOf } from '../../support/statements.ts'
import { addressOf, FIRST_ID, publishSites } from '../freshness/network/create-network.ts'
import { createSite, type SitePlan } from '../freshness/network/fill-site.ts'
import {
  DATABASE_NAME,
  type NetworkServer,
  openNetworkDatabase,
  startNetworkServer,
} from '../freshness/network/network-server.ts'
import { cloneSites } from '../freshness/network/site-tables.ts'
import type { Report } from '../freshness/progress.ts'
import { Undo } from '../setup/undo.ts'
import { markSeen } from './mark-seen.ts'

/** Of a hundred sites, how many have how many pages. Sites with two languages have each page in both. */
export const DISTRIBUTION = [
  { percent: 80, pageCount: 3, hasLanguages: false },
  { percent: 15, pageCount: 8, hasLanguages: true },
  { percent: 4, pageCount: 30, hasLanguages: true },
  { percent: 1, pageCount: 100, hasLanguages: false },
] as const

/** A generated network. */
export type SizedNetwork = {
  /** Identifies what is generated. */
  readonly name: string
  /** The sites that all others are copies of, by their number of pages. */
  readonly models: readonly SitePlan[]
  /** All generated sites, models included, by id. */
  readonly sites: readonly SitePlan[]
  /** The sites whose pages have static copies from the beginning. */
  readonly published: readonly SitePlan[]
  readonly settings: ServerSettings
}

/** Each hundred sites have the whole distribution; the first of each row is the model of the others. @param count at least 100 */
export function planSites(count: number): SizedNetwork {
  const sites = Array.from({ length: count }, (_, index): SitePlan[] => {
    const row = rowAt(index)
    return row ? [{ ...row, ...addressOf(FIRST_ID + index) }] : []
  }).flat()
  const models = DISTRIBUTION.flatMap(
    ({ pageCount }) => sites.find((site) => site.pageCount === pageCount) ?? [],
  )
  const name = JSON.stringify({ sites: count, DISTRIBUTION })
  return { name, models, sites, published: models, settings: settingsFor(count) }
}

/** A network of one site with this number of pages, besides those of the test network. */
export function planPages(pageCount: number): SizedNetwork {
  const sites = [{ ...addressOf(FIRST_ID), pageCount, hasLanguages: true }]
  const name = JSON.stringify({ pages: pageCount })
  const settings = { ...settingsFor(1), bufferPoolMb: POOL_MB_OF_PAGES }
  return { name, models: sites, sites, published: [], settings }
}

function rowAt(index: number): (typeof DISTRIBUTION)[number] | undefined {
  let end = 0
  return DISTRIBUTION.find(({ percent }) => {
    end += percent
    return index % 100 < end
  })
}

const TABLES_PER_SITE = 10
/** Of the test network, the service and the server. */
const OTHER_TABLES = 300
const MIN_POOL_MB = 256
const POOL_MB_PER_SITE = 0.8
const POOL_MB_OF_PAGES = 1024

/** The settings of the database server for this number of sites. */
export type ServerSettings = {
  readonly tableCache: number
  readonly bufferPoolMb: number
}

export const settingsFor = (sites: number): ServerSettings => ({
  tableCache: sites * TABLES_PER_SITE + OTHER_TABLES,
  bufferPoolMb: Math.round(MIN_POOL_MB + sites * POOL_MB_PER_SITE),
})

/** A running server with the database of a network. */
export type RunningNetwork = NetworkServer & { readonly db: SqlDatabase; readonly folder: string }

/**
 * Starts the server with caches that hold all tables. Tables are in the common tablespace, so that the limit of open files of the machine does
 * not matter: with a file for each table, a server needs as many open files as the sites have tables.
 */
async function startSizedServer(
  folder: string,
  { tableCache, bufferPoolMb }: ServerSettings,
  undo: Undo,
  isDurable: boolean,
): Promise<NetworkServer> {
  return startNetworkServer(folder, undo, {
    binlog: isDurable ? 'ROW' : 'none',
    isDurable,
    settings: [
      `--innodb-buffer-pool-size=${bufferPoolMb}M`,
      `--table-definition-cache=${tableCache}`,
      '--innodb-file-per-table=OFF',
    ],
  })
}

/** Opens the database. The server lowers `table_open_cache` at its start to half of the open files that it may have, so it is set here. */
async function openSizedDatabase(
  folder: string,
  { tableCache }: ServerSettings,
  server: NetworkServer,
  undo: Undo,
): Promise<RunningNetwork> {
  const db = openNetworkDatabase(server, undo)
  await sqlOf(db).raw(`SET GLOBAL table_open_cache = ${tableCache}`)
  return { ...server, db, folder }
}

/** The file that marks a folder whose network is complete. */
const MARK_FILE = 'network.json'
const CLONES_PER_REPORT = 250

/**
 * Creates the database of a network in a folder, unless a former run has done it. All its sites were compared, so that nothing is built until
 * something is changed.
 */
export async function createSizedNetwork(
  folder: string,
  network: SizedNetwork,
  undo: Undo,
  report: Report,
): Promise<void> {
  const { name, published, settings } = network
  const mark = join(folder, MARK_FILE)
  if (existsSync(mark) && readFileSync(mark, 'utf8') === name) return
  report(`creating ${name}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const processes = new Undo()
  undo.add(() => processes.run())
  const server = await startSizedServer(folder, settings, processes, false)
  await loadNetwork(server.serverUrl, DATABASE_NAME)
  const { db } = await openSizedDatabase(folder, settings, server, processes)
  await createSites(db, network, report)
  const ids = published.map(({ blogId }) => blogId)
  await markSeen(db, ids, report)
  const publishing = { folder, sites: published, url: server.url, undo: processes, report }
  if (published.length > 0) await publishSites(db, publishing)
  await processes.run()
  writeFileSync(mark, name)
}

async function createSites(
  db: SqlDatabase,
  { models, sites }: SizedNetwork,
  report: Report,
): Promise<void> {
  for (const model of models) await createSite(db, model)
  let count = 0
  const onCloned = (): void => {
    count += 1
    if (count % CLONES_PER_REPORT === 0) report(`created ${count} of ${sites.length} copies`)
  }
  for (const model of models) {
    const clones = sites.filter(
      (site) => site.pageCount === model.pageCount && site.blogId !== model.blogId,
    )
    await cloneSites(db, model.blogId, clones, onCloned)
  }
}

/** Starts the server on the database of a network for measurements: durable, and with a binlog by row. The network may be of a former version. */
export async function startSizedNetwork(
  folder: string,
  { settings }: SizedNetwork,
  undo: Undo,
): Promise<RunningNetwork> {
  const server = await startSizedServer(folder, settings, undo, true)
  const running = await openSizedDatabase(folder, settings, server, undo)
  await migrate(running.db, 'wp_')
  return running
}
