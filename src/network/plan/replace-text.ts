import { recordOption } from '../../content/frames/option-names.ts'
import { decodeRecordOrEmpty } from '../../content/frames/record.ts'
import { readRegistry } from '../../content/frames/registry.ts'
import type { ItemInput } from '../../content/menus/item-tree.ts'
import { readPortableItems } from '../../content/menus/portable-items.ts'
import type { Db } from '../../db/database.ts'
import { escapeLike, inBatches, readRows, searchable } from '../../db/sql.ts'
import { readableMenuName } from '../../wordpress/formatting/menu-texts.ts'
import { listMenus } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOptions } from '../../wordpress/options/read-options.ts'
import { readLinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import type {
  DesiredFrame,
  DesiredMenu,
  DesiredProblem,
  DesiredSite,
} from '../description/desired-site.ts'

/** A text to replace, exactly as it is written, and its replacement. */
export type TextReplacement = { readonly from: string; readonly to: string }

/** Records that are in memory at a time. */
const BATCH_SIZE = 50

/**
 * The present state of a site with a text replaced in the markup of frames and in the addresses of custom links of menus: only the frames and
 * menus that contain it. A menu with items that cannot be written again, such as drafts, is left alone, with a warning.
 */
export async function replaceText(
  db: Db,
  site: Site,
  replacement: TextReplacement,
): Promise<DesiredSite> {
  return {
    manages: 'named',
    frames: await replaceInFrames(db, site, replacement),
    ...(await replaceInMenus(db, site, replacement)),
    pages: [],
    variables: undefined,
  }
}

async function replaceInFrames(
  db: Db,
  site: Site,
  { from, to }: TextReplacement,
): Promise<DesiredFrame[]> {
  // A record in JSON has the text with escapes.
  const rows = await readRows<{ option_name: string }>(
    db,
    `SELECT option_name FROM :options: WHERE option_name LIKE :records AND (${searchable('option_value')} LIKE :text OR option_value LIKE '{%')
      AND CHAR_LENGTH(option_name) = ${recordOption('0123456789abcdef').length}`,
    {
      options: site.tables.options,
      records: `${escapeLike(recordOption(''))}%`,
      text: `%${escapeLike(from)}%`,
    },
  )
  if (rows.length === 0) return []
  const registry = await readRegistry(db, site)
  const frames: DesiredFrame[] = []
  for (const batch of inBatches(rows, BATCH_SIZE)) {
    const names = batch.map(({ option_name }) => option_name)
    for (const [name, text] of await readOptions(db, site, names)) {
      const frame = registry.find(name.slice(recordOption('').length))
      if (!frame) continue
      const { html } = decodeRecordOrEmpty(text, frame.id, frame.slug)
      // The column's collation ignores case.
      if (!html.includes(from)) continue
      frames.push({ slug: frame.slug, html: html.replaceAll(from, () => to), formerly: [] })
    }
  }
  return frames
}

async function replaceInMenus(
  db: Db,
  site: Site,
  replacement: TextReplacement,
): Promise<Required<Pick<DesiredSite, 'menus' | 'warnings'>>> {
  const links = await readLinkSettings(db, site)
  const menus: DesiredMenu[] = []
  const warnings: DesiredProblem[] = []
  for (const { id, name, slug } of await listMenus(db, site)) {
    const { items, leftOut } = await readPortableItems(db, site, links, id)
    const replaced = items.map((item) => replaceInItem(item, links.home, replacement))
    if (replaced.every((item, index) => item === items[index])) continue
    if (leftOut.length > 0)
      warnings.push({ kind: 'menu', name: slug, reason: 'menu_left_alone', message: LEFT_ALONE })
    else
      menus.push({
        name: readableMenuName(name),
        slug,
        formerly: [],
        locations: [],
        tree: { items: replaced, problems: [] },
      })
  }
  return { menus, warnings }
}

const LEFT_ALONE =
  'It contains the text, but also items that are drafts or link something that is gone, so it is left alone.'

/** The item with its address replaced; the item itself if the address does not contain the text. */
function replaceInItem(item: ItemInput, home: string, { from, to }: TextReplacement): ItemInput {
  const replace = (text: string) => text.replaceAll(from, () => to)
  const { url, object } = item
  if (object?.kind === 'address' && object.url.includes(from))
    return { ...item, object: { ...object, url: replace(object.url) } }
  if (url === undefined) return item
  if (url.includes(from)) return { ...item, url: replace(url) }
  // A path of the site was stored with the site's address.
  const full = `${home}${url}`
  return url.startsWith('/') && full.includes(from) ? { ...item, url: replace(full) } : item
}
