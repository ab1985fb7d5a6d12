import { removeValue, SerializedError } from '#php-serialized'
import { REGISTRY_OPTION } from '../content/frames/option-names.ts'
import type { Db } from '../db/database.ts'
import { readRows, runStatement, storeRows } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import { sha256Hex } from '../host/hash.ts'
import { isPolylangIn, POLYLANG_SETTING } from '../wordpress/languages/polylang-activity.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOptions } from '../wordpress/options/read-options.ts'
import type { WrittenRows } from '../wordpress/written-rows.ts'
import { seenTables } from './seen-tables.ts'
import { isShownOption, SHOWN_OPTIONS } from './shown-content.ts'

/** An option that differs from what was seen last. */
export type OptionEdit = {
  readonly name: string
  /** Of its value; undefined for a deleted option. */
  readonly digest: number | undefined
  /** What was remembered of its value when it was seen last; undefined if it is new or nothing was stored. */
  readonly before: string | undefined
  /** What is to be remembered of its value. */
  readonly after: string | undefined
}

/** What is remembered of the values of options: what the next edit is compared with, to find what it touches. */
const REMEMBERED: Readonly<Record<string, (value: string) => string>> = {
  [REGISTRY_OPTION]: (text) => text,
  show_on_front: (text) => text,
  page_on_front: (text) => text,
  page_for_posts: (text) => text,
  active_plugins: (text) => String(isPolylangIn(text)),
  [POLYLANG_SETTING]: (text) => text,
  polylang: (text) => sha256Hex(withoutMenus(text)),
}

/** Polylang's settings without its map of menus, which says nothing about URLs. */
function withoutMenus(polylang: string): string {
  try {
    return removeValue(polylang, ['nav_menus'])
  } catch (error) {
    if (error instanceof SerializedError) return polylang
    throw error
  }
}

/**
 * Compares options with what was seen last, in three statements.
 * @param only names of options that may differ [all that pages may show]
 */
export async function findOptionEdits(
  db: Db,
  site: Site,
  only: ReadonlySet<string> | 'all',
): Promise<OptionEdit[]> {
  const names = only === 'all' ? [] : [...only].filter(isShownOption)
  if (only !== 'all' && names.length === 0) return []
  const { tables, globals, blogId } = site
  const values = { options: tables.options, seen: seenTables(globals).options, blogId, names }
  const [current, seen] = await Promise.all([
    readRows<{ name: string; digest: number }>(
      db,
      `SELECT option_name AS name, CRC32(option_value) AS digest FROM :options:
        WHERE ${only === 'all' ? SHOWN_OPTIONS : 'option_name IN (:names)'}`,
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
  const edited = [...new Set(wanted)]
    .filter(isShownOption)
    .filter((name) => digests.get(name) !== known.get(name)?.digest)
  const texts = await readOptions(
    db,
    site,
    edited.filter((name) => name in REMEMBERED),
  )
  return edited.map((name) => {
    const text = texts.get(name)
    return {
      name,
      digest: digests.get(name),
      before: known.get(name)?.value ?? undefined,
      after: text === undefined ? undefined : REMEMBERED[name]?.(text),
    }
  })
}

/** Stores that these options have been seen. */
export async function storeSeenOptions(
  tx: Tx,
  { blogId, globals }: Site,
  options: readonly Omit<OptionEdit, 'before'>[],
): Promise<void> {
  const table = seenTables(globals).options
  const gone = options.filter(({ digest }) => digest === undefined).map(({ name }) => name)
  if (gone.length > 0)
    await runStatement(tx, 'DELETE FROM :seen: WHERE blog_id = :blogId AND name IN (:gone)', {
      seen: table,
      blogId,
      gone,
    })
  const rows = options.flatMap(({ name, digest, after = null }) =>
    digest === undefined ? [] : [{ blog_id: blogId, name, digest, value: after }],
  )
  const onDuplicate = 'digest = VALUES(digest), value = VALUES(value)'
  await storeRows(tx, [{ table, rows, onDuplicate }])
}

/** Marks options as seen. One whose text was made of a former one, which another program had edited before, stays an edit. */
export function markOptionsSeen(
  tx: Tx,
  { tables, globals, blogId }: Site,
  options: WrittenRows['options'],
): void {
  const values = {
    seen: seenTables(globals).options,
    sites: seenTables(globals).sites,
    options: tables.options,
    registry: REGISTRY_OPTION,
    blogId,
  }
  const namesOf = (kind: 'stored' | 'deleted') =>
    [...options].flatMap(([name, written]) => (written === kind && isShownOption(name) ? name : []))
  const [stored, deleted] = [namesOf('stored'), namesOf('deleted')]
  if (deleted.length > 0)
    tx.later('DELETE FROM :seen: WHERE blog_id = :blogId AND name IN (:deleted)', {
      ...values,
      deleted,
    })
  if (stored.length > 0)
    tx.later(
      `INSERT INTO :seen: (blog_id, name, digest, value)
        SELECT k.blog_id, o.option_name, CRC32(o.option_value), IF(o.option_name = :registry, o.option_value, NULL)
        FROM :sites: k JOIN :options: o ON o.option_name IN (:stored) WHERE k.blog_id = :blogId
        ON DUPLICATE KEY UPDATE digest = VALUES(digest), value = VALUES(value)`,
      { ...values, stored },
    )
  for (const [name, written] of options)
    if (typeof written === 'object' && isShownOption(name))
      tx.later(
        `UPDATE :seen: k JOIN :options: o ON o.option_name = :name
          SET k.digest = CRC32(o.option_value), k.value = IF(k.name = :registry, o.option_value, k.value)
          WHERE k.blog_id = :blogId AND k.name = :name AND k.digest = :formerDigest`,
        { ...values, name, ...written },
      )
}
