import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { findNewerMigrations, migrate, pendingMigrations } from '../../src/db/migrate.ts'
import { emptyDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/open-database.ts'
import { use } from '../support/use.ts'

const FOLDER = resolve(import.meta.dirname, '../../sql/migrations')
const FILES = readdirSync(FOLDER).sort()
/** The migration after which one table has the tasks. */
const MOVED = '0025-things-pages-tasks-incompatible.sql'

const FORMER_TABLES = [
  ['0006-feed.sql', 'svc_feed'],
  ['0013-network.sql', 'svc_scrub'],
  ['0004-work.sql', 'svc_copies'],
] as const
const FORMER = { id: 1, due_at: '2026-01-01' }

const database = await use(emptyDatabase())
/** A separate pool, which the database sees as a separate process. */
const connect = () => use(openTestDatabase({ url: database.url }))
const db = await connect()
const applied = () => db.sql('wp_svc_migrations')
/** Applies migrations again that were applied before. */
const repeat = async (...names: string[]): Promise<void> => {
  await applied().whereIn('name', names).delete()
  await migrate(db, 'wp_')
}
const tables = async (): Promise<string[]> => {
  const rows = await db
    .sql('information_schema.tables')
    .select({ name: 'table_name' })
    .whereRaw('table_schema = DATABASE()')
  return rows.map(({ name }) => name).sort()
}

/** Creates the tables as they were before that migration. */
async function createFormerTables(): Promise<void> {
  for (const [file, table] of FORMER_TABLES) {
    const [create = ''] =
      new RegExp(`CREATE TABLE [^;]*${table}[^;]*`).exec(
        readFileSync(join(FOLDER, file), 'utf8'),
      ) ?? []
    await db.sql.raw(create.replace('{prefix}', 'wp_'))
  }
}

it('the migrations of an empty database are all pending, and are applied once', async () => {
  expect(await findNewerMigrations(db, 'wp_')).toEqual({ tolerated: [], incompatible: [] })
  expect(await pendingMigrations(db, 'wp_')).toEqual(FILES)
  expect(await tables()).toEqual([])
  expect(await migrate(db, 'wp_')).toEqual(FILES)
  expect(await tables()).toEqual(expect.arrayContaining(['wp_svc_migrations', 'wp_svc_tokens']))
  await db
    .sql('wp_svc_tokens')
    .insert({ user_id: 1, hash: Buffer.alloc(32), created_at: '2026-01-01' })
  expect(await migrate(db, 'wp_')).toEqual([])
  expect(await db.sql('wp_svc_tokens')).toHaveLength(1)
})

it('the migrations run once in ten processes, with tables of their own for each base prefix', async () => {
  expect(await pendingMigrations(db, 'net7_')).toEqual(FILES)
  const pools = await Promise.all(Array.from({ length: 10 }, connect))
  const run = await Promise.all(pools.map((pool) => migrate(pool, 'net7_')))
  expect(new Set(run.flat())).toEqual(new Set(FILES))
  expect(await db.sql('net7_svc_migrations').orderBy('name').pluck('name')).toEqual(FILES)
  expect(await pendingMigrations(db, 'net7_')).toEqual([])
  expect(await tables()).toEqual(expect.arrayContaining(['wp_svc_tokens', 'net7_svc_tokens']))
})

it('the migrations continue after an interrupted run', async () => {
  await applied().delete()
  expect(await pendingMigrations(db, 'wp_')).toEqual(FILES)
  expect(await migrate(db, 'wp_')).toEqual(FILES)
})

it('a statement that the server ends because of a deadlock runs again', async () => {
  const table = 'net7_svc_migrations'
  await db.sql(table).where({ name: FILES[0] }).delete()
  await db.sql.raw('CREATE TABLE deadlocks (n int) ENGINE=MyISAM')
  await db.sql.raw(`CREATE TRIGGER deadlock BEFORE INSERT ON ${table} FOR EACH ROW
    IF (SELECT COUNT(*) FROM deadlocks) < 3 THEN
      INSERT INTO deadlocks VALUES (1);
      SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'Deadlock found';
    END IF`)
  expect(await migrate(db, 'net7_')).toEqual([FILES[0]])
  expect(await db.sql('deadlocks')).toHaveLength(3)
  await db.sql.raw('DROP TRIGGER deadlock')
  await db.sql.raw('DROP TABLE deadlocks')
})

it('migrations of a newer version are tolerated, or refused, by their names', async () => {
  const rows = ['9001-more.sql', '9002-renamed-incompatible.sql']
  for (const name of rows) await applied().insert({ name, applied_at: '2026-01-01' })
  expect(await findNewerMigrations(db, 'wp_')).toEqual({
    tolerated: ['9001-more.sql'],
    incompatible: ['9002-renamed-incompatible.sql'],
  })
  expect(await pendingMigrations(db, 'wp_')).toEqual([])
  await applied().whereIn('name', rows).delete()
})

it('the feed and the scrub go on where they were when their tables are replaced, also if the migration runs twice', async () => {
  await db.sql('wp_svc_tasks').delete()
  await createFormerTables()
  await db.sql('wp_svc_feed').insert({ ...FORMER, server: 'db 3306 1', position: '0-1-7' })
  await db.sql('wp_svc_scrub').insert({ ...FORMER, blog_id: 2, page_id: 9, is_urgent: 1 })
  for (let run = 0; run < 2; run += 1) await repeat(MOVED)
  const rows: { name: string; state: string }[] = await db.sql('wp_svc_tasks').orderBy('name')
  expect(rows.map(({ name, state }) => [name, JSON.parse(state)])).toEqual([
    ['feed', { server: 'db 3306 1', position: '0-1-7' }],
    ['scrub', { blogId: 2, page: 9, isUrgent: true }],
  ])
  expect(await tables()).not.toContain('wp_svc_feed')
})

it('copies, pages that wait and purges become rows of pages, also if the migration runs twice', async () => {
  await createFormerTables()
  const copy = {
    url: 'http://net.test/',
    source: 'f1',
    digest: 'd1',
    file_time: 5,
    html_bytes: 6,
    bytes: 7,
  }
  await db.sql('wp_svc_copies').insert([
    { ...copy, blog_id: 2, page_id: 7, version: 3 },
    { ...copy, blog_id: 2, page_id: 8, version: 4 },
  ])
  const row = { blog_id: 2, version: 9, since: '2026-01-01', due_at: '2026-01-01' }
  await db.sql('wp_svc_work').insert([
    { ...row, kind: 'frame', name: 'f1' },
    { ...row, kind: 'page', name: '8' },
    { ...row, kind: 'page', name: '9' },
    { ...row, kind: 'purge', name: '7' },
    { ...row, kind: 'purge', name: '7 abcd1234' },
    { ...row, kind: 'purge', name: '' },
  ])
  for (let run = 0; run < 2; run += 1) await repeat(MOVED)
  const pages = await db
    .sql('wp_svc_pages')
    .orderBy('page_id')
    .select('page_id', 'url', 'version', 'digest', 'wanted', 'purge_by')
  expect(pages.map((page) => Object.values(page))).toEqual([
    [0, null, 0, null, 0, '*'],
    [7, copy.url, 3, 'd1', 0, '*'],
    [8, copy.url, 4, 'd1', 9, null],
    [9, null, 0, null, 9, null],
  ])
  expect(await db.sql('wp_svc_work').pluck('kind')).toEqual(['frame'])
  expect(await tables()).not.toContain('wp_svc_copies')
})

it("the texts have own collations in tables and columns, so that neither a former version nor a dump brings the server's default", async () => {
  const collations = async (): Promise<string[]> => {
    const rows = await db
      .sql('information_schema.columns')
      .whereRaw('table_schema = DATABASE() AND collation_name IS NOT NULL')
      .distinct({ name: 'collation_name' })
    return rows.map(({ name }) => name).sort()
  }
  const own = ['ascii_bin', 'ascii_general_ci', 'utf8mb4_bin']
  expect(await collations()).toEqual(own)
  await db.sql.raw(
    'ALTER TABLE wp_svc_tokens MODIFY label varchar(200) CHARACTER SET utf8mb4 NOT NULL',
  )
  expect(await collations()).toHaveLength(own.length + 1)
  await createFormerTables()
  await repeat('0007-collations.sql', MOVED)
  expect(await collations()).toEqual(own)
  const ofTables = await db
    .sql('information_schema.tables')
    .whereRaw('table_schema = DATABASE()')
    .distinct({ collation: 'table_collation' })
  expect(ofTables).toEqual([{ collation: 'utf8mb4_bin' }])
})
