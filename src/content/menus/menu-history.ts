import type { Tx } from '../../db/transaction.ts'
import { mapYielding } from '../../host/concurrency/for-each.ts'
import { inTimeSlice } from '../../host/concurrency/time-slices.ts'
import { sha256Hex } from '../../host/hash.ts'
import type { HistoryAction } from '../../record/history/history-row.ts'
import { recordHistory, type ThingState } from '../../record/history/record-history.ts'
import { readableMenuName } from '../../wordpress/formatting/menu-texts.ts'
import {
  ITEM_META_KEYS,
  type OtherMeta,
  type StoredItem,
} from '../../wordpress/nav-menus/menu-item.ts'
import { lockStoredMenu } from '../../wordpress/nav-menus/menu-term.ts'
import { isMenuTooLarge, menuBytes, type StoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'

/** The names of a menu in the history, as stored; its items are the content, a list of `MenuItemContent` in JSON. */
export type MenuFields = {
  readonly name: string
  readonly slug: string
  readonly term_taxonomy_id: number
  /** The meta values of plugins [none]. */
  readonly others?: readonly OtherMeta[]
}

/** The columns and meta values of an item, as stored: those that WordPress and this service read, and those of plugins. */
export type MenuItemContent = {
  readonly id: number
  readonly order: number
  readonly status: string
  readonly title: string
  readonly excerpt: string
  readonly content: string
  readonly meta: Readonly<Record<string, string>>
  /** The meta values of plugins [none]. */
  readonly others?: readonly OtherMeta[]
}

/**
 * Records a write of a menu in the history. Items are recorded as they are stored, with their ids, so that they can be restored exactly.
 * @param before undefined for a menu that did not exist
 * @param after undefined for one that is deleted
 * @param isNew it has just got its id
 */
export async function recordMenu(
  tx: Tx,
  site: Site,
  before: StoredMenu | undefined,
  after: StoredMenu | undefined,
  isNew = false,
): Promise<void> {
  recordHistory(tx, site, {
    kind: 'menu',
    ref: String((after ?? before)?.menu.id),
    action: actionOf(before, after),
    before: before && (await stateOfMenu(before)),
    after: after && (await stateOfMenu(after)),
    isNew,
  })
}

function actionOf(before: StoredMenu | undefined, after: StoredMenu | undefined): HistoryAction {
  if (!before) return 'created'
  if (!after) return 'deleted'
  return before.items === after.items ? 'renamed' : 'replaced'
}

/**
 * Records a menu that another program has edited or deleted, unless it is as the last entry says.
 * @param mostBytes a larger menu is not recorded: its next write does that
 * @returns the bytes that it takes until the commit
 */
export async function recordEditedMenu(
  tx: Tx,
  site: Site,
  id: number,
  mostBytes: number,
): Promise<number> {
  const stored = await lockStoredMenu(tx, site, id).catch((error: unknown) => {
    if (isMenuTooLarge(error)) return 'too large' as const
    throw error
  })
  if (stored === 'too large') return 0
  const bytes = stored ? menuBytes(stored) : 0
  if (bytes > mostBytes) return 0
  const state = stored && (await stateOfMenu(stored))
  recordHistory(tx, site, {
    kind: 'menu',
    ref: String(id),
    action: 'edited',
    before: state,
    after: state,
  })
  return bytes
}

/** The items of a menu as the history stores them. */
export async function menuText({ items }: StoredMenu): Promise<string> {
  const texts = await mapYielding(items, (item) => JSON.stringify(contentOfItem(item)))
  return `[${texts.join()}]`
}

async function stateOfMenu(stored: StoredMenu): Promise<ThingState> {
  const { name, slug, termTaxonomyId } = stored.menu
  const { others } = stored
  const fields: MenuFields = {
    name,
    slug,
    term_taxonomy_id: termTaxonomyId,
    ...(others ? { others } : {}),
  }
  const text = await menuText(stored)
  const hash = await inTimeSlice(() => sha256Hex(text))
  return {
    name: readableMenuName(name),
    fields,
    content: { hash, text: () => text },
  }
}

/** The item of the tables that a content describes. */
export function storedItemOf({
  id,
  order,
  status,
  meta,
  others,
  ...texts
}: MenuItemContent): StoredItem {
  const row = {
    ID: id,
    menu_order: order,
    post_status: status,
    post_title: texts.title,
    post_excerpt: texts.excerpt,
    post_content: texts.content,
  }
  return { row, meta: new Map(Object.entries(meta)), ...(others ? { others } : {}) }
}

/** An item as the history stores it. */
function contentOfItem({ row, meta, others }: StoredItem): MenuItemContent {
  return {
    id: row.ID,
    order: row.menu_order,
    status: row.post_status,
    title: row.post_title,
    excerpt: row.post_excerpt,
    content: row.post_content,
    meta: Object.fromEntries(
      ITEM_META_KEYS.flatMap((key) => {
        const value = meta.get(key)
        return value === undefined ? [] : [[key, value]]
      }),
    ),
    ...(others ? { others } : {}),
  }
}
