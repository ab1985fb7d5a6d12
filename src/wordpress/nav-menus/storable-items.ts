import type { Db } from '../../db/database.ts'
import { characterReference, storableTexts } from '../../db/storable-text.ts'
import type { Site } from '../network/site.ts'
import type { ItemLink } from './new-item.ts'

/**
 * Items as the tables of the site can hold them: without characters of four bytes, where these are utf8mb3. Titles get references
 * instead, as WordPress gives them (wp_encode_emoji, formatting.php); addresses are percent-encoded, where WordPress would lose them.
 */
export async function storableItems<
  T extends { readonly link?: ItemLink; readonly title?: string },
>(db: Db, { tables }: Site, items: readonly T[]): Promise<T[]> {
  const titles = await storableTexts(
    db,
    { table: tables.posts, column: 'post_title' },
    items.map(({ title }) => title ?? ''),
    characterReference,
  )
  const urls = await storableTexts(
    db,
    { table: tables.postmeta, column: 'meta_value' },
    items.map(({ link }) => link?.url ?? ''),
    encodeURIComponent,
  )
  return items.map((item, index) => ({
    ...item,
    ...(item.title === undefined ? {} : { title: titles[index] ?? '' }),
    ...(item.link?.url === undefined ? {} : { link: { url: urls[index] ?? '' } }),
  }))
}
