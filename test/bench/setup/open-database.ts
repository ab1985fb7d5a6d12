import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPrivateDatabase } from '../../../demo/private-database/start-private-database.ts'
import { openDatabase } from '../../../src/db/database.ts'
import { createLog } from '../../../src/host/log.ts'
import { TIMINGS } from '../../../src/host/timings.ts'
import { issueToken } from '../../../src/record/auth/tokens.ts'
import { findSite } from '../../../src/wordpress/network/find-sites.ts'
import { globalTables, type Site } from '../../../src/wordpress/network/site.ts'
import { loadNetwork } from '../../support/load-network.ts'
import { type SqlDatabase, withBuilder } from '../../support/open-database.ts'
import type { Undo } from './undo.ts'

/** User id of the network's super administrator. */
const ADMIN = 1
/** A site without Polylang: Debian's WordPress lacks the plugin, so the contenders would not do the same work with it. */
const DOCS = 3
const DATABASE_NAME = 'bench'

/** A database server on a data directory that several starts may share. */
export type BenchServer = {
  /** Its address, without the name of a database. */
  readonly serverUrl: string
  /** The address of the database of the benchmark, which may not exist yet. */
  readonly url: string
  readonly pids: readonly number[]
}

/** The database that all contenders use. */
export type BenchDatabase = {
  readonly url: string
  readonly db: SqlDatabase
  readonly pids: readonly number[]
  /** The server's version string. */
  readonly version: string
  /** The measured site, with a token of an administrator. */
  readonly site: Site
  readonly token: string
}

/**
 * Starts a private server.
 * @param isDurable whether its commits survive a power failure
 * @param args its arguments besides the usual ones
 */
export async function startBenchServer(
  folder: string,
  undo: Undo,
  { isDurable = true, args = [] }: { isDurable?: boolean; args?: readonly string[] } = {},
): Promise<BenchServer> {
  const dataDir = join(folder, 'db')
  const server = await startPrivateDatabase({
    dataDir,
    durable: isDurable,
    extraArgs: args,
    log: () => {},
  })
  undo.add(() => server.stop())
  const url = Object.assign(new URL(server.url), { pathname: `/${DATABASE_NAME}` })
  const pids = [Number.parseInt(readFileSync(join(dataDir, 'server.pid'), 'utf8'), 10)]
  return { serverUrl: server.url, url: url.href, pids }
}

/** Creates the database, with the test network in it. */
export const loadTestNetwork = async ({ serverUrl }: BenchServer): Promise<void> =>
  void (await loadNetwork(serverUrl, DATABASE_NAME))

const CONNECTIONS = 16
/** A statement may fill a site of 100,000 pages. */
const REPLY_TIMEOUT_MS = 600_000

/** Opens the database for the benchmark itself. */
export function openForBench({ url }: BenchServer, undo: Undo): SqlDatabase {
  const timings = { ...TIMINGS, db: { ...TIMINGS.db, replyTimeoutMs: REPLY_TIMEOUT_MS } }
  const log = createLog('silent')
  const db = withBuilder(openDatabase({ url, poolSize: CONNECTIONS, log, timings }), url)
  undo.add(() => db.close())
  return db
}

/** The database with one of its sites, and a new token. */
export async function describeDatabase(
  db: SqlDatabase,
  { url, pids }: BenchServer,
  blogId: number,
): Promise<BenchDatabase> {
  const site = await getSite(db, blogId)
  const { token } = await db.write({}, (tx) =>
    issueToken(tx, site.globals, { userId: ADMIN, now: new Date() }),
  )
  const [[{ version }]] = await db.sql.raw('SELECT VERSION() AS version')
  return { url, db, pids, version, site, token }
}

/** @throws Error if there is no site with this blog id */
export async function getSite(db: SqlDatabase, blogId: number): Promise<Site> {
  const site = await findSite(db, globalTables('wp_'), blogId)
  if (!site) throw new Error(`there is no site ${blogId}`)
  return site
}

/** Opens a private durable database with the test network. */
export async function openBenchDatabase(folder: string, undo: Undo): Promise<BenchDatabase> {
  const server = await startBenchServer(folder, undo)
  await loadTestNetwork(server)
  const db = openForBench(server, undo)
  await adaptToOlderWordPress(db)
  return describeDatabase(db, server, DOCS)
}

/**
 * Adapts the site to older versions of WordPress: values of `autoload` that WordPress 6.1 knows (with unknown ones it would load all
 * options), permalinks with names, and no rewrite rules computed for the old ones.
 */
async function adaptToOlderWordPress({ sql }: SqlDatabase): Promise<void> {
  const options = `wp_${DOCS}_options`
  for (const table of ['wp_options', options]) {
    await sql(table).whereIn('autoload', ['on', 'auto', 'auto-on']).update({ autoload: 'yes' })
  }
  await sql(options)
    .where({ option_name: 'permalink_structure' })
    .update({ option_value: '/%postname%/' })
  await sql(options).where({ option_name: 'rewrite_rules' }).delete()
}
