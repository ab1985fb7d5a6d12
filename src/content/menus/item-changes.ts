import { errorOf } from '../../host/errors.ts'
import {
  ITEM_TEXTS,
  type ItemTextName,
  type MenuItem,
} from '../../wordpress/nav-menus/menu-item.ts'
import type { LinkedObjects } from '../../wordpress/nav-menus/set-up-item.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import type { WantedItem } from './compare-items.ts'
import { linkUrl } from './item-links.ts'
import { findClassesFault, type ItemFields, type SentTexts } from './item-tree.ts'
import {
  cleanText,
  findTooLong,
  type ResolvedItem,
  storedTitle,
  titleDefaults,
} from './resolve-tree.ts'
import type { WriteContext } from './write-context.ts'

/**
 * The fields that an update changes, without the parent. A field that is sent as it was read stays as stored.
 * @param linked the item with its new link, if that differs
 * @param at position of the item in the sent tree
 * @throws AppError `bad_items`
 */
export function changesOf(
  item: MenuItem,
  { linked, title, ...sent }: SentTexts & { readonly linked: ResolvedItem | undefined },
  objects: LinkedObjects,
  context: WriteContext,
  at: string,
): WantedItem['content'] {
  const stored = titleOf(item, { title, linked }, objects, context)
  const tooLong = findTooLong(stored ?? '', at)
  if (tooLong) throw errorOf('bad_items', { errors: [tooLong] })
  const before = { ...item, classes: item.classes.join(' ') }
  const texts: { [Name in ItemTextName]?: string } = {}
  for (const name of ITEM_TEXTS) {
    const text = sent[name]
    if (text === undefined || text === before[name]) continue
    const message = name === 'classes' ? findClassesFault(text) : undefined
    const errors = [{ at, reason: 'bad_classes', message }]
    if (message !== undefined) throw errorOf('bad_items', { errors })
    const cleaned = cleanText(name, text, context.unfilteredHtml)
    if (cleaned !== before[name]) texts[name] = cleaned
  }
  return {
    ...(linked ? { link: linked.link } : {}),
    ...(stored === undefined ? {} : { title: stored }),
    ...texts,
  }
}

/** Whether a link was sent that is not the one that an item has. An item on a page is read with the page, other items with their URL. */
export function hasOtherLink(item: MenuItem, { page, url, object }: ItemFields): boolean {
  if (page !== undefined) return !item.valid || page !== item.page
  if (url !== undefined) return item.page !== null || url !== item.url
  switch (object?.kind) {
    case undefined:
      return false
    case 'post-id':
      return item.type !== 'post_type' || item.objectId !== object.id
    case 'term-id':
      return (
        item.type !== 'taxonomy' || item.object !== object.taxonomy || item.objectId !== object.id
      )
    case 'archive':
      return item.type !== 'post_type_archive' || item.object !== object.type
    default:
      return true
  }
}

/** The title to store; undefined if the title stays. */
function titleOf(
  item: MenuItem,
  {
    title,
    linked,
  }: { readonly title: string | undefined; readonly linked: ResolvedItem | undefined },
  objects: LinkedObjects,
  { links, unfilteredHtml }: WriteContext,
): string | undefined {
  if (!linked && title === item.title) return undefined
  const label = title ?? (linked && labelToKeep(links, item, linked))
  if (label === undefined) return undefined
  const defaults = linked
    ? titleDefaults(linked.link)
    : {
        original: isLinkKnown(item, objects) ? item.linkedTitle : undefined,
        address: item.type === 'custom' ? item.url : undefined,
      }
  const isUnchanged = label === item.ownTitle
  const stored = storedTitle(label, { ...defaults, unfilteredHtml, isUnchanged })
  return stored === item.ownTitle || (isUnchanged && !linked) ? undefined : stored
}

/**
 * The label of an item whose link changes and whose title was not sent: the visible label, unless that is the default label of a custom
 * link, its URL.
 */
function labelToKeep(
  { home }: LinkSettings,
  item: MenuItem,
  { link, title }: ResolvedItem,
): string {
  const hasDefaultLabel = item.type === 'custom' && linkUrl(home, item.ownTitle) === item.url
  const own = hasDefaultLabel ? '' : item.ownTitle
  if (link.type !== 'custom') return own
  return own || (item.type === 'custom' ? title : item.title)
}

/** Whether an item links a post or a term that exists. Only PHP knows the title of an archive. */
const isLinkKnown = (item: MenuItem, { posts, terms }: LinkedObjects): boolean =>
  item.type === 'post_type'
    ? posts.has(item.objectId)
    : item.type === 'taxonomy' && terms.has(`${item.object} ${item.objectId}`)
