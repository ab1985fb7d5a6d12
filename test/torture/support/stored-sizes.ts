import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readRows } from '../../../src/db/sql.ts'
import type { SqlDatabase } from '../../support/open-database.ts'

/** How much a table, or a folder, takes. */
export type StoredSize = { readonly count: number; readonly megabytes: number }

/** The rows and sizes of the service's tables, by their names without prefix, as the server estimates the size. */
export async function readTableSizes(db: SqlDatabase): Promise<Map<string, StoredSize>> {
  const names = await tablesOf(db)
  // The estimates follow changes late.
  for (const { name } of names) await db.sql.raw('ANALYZE TABLE ??', [name])
  const sizes = new Map<string, StoredSize>()
  for (const { name, bytes } of await tablesOf(db)) {
    const [[{ count }]] = await db.sql.raw('SELECT COUNT(*) AS count FROM ??', [name])
    sizes.set(name.slice(name.indexOf('svc_')), { count, megabytes: Number(bytes) / 1e6 })
  }
  return sizes
}

function tablesOf(db: SqlDatabase): Promise<{ name: string; bytes: number }[]> {
  return readRows(
    db,
    `SELECT TABLE_NAME AS name, DATA_LENGTH + INDEX_LENGTH AS bytes FROM information_schema.TABLES
      WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME LIKE '%\\_svc\\_%' ORDER BY TABLE_NAME`,
    {},
  )
}

/** The files in a folder and in all folders below it. */
export async function readFolderSize(folder: string): Promise<StoredSize> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  let bytes = 0
  for (const { parentPath, name } of files) {
    // Others may remove it meanwhile.
    const found = await stat(join(parentPath, name)).catch(() => undefined)
    bytes += found?.size ?? 0
  }
  return { count: files.length, megabytes: bytes / 1e6 }
}

export const describeSize = ({ count, megabytes }: StoredSize): string =>
  `${count} in ${megabytes.toFixed(1)} MB`
