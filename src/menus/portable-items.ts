import type { Db } from '../db/database.ts'
import { displayIfReversible } from '../wordpress/formatting/plain-text.ts'
import { pagePathSlugs } from '../wordpress/formatting/slugs.ts'
import type { Languages } from '../wordpress/languages/languages.ts'
import type { MenuItem } from '../wordpress/nav-menus/menu-item.ts'
import { readMenu } from '../wordpress/nav-menus/read-menu.ts'
import { readTerms } from '../wordpress/nav-menus/read-terms.ts'
import { switcherFlags } from '../wordpress/nav-menus/switcher.ts'
import { listOtherPaths } from '../wordpress/network/find-sites.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readPosts } from '../wordpress/pages/posts.ts'
import type { LinkSettings } from '../wordpress/permalinks/link-settings.ts'
import { ItemHierarchy } from './item-hierarchy.ts'
import type { ItemFields, ItemInput } from './item-tree.ts'
import { type ObjectRef, type ResolvedObject, resolveObjectRefs } from './object-refs.ts'

/** An item that is not among the portable ones, and why. */
export type LeftOutItem = {
  readonly id: number
  /** As stored. */
  readonly title: string
  /** A draft of an item; what it links is gone or in the trash; what it links has no path, or shares it. */
  readonly reason: 'draft' | 'gone' | 'unnamed'
}

export type PortableItems = {
  /** As `resolveTree` takes them, on this site or another. */
  readonly items: readonly ItemInput[]
  readonly leftOut: readonly LeftOutItem[]
}

/**
 * The items of a menu by names that mean the same on another site. Left out is what visitors don't see, and what has no name there: a
 * page that was never published has no path. What stood under such an item stands where visitors see it, at the top.
 */
export async function readPortableItems(
  db: Db,
  site: Site,
  links: LinkSettings,
  menuId: number,
): Promise<PortableItems> {
  const items = (await readMenu(db, site, links, menuId))?.items ?? []
  const refs = await findObjectRefs(db, site, links.languages, items)
  const { home } = links
  const addresses = { home, others: await listOtherPaths(db, site, home) }
  const leftOut: LeftOutItem[] = []
  const kept = new Map<number, { readonly item: MenuItem; readonly fields: ItemFields }>()
  for (const item of items) {
    const { id, title } = item
    const object = refs.get(item)
    const link = item.type === 'custom' ? customLink(item, addresses) : object && { object }
    if (item.status !== 'publish') leftOut.push({ id, title, reason: 'draft' })
    else if (!item.valid) leftOut.push({ id, title, reason: 'gone' })
    else if (!link) leftOut.push({ id, title, reason: 'unnamed' })
    else kept.set(id, { item, fields: { ...link, ...textsOf(item) } })
  }
  const arrangement = new ItemHierarchy([...kept.values()].map(({ item }) => item))
  return { items: flattenHierarchy(arrangement, (id) => kept.get(id)?.fields ?? {}), leftOut }
}

/** The address as a path of the site where it is one. A path that is stored as such is the host's, and stays one. */
function customLink(item: MenuItem, addresses: SiteAddresses): ItemFields {
  const { url } = item
  const flags = switcherFlags(item)
  if (flags) return { object: { kind: 'switcher', flags } }
  const path = portableUrl(addresses, url)
  if (path !== undefined) return { url: path }
  return url === '' || /^\/(?!\/)/.test(url) ? { object: { kind: 'address', url } } : { url }
}

/** The texts that say something; a link without a title has an empty one, for it would be called by its address. */
function textsOf(item: MenuItem): ItemFields {
  const classes = item.classes.filter(Boolean).join(' ')
  return {
    ...(item.ownTitle !== '' || item.type === 'custom' ? { title: item.ownTitle } : {}),
    ...(item.target === '' ? {} : { target: item.target }),
    ...(classes === '' ? {} : { classes }),
    ...(item.xfn === '' ? {} : { xfn: item.xfn }),
    ...(item.attrTitle === '' ? {} : { attrTitle: item.attrTitle }),
    ...(item.storedDescription === '' ? {} : { description: item.storedDescription }),
  }
}

/** The items as a tree that is sent, parents before their children. */
function flattenHierarchy(
  arrangement: ItemHierarchy,
  fieldsOf: (id: number) => ItemFields,
): ItemInput[] {
  const items: ItemInput[] = []
  const open: { id: number; at: string; parent: number }[] = []
  const push = (id: number, prefix: string, parent: number): void => {
    for (const [index, below] of [...arrangement.level(id).entries()].reverse())
      open.push({ id: below, at: `${prefix}${index}`, parent })
  }
  push(0, '', -1)
  for (let next = open.pop(); next; next = open.pop()) {
    const { id, at, parent } = next
    items.push({ at, parent, ...fieldsOf(id) })
    push(id, `${at}.`, items.length - 1)
  }
  return items
}

/**
 * The reference to what each of these items links; none for addresses, and for what is not found again by its path: what is gone, a
 * page that was never published, one of several with the same path and language.
 */
export async function findObjectRefs(
  db: Db,
  site: Site,
  languages: Languages,
  items: readonly MenuItem[],
): Promise<ReadonlyMap<MenuItem, ObjectRef>> {
  const idsOf = (type: MenuItem['type']): number[] =>
    items.filter((item) => item.type === type).map(({ objectId }) => objectId)
  const posts = await readPosts(db, site, languages, { ids: idsOf('post_type') })
  const terms = await readTerms(db, site, languages, { ids: idsOf('taxonomy') })
  const candidates = new Map(items.map((item) => [item, refsTo(item)]))
  const found = await resolveObjectRefs(db, site, languages, [...candidates.values()].flat())
  const refs = new Map<MenuItem, ObjectRef>()
  for (const [item, named] of candidates) {
    const ref = named.find((one) => isLinked(item, found.get(one)))
    if (ref) refs.set(item, ref)
  }
  return refs

  /** The references to try, the shorter one first. */
  function refsTo({ type, object, objectId }: MenuItem): ObjectRef[] {
    if (type === 'post_type_archive') return [{ kind: 'archive', type: object }]
    const post = type === 'post_type' ? posts.get(objectId) : undefined
    if (post) {
      const ref: ObjectRef = { kind: 'post', type: post.type, path: readablePath(post.path) }
      return post.lang === null ? [ref] : [ref, { ...ref, lang: post.lang }]
    }
    const term =
      type === 'taxonomy'
        ? terms.find(({ id, taxonomy }) => id === objectId && taxonomy === object)
        : undefined
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

/** A path as people write it. */
function readablePath(path: string): string {
  return displayIfReversible(path, decodeURIComponent, (text) => pagePathSlugs(text).join('/'))
}

/** What a site's links are made of, and what of that belongs to others. */
export type SiteAddresses = {
  /** The site's address, without a slash at its end. */
  readonly home: string
  /** Paths of other sites on the same host, with a slash at both ends. */
  readonly others: readonly string[]
}

/**
 * The address of something on a site as a path of that site, `/contact?from=menu`, which `linkUrl` completes on any other. Undefined
 * for what is elsewhere, on another site of the network among that. With or without encryption, it is the same site.
 */
export function portableUrl({ home, others }: SiteAddresses, url: string): string | undefined {
  const [site, link] = [splitUrl(home), splitUrl(url)]
  if (!site || !link || link.host !== site.host) return undefined
  const path = `${link.path}/`
  if (!path.startsWith(`${site.path}/`)) return undefined
  if (others.some((other) => other.length > site.path.length + 1 && path.startsWith(other)))
    return undefined
  const below = link.path.slice(site.path.length) || '/'
  // Two slashes would begin the name of a host.
  return below.startsWith('//') ? undefined : `${below}${link.rest}`
}

function splitUrl(url: string): { host: string; path: string; rest: string } | undefined {
  const [, host, path = '', rest = ''] = /^https?:\/\/([^/?#]+)([^?#]*)(.*)$/is.exec(url) ?? []
  return host === undefined ? undefined : { host: host.toLowerCase(), path, rest }
}
