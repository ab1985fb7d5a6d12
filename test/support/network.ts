import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createDatabase, runScript } from '../../src/db/run-script.ts'
import { createLog } from '../../src/log.ts'
import { findSite } from '../../src/wordpress/network/find-site.ts'
import { type GlobalTables, globalTables } from '../../src/wordpress/network/global-tables.ts'
import type { Site } from '../../src/wordpress/network/site.ts'

const DUMP = resolve(import.meta.dirname, '../../demo/network.sql')

/** A test file's own copy of the real network. */
export type TestNetwork = {
  readonly url: string
  readonly db: Database
  readonly globals: GlobalTables
  /** The site with this blog id; throws where there is none. */
  site(blogId: number): Promise<Site>
  /** Closes the pool and drops the database. */
  drop(): Promise<void>
}

export type NetworkOptions = {
  /** Base prefix; `TEST_TABLE_PREFIX` of the run, else `wp_`. */
  readonly prefix?: string
  /** Character set of every table and column; `TEST_CHARSET` of the run, else as WordPress made it. */
  readonly charset?: 'utf8mb4' | 'utf8mb3'
}

/** Loads the network into a database of its own, so that test files can't see one another. */
export async function cloneNetwork(options: NetworkOptions = {}): Promise<TestNetwork> {
  const prefix = options.prefix ?? inject('tablePrefix')
  const charset = options.charset ?? inject('charset')
  const name = `wp_frames_test_${randomBytes(6).toString('hex')}`
  const url = await createDatabase(inject('serverUrl'), name)
  await runScript(url, networkDump(prefix, charset))
  const db = openDatabase({ url, poolSize: 8, log: createLog('silent') })
  await migrate(db, prefix)
  const globals = globalTables(prefix)
  return {
    url,
    db,
    globals,
    site: async (blogId) => {
      const site = await findSite(db, globals, blogId)
      if (!site) throw new Error(`no site ${blogId}`)
      return site
    },
    drop: async () => {
      await db.sql.raw('DROP DATABASE ??', [name])
      await db.close()
    },
  }
}

/** The dump under another base prefix (it stands in table names, role options and capability keys) and character set. */
function networkDump(prefix: string, charset: string): string {
  const dump = readFileSync(DUMP, 'utf8')
    .replace(
      /^((?:DROP TABLE IF EXISTS|CREATE TABLE|INSERT INTO|\/\*!40000 ALTER TABLE) `)wp_/gm,
      `$1${prefix}`,
    )
    .replace(/'wp_((?:\d+_)?(?:capabilities|user_level|user_roles))'/g, `'${prefix}$1'`)
  if (charset === 'utf8mb4') return dump
  // What three bytes can't hold the server would turn into one `?`, and serialized lengths would be wrong.
  return dump.replaceAll('utf8mb4', charset).replace(/[\u{10000}-\u{10FFFF}]/gu, '????')
}
