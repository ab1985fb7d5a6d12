import type { Db } from '../../db/database.ts'
import { displayIfReversible } from '../../wordpress/formatting/plain-text.ts'
import { pagePathSlugs } from '../../wordpress/formatting/slugs.ts'
import {
  ITEM_TEXTS,
  type MenuItem,
  withoutEmptyClasses,
} from '../../wordpress/nav-menus/menu-item.ts'
import { linkItems, readStoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import type { LinkedObjects } from '../../wordpress/nav-menus/set-up-item.ts'
import { SWITCHER_URL, switcherFlags } from '../../wordpress/nav-menus/switcher.ts'
import { listOtherPaths } from '../../wordpress/network/find-sites.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { ItemHierarchy } from './item-hierarchy.ts'
import type { ItemFields, ItemInput } from './item-tree.ts'
import { type ObjectRef, type ResolvedObject, resolveObjectRefs } from './object-refs.ts'

/** An item that cannot be exported, and the reason. */
type LeftOutItem = {
  readonly id: number
  /** As stored. */
  readonly title: string
  /** `draft`: the item is a draft; `gone`: the linked object is deleted or in the trash; `unnamed`: the linked object has no unique path. */
  readonly reason: 'draft' | 'gone' | 'unnamed'
}

export type PortableItems = {
  /** Input of `resolveTree`, on this site or another. */
  readonly items: readonly ItemInput[]
  readonly leftOut: readonly LeftOutItem[]
}

/**
 * The items of a menu with portable references. Items that visitors don't see are left out, and so are items whose object has no portable
 * reference: a page that was never published has no path. Children of such items move to the top level, where visitors see them.
 */
export async function readPortableItems(
  db: Db,
  site: Site,
  links: LinkSettings,
  menuId: number,
): Promise<PortableItems> {
  const stored = await readStoredMenu(db, site, menuId)
  if (!stored) return { items: [], leftOut: [] }
  const { items, objects } = await linkItems(db, site, links, stored)
  const refs = await findObjectRefs(db, site, items, objects)
  const addresses = await readSiteAddresses(db, site, links)
  const leftOut: LeftOutItem[] = []
  const portable = new Map<number, { readonly item: MenuItem; readonly fields: ItemFields }>()
  for (const item of items) {
    const { id, title } = item
    const object = refs.get(item)
    const link = item.type === 'custom' ? customLink(item, addresses) : object && { object }
    if (item.status !== 'publish') leftOut.push({ id, title, reason: 'draft' })
    else if (!item.valid) leftOut.push({ id, title, reason: 'gone' })
    else if (!link) leftOut.push({ id, title, reason: 'unnamed' })
    else portable.set(id, { item, fields: { ...link, ...textsOf(item) } })
  }
  const hierarchy = new ItemHierarchy([...portable.values()].map(({ item }) => item))
  const flat = hierarchy.flat()
  const portableItems = flat.map(({ id, ...position }) => ({
    ...position,
    ...portable.get(id)?.fields,
  }))
  return { items: portableItems, leftOut }
}

/** A URL of the site becomes a path. A URL that is stored as a path is relative to the host and stays unchanged, and so does a dead switcher. */
function customLink(item: MenuItem, addresses: SiteAddresses): ItemFields {
  const { url } = item
  const flags = switcherFlags(item)
  if (flags) return { object: { kind: 'switcher', flags } }
  const path = portableUrl(addresses, url)
  if (path !== undefined) return { url: path }
  const isAsItIs = url === '' || url === SWITCHER_URL || /^\/(?!\/)/.test(url)
  return isAsItIs ? { object: { kind: 'address', url } } : { url }
}

/** The title of a language switcher is never printed. */
const isTitled = (item: MenuItem): boolean =>
  switcherFlags(item) === undefined && (item.ownTitle !== '' || item.type === 'custom')

/** The texts that are not empty. A custom link without a title gets an empty one, because the default would be its URL. */
function textsOf(item: MenuItem): ItemFields {
  const texts = { ...item, classes: withoutEmptyClasses(item.classes.join(' ')) }
  const stored = ITEM_TEXTS.filter((name) => texts[name] !== '')
  return {
    ...(isTitled(item) ? { title: item.ownTitle } : {}),
    ...Object.fromEntries(stored.map((name) => [name, texts[name]])),
  }
}

/**
 * The reference to the object of each item. There is none for custom links, and for objects that their path does not identify: deleted
 * objects, pages that were never published, and objects that share path and language.
 */
async function findObjectRefs(
  db: Db,
  site: Site,
  items: readonly MenuItem[],
  { links, posts, terms }: LinkedObjects,
): Promise<ReadonlyMap<MenuItem, ObjectRef>> {
  const candidates = new Map(items.map((item) => [item, refsTo(item)]))
  const wanted = [...candidates.values()].flat()
  const found = await resolveObjectRefs(db, site, links.languages, wanted)
  const refs = new Map<MenuItem, ObjectRef>()
  for (const [item, refsOfItem] of candidates) {
    const ref = refsOfItem.find((candidate) => isLinked(item, found.get(candidate)))
    if (ref) refs.set(item, ref)
  }
  return refs

  /** Possible references, the shortest first. */
  function refsTo({ type, object, objectId }: MenuItem): ObjectRef[] {
    if (type === 'post_type_archive') return [{ kind: 'archive', type: object }]
    const post = type === 'post_type' ? posts.get(objectId) : undefined
    if (post) {
      const ref: ObjectRef = { kind: 'post', type: post.type, path: readablePath(post.path) }
      return post.lang === null ? [ref] : [ref, { ...ref, lang: post.lang }]
    }
    const term = type === 'taxonomy' ? terms.get(`${object} ${objectId}`) : undefined
    if (!term) return []
    const ref: ObjectRef = { kind: 'term', taxonomy: object, path: readablePath(term.path) }
    return term.lang === null ? [ref] : [ref, { ...ref, lang: term.lang }]
  }
}

function isLinked({ objectId }: MenuItem, found: ResolvedObject | undefined): boolean {
  if (found === undefined || 'reason' in found) return false
  if (found.type === 'post_type') return found.post.id === objectId
  return found.type === 'taxonomy' ? found.term.id === objectId : true
}

/** The path of a page or another post, decoded if it can be encoded back. */
export function readablePath(path: string): string {
  return displayIfReversible(path, decodeURIComponent, (text) => pagePathSlugs(text).join('/'))
}

/** The address of a site, and the paths below it that belong to other sites. */
export type SiteAddresses = {
  /** The site's address, without a trailing slash. */
  readonly home: string
  /** Paths of other sites on the same host, with a slash at both ends. */
  readonly others: readonly string[]
}

export async function readSiteAddresses(
  db: Db,
  site: Site,
  { home }: LinkSettings,
): Promise<SiteAddresses> {
  return { home, others: await listOtherPaths(db, site, home) }
}

/**
 * The path of a URL on a site, `/contact?from=menu`, which `linkUrl` completes on any site. Undefined for URLs elsewhere, including other
 * sites of the network. `http` and `https` are the same site.
 */
export function portableUrl({ home, others }: SiteAddresses, url: string): string | undefined {
  const [site, link] = [splitUrl(home), splitUrl(url)]
  if (!site || !link || link.host !== site.host) return undefined
  const path = `${link.path}/`
  if (!path.startsWith(`${site.path}/`)) return undefined
  if (others.some((other) => other.length > site.path.length + 1 && path.startsWith(other)))
    return undefined
  const below = link.path.slice(site.path.length) || '/'
  // Two leading slashes would start a host name.
  return below.startsWith('//') ? undefined : `${below}${link.rest}`
}

function splitUrl(url: string): { host: string; path: string; rest: string } | undefined {
  const [, host, path = '', rest = ''] = /^https?:\/\/([^/?#]+)([^?#]*)(.*)$/is.exec(url) ?? []
  return host === undefined ? undefined : { host: host.toLowerCase(), path, rest }
}
