import type { Db } from '../db/database.ts'
import { escapeLike, readRows, storeRows } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { WrittenRows } from '../wordpress/written-rows.ts'
import { seenTables } from './seen-tables.ts'

/** The options that pages may show: by name, or all with a prefix except those with a suffix. */
export type ShownOptions = {
  readonly names: readonly string[]
  readonly prefixes: readonly string[]
  readonly exceptSuffixes: readonly string[]
}

/** An option that differs from what was seen last. `digest` is undefined for a deleted option. */
export type OptionEdit = {
  readonly name: string
  /** Of its value. */
  readonly digest: number | undefined
  /** What was stored with it when it was seen last; undefined if it is new or nothing was stored. */
  readonly before: string | undefined
}

/** An edit that has been seen, with what the next comparison needs of its value. */
export type SeenOption = Pick<OptionEdit, 'name' | 'digest'> & {
  readonly value?: string | undefined
}

/** Whether pages may show an option. */
export function isShownOption(
  { names, prefixes, exceptSuffixes }: ShownOptions,
  name: string,
): boolean {
  if (names.includes(name)) return true
  return (
    prefixes.some((prefix) => name.startsWith(prefix)) &&
    !exceptSuffixes.some((suffix) => name.endsWith(suffix))
  )
}

/** A condition on the column `option_name`. The patterns are constants of this program. */
export function shownOptionsSql({ names, prefixes, exceptSuffixes }: ShownOptions): string {
  const quote = (text: string) => `'${text}'`
  const pattern = (text: string) => escapeLike(text)
  const ofPrefix = prefixes.map((prefix) => `option_name LIKE ${quote(`${pattern(prefix)}%`)}`)
  const others = exceptSuffixes.map(
    (suffix) => `option_name NOT LIKE ${quote(`%${pattern(suffix)}`)}`,
  )
  const matching = [`(${ofPrefix.join(' OR ')})`, ...others].join(' AND ')
  return `(option_name IN (${names.map(quote).join()}) OR ${matching})`
}

/**
 * Compares options with what was seen last, in two statements.
 * @param only names of options that may differ [all that pages may show]
 */
export async function findOptionEdits(
  db: Db,
  { tables, globals, blogId }: Site,
  shown: ShownOptions,
  only: ReadonlySet<string> | 'all',
): Promise<OptionEdit[]> {
  const names = only === 'all' ? [] : [...only].filter((name) => isShownOption(shown, name))
  if (only !== 'all' && names.length === 0) return []
  const values = { options: tables.options, seen: seenTables(globals).options, blogId, names }
  const [current, seen] = await Promise.all([
    readRows<{ name: string; digest: number }>(
      db,
      `SELECT option_name AS name, CRC32(option_value) AS digest FROM :options:
        WHERE ${only === 'all' ? shownOptionsSql(shown) : 'option_name IN (:names)'}`,
      values,
    ),
    readRows<{ name: string; digest: number; value: string | null }>(
      db,
      `SELECT name, digest, value FROM :seen: WHERE blog_id = :blogId
        AND ${only === 'all' ? "name NOT LIKE '@%'" : 'name IN (:names)'}`,
      values,
    ),
  ])
  const digests = new Map(current.map(({ name, digest }) => [name, digest]))
  const known = new Map(seen.map((row) => [row.name, row]))
  // The collation of the names also finds names that differ in case only.
  const wanted = only === 'all' ? [...digests.keys(), ...known.keys()] : names
  return [...new Set(wanted)]
    .filter((name) => isShownOption(shown, name))
    .filter((name) => digests.get(name) !== known.get(name)?.digest)
    .map((name) => ({
      name,
      digest: digests.get(name),
      before: known.get(name)?.value ?? undefined,
    }))
}

/** Stores that these options have been seen. */
export async function storeSeenOptions(
  tx: Tx,
  { blogId, globals }: Site,
  options: readonly SeenOption[],
): Promise<void> {
  const table = seenTables(globals).options
  const gone = options.filter(({ digest }) => digest === undefined).map(({ name }) => name)
  if (gone.length > 0) await tx.sql(table).where({ blog_id: blogId }).whereIn('name', gone).delete()
  const rows = options.flatMap(({ name, digest, value = null }) =>
    digest === undefined ? [] : [{ blog_id: blogId, name, digest, value }],
  )
  const onDuplicate = 'digest = VALUES(digest), value = VALUES(value)'
  await storeRows(tx, [{ table, rows, onDuplicate }])
}

/**
 * Marks options as seen. One whose text was made of a former one, which another program had edited before, stays an edit.
 * @param valued those whose value the next comparison needs
 */
export function markOptionsSeen(
  tx: Tx,
  { tables, globals, blogId }: Site,
  options: WrittenRows['options'],
  valued: ReadonlySet<string>,
): void {
  const values = {
    seen: seenTables(globals).options,
    sites: seenTables(globals).sites,
    options: tables.options,
    valued: ['', ...valued],
    blogId,
  }
  const namesOf = (kind: 'stored' | 'deleted') =>
    [...options].flatMap(([name, written]) => (written === kind ? name : []))
  const [stored, deleted] = [namesOf('stored'), namesOf('deleted')]
  if (deleted.length > 0)
    tx.later('DELETE FROM :seen: WHERE blog_id = :blogId AND name IN (:deleted)', {
      ...values,
      deleted,
    })
  if (stored.length > 0)
    tx.later(
      `INSERT INTO :seen: (blog_id, name, digest, value)
        SELECT k.blog_id, o.option_name, CRC32(o.option_value), IF(o.option_name IN (:valued), o.option_value, NULL)
        FROM :sites: k JOIN :options: o ON o.option_name IN (:stored) WHERE k.blog_id = :blogId
        ON DUPLICATE KEY UPDATE digest = VALUES(digest), value = VALUES(value)`,
      { ...values, stored },
    )
  for (const [name, written] of options)
    if (typeof written === 'object')
      tx.later(
        `UPDATE :seen: k JOIN :options: o ON o.option_name = :name
          SET k.digest = CRC32(o.option_value), k.value = IF(:name IN (:valued), o.option_value, k.value)
          WHERE k.blog_id = :blogId AND k.name = :name AND k.digest = :formerDigest`,
        { ...values, name, ...written },
      )
}
