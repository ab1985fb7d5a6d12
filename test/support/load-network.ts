import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createDatabase, runScript } from '../../demo/private-database/run-script.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openTestDatabase } from './open-database.ts'

const DUMP = resolve(import.meta.dirname, '../data/network.sql')

/** The base prefix and the character set of a network's tables. */
export type NetworkKind = { readonly prefix: string; readonly charset: 'utf8mb4' | 'utf8mb3' }

/** Creates a database with the test network in it, migrated, and gives its address. */
export async function loadNetwork(
  serverUrl: string,
  name: string,
  kind: NetworkKind = { prefix: 'wp_', charset: 'utf8mb4' },
): Promise<string> {
  const url = await createDatabase(serverUrl, name)
  await runScript(url, dumpOf(kind))
  const db = openTestDatabase({ url })
  await migrate(db, kind.prefix)
  await db.close()
  return url
}

/** The dump under another base prefix (table names, role options and capability keys contain it) and character set. */
function dumpOf({ prefix, charset }: NetworkKind): string {
  const dump = readFileSync(DUMP, 'utf8')
    .replace(
      /^((?:DROP TABLE IF EXISTS|CREATE TABLE|INSERT INTO|\/\*!40000 ALTER TABLE) `)wp_/gm,
      `$1${prefix}`,
    )
    .replace(/'wp_((?:\d+_)?(?:capabilities|user_level|user_roles))'/g, `'${prefix}$1'`)
  if (charset === 'utf8mb4') return dump
  // A column of three bytes stores `?` for a character of four, and the lengths in serialized values would be wrong.
  return dump.replaceAll('utf8mb4', charset).replace(/[\u{10000}-\u{10FFFF}]/gu, '????')
}
