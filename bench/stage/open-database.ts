import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPrivateDatabase } from '../../demo/private-database/start-private-database.ts'
import { issueToken } from '../../src/auth/tokens.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { findSite } from '../../src/wordpress/network/find-sites.ts'
import { globalTables, type Site } from '../../src/wordpress/network/site.ts'
import { loadNetwork } from '../../test/support/load-network.ts'
import type { Undo } from './undo.ts'

/** The network's super administrator. */
const ADMIN = 1
/** A site without Polylang: the plugin is not in Debian's WordPress, so that with it there would not be the same work to do. */
const DOCS = 3

/** The database that all contenders work on. */
export type StageDatabase = {
  readonly url: string
  readonly db: Database
  readonly pids: readonly number[]
  /** What the server is, as it says. */
  readonly version: string
  readonly site: Site
  readonly token: string
}

/** A network on a private durable database, with a token of an administrator's. */
export async function openStageDatabase(folder: string, undo: Undo): Promise<StageDatabase> {
  const dataDir = join(folder, 'db')
  const server = await startPrivateDatabase({ dataDir, durable: true, log: () => {} })
  undo.add(() => server.stop())
  const url = await loadNetwork(server.url, 'bench')
  const db = openDatabase({ url, poolSize: 2, log: createLog('silent') })
  undo.add(() => db.close())
  const globals = globalTables('wp_')
  await suitOlderWordPress(db)
  const site = await findSite(db, globals, DOCS)
  if (!site) throw new Error('the demo network has no site "docs"')
  const { token } = await db.write({}, (tx) =>
    issueToken(tx, globals, { userId: ADMIN, now: new Date() }),
  )
  const [[{ version }]] = await db.sql.raw('SELECT VERSION() AS version')
  const pids = [Number.parseInt(readFileSync(join(dataDir, 'server.pid'), 'utf8'), 10)]
  return { url, db, pids, version, site, token }
}

/**
 * The site as any WordPress takes it: what is autoloaded in words that WordPress 6.1 knows too, which would otherwise load every
 * option there is; addresses with names; nothing left that was computed of the old ones.
 */
async function suitOlderWordPress({ sql }: Database): Promise<void> {
  const options = `wp_${DOCS}_options`
  for (const table of ['wp_options', options]) {
    await sql(table).whereIn('autoload', ['on', 'auto', 'auto-on']).update({ autoload: 'yes' })
  }
  await sql(options)
    .where({ option_name: 'permalink_structure' })
    .update({ option_value: '/%postname%/' })
  await sql(options).where({ option_name: 'rewrite_rules' }).delete()
}
