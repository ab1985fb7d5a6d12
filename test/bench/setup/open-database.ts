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

/** The database that all contenders use. */
export type BenchDatabase = {
  readonly url: string
  readonly db: SqlDatabase
  readonly pids: readonly number[]
  /** The server's version string. */
  readonly version: string
  readonly site: Site
  readonly token: string
}

/** Opens a private durable database with the test network, and issues a token of an administrator. */
export async function openBenchDatabase(folder: string, undo: Undo): Promise<BenchDatabase> {
  const dataDir = join(folder, 'db')
  const server = await startPrivateDatabase({ dataDir, durable: true, log: () => {} })
  undo.add(() => server.stop())
  const url = await loadNetwork(server.url, 'bench')
  const log = createLog('silent')
  const db = withBuilder(openDatabase({ url, poolSize: 2, log, timings: TIMINGS }), url)
  undo.add(() => db.close())
  const globals = globalTables('wp_')
  await adaptToOlderWordPress(db)
  const site = await findSite(db, globals, DOCS)
  if (!site) throw new Error('the test network has no site "docs"')
  const { token } = await db.write({}, (tx) =>
    issueToken(tx, globals, { userId: ADMIN, now: new Date() }),
  )
  const [[{ version }]] = await db.sql.raw('SELECT VERSION() AS version')
  const pids = [Number.parseInt(readFileSync(join(dataDir, 'server.pid'), 'utf8'), 10)]
  return { url, db, pids, version, site, token }
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
