import type { Db } from '../../db/database.ts'
import { characterReference, storableTexts } from '../../db/sql.ts'
import type { Site } from '../network/site.ts'
import type { ItemLink } from './new-item.ts'

/** The texts of an item that may hold any character. */
type ItemTexts = {
  readonly link?: ItemLink
  readonly title?: string
  readonly attrTitle?: string
  readonly description?: string
}

/** Those in the table of posts, and their columns. */
const TEXT_COLUMNS = [
  ['title', 'post_title'],
  ['attrTitle', 'post_excerpt'],
  ['description', 'post_content'],
] as const

/**
 * Items as the tables of the site can hold them: without characters of four bytes, where these are utf8mb3. Texts get references
 * instead, as WordPress gives them (wp_encode_emoji, formatting.php); addresses are percent-encoded, where WordPress would lose them.
 */
export async function storableItems<T extends ItemTexts>(
  db: Db,
  { tables }: Site,
  items: readonly T[],
): Promise<readonly T[]> {
  let storable = items
  for (const [field, column] of TEXT_COLUMNS) {
    const texts = items.map((item) => item[field] ?? '')
    const place = { table: tables.posts, column }
    const stored = await storableTexts(db, place, texts, characterReference)
    if (stored === texts) continue
    storable = storable.map((item, index) =>
      item[field] === undefined ? item : { ...item, [field]: stored[index] },
    )
  }
  const urls = items.map(({ link }) => (link?.type === 'custom' ? link.url : ''))
  const place = { table: tables.postmeta, column: 'meta_value' }
  const stored = await storableTexts(db, place, urls, encodeURIComponent)
  if (stored === urls) return storable
  return storable.map((item, index) =>
    item.link?.type === 'custom' ? { ...item, link: { ...item.link, url: stored[index] } } : item,
  )
}
