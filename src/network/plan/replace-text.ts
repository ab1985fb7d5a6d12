import { MAX_MARKUP_BYTES } from '../../content/frames/frame-markup.ts'
import { recordOption } from '../../content/frames/option-names.ts'
import { decodeRecordOrEmpty } from '../../content/frames/record.ts'
import { readRegistry } from '../../content/frames/registry.ts'
import { type ItemInput, type ItemProblem, MAX_URL_LENGTH } from '../../content/menus/item-tree.ts'
import { readPortableItems } from '../../content/menus/portable-items.ts'
import type { Db } from '../../db/database.ts'
import { escapeLike, inBatches, readRows, searchable } from '../../db/sql.ts'
import { AppError } from '../../host/errors.ts'
import { readableMenuName } from '../../wordpress/formatting/menu-texts.ts'
import { listMenus } from '../../wordpress/nav-menus/nav-menu.ts'
import { isMenuTooLarge } from '../../wordpress/nav-menus/read-menu.ts'
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
  replacement: TextReplacement,
): Promise<DesiredFrame[]> {
  const { from } = replacement
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
      const replaced = replaceWithin(html, replacement, Math.max(MAX_MARKUP_BYTES, html.length))
      if (replaced === undefined) throw tooLarge(frame.slug)
      frames.push({ slug: frame.slug, html: replaced, formerly: [] })
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
  const leaveAlone = (name: string, message: string): void =>
    void warnings.push({ kind: 'menu', name, reason: 'menu_left_alone', message })
  for (const { id, name, slug } of await listMenus(db, site)) {
    const read = await readPortableItems(db, site, links, id).catch((error) => {
      if (!isMenuTooLarge(error)) throw error
      leaveAlone(slug, error.message)
    })
    if (!read) continue
    const { items, leftOut } = read
    const problems: ItemProblem[] = []
    const replaced = items.map((item) => replaceInItem(item, links.home, replacement, problems))
    if (problems.length === 0 && replaced.every((item, index) => item === items[index])) continue
    if (leftOut.length > 0) leaveAlone(slug, LEFT_ALONE)
    else
      menus.push({
        name: readableMenuName(name),
        slug,
        formerly: [],
        locations: [],
        tree: { items: replaced, problems },
      })
  }
  return { menus, warnings }
}

const LEFT_ALONE =
  'It contains the text, but also items that are drafts or link something that is gone, so it is left alone.'

const tooLarge = (slug: string): AppError =>
  new AppError(
    'frame_too_large',
    `With the text replaced, the markup of the frame "${slug}" would have more than ${MAX_MARKUP_BYTES} bytes.`,
    { max_bytes: MAX_MARKUP_BYTES },
  )

/**
 * A text with another one replaced; undefined if it would have more characters than `most`: a short text that is replaced by a long one would take gigabytes.
 */
function replaceWithin(
  text: string,
  { from, to }: TextReplacement,
  most: number,
): string | undefined {
  let length = text.length
  for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + from.length))
    length += to.length - from.length
  return length > most ? undefined : text.replaceAll(from, () => to)
}

/**
 * The item with its address replaced; the item itself if the address does not contain the text.
 * @param problems receives that of an address that would be too long
 */
function replaceInItem(
  item: ItemInput,
  home: string,
  replacement: TextReplacement,
  problems: ItemProblem[],
): ItemInput {
  const { from } = replacement
  const replace = (text: string): string => {
    const replaced = replaceWithin(text, replacement, Math.max(MAX_URL_LENGTH, text.length))
    if (replaced !== undefined) return replaced
    const message = `With the text replaced, its address would have more than ${MAX_URL_LENGTH} characters.`
    problems.push({ at: item.at, reason: 'url_too_long', message })
    return text
  }
  const { url, object } = item
  if (object?.kind === 'address' && object.url.includes(from))
    return { ...item, object: { ...object, url: replace(object.url) } }
  if (url === undefined) return item
  if (url.includes(from)) return { ...item, url: replace(url) }
  // A path of the site was stored with the site's address.
  const full = `${home}${url}`
  return url.startsWith('/') && full.includes(from) ? { ...item, url: replace(full) } : item
}
