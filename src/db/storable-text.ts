import type { Db } from './database.ts'

const BEYOND_THREE_BYTES = /[\u{10000}-\u{10ffff}]/gu

/**
 * The texts as a column can hold them: where its character set has no characters of four bytes (utf8mb3), each of these is given to
 * `encode`. Without such a character nothing is asked of the database.
 */
export async function storableTexts(
  db: Db,
  { table, column }: { readonly table: string; readonly column: string },
  texts: readonly string[],
  encode: (character: string) => string,
): Promise<readonly string[]> {
  if (!texts.some((text) => text.search(BEYOND_THREE_BYTES) >= 0)) return texts
  const row: { charset: string } | undefined = await db
    .sql('information_schema.columns')
    .select({ charset: 'character_set_name' })
    .whereRaw('table_schema = DATABASE()')
    .where({ table_name: table, column_name: column })
    .first()
  if (row?.charset !== 'utf8' && row?.charset !== 'utf8mb3') return texts
  return texts.map((text) => text.replace(BEYOND_THREE_BYTES, encode))
}

/** A character as a reference to it, in WordPress's spelling (wp_encode_emoji, formatting.php). */
export function characterReference(character: string): string {
  return `&#x${character.codePointAt(0)?.toString(16)};`
}
