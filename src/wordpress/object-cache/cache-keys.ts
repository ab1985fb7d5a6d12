import type { Site } from '../network/site.ts'

/**
 * A key of WordPress's object cache as its functions take it, before a drop-in makes its own of it: `2:options:alloptions` on
 * blog 2, `:users:1` in a group that all sites share.
 */
export type CacheKey = string

/** The key of a group that each site has for itself. */
export function siteKey(
  { blogId }: { readonly blogId: number },
  group: string,
  key: string | number,
): CacheKey {
  return `${blogId}:${group}:${key}`
}

/** The key of a group that the whole installation shares (wp_cache_add_global_groups). */
export function sharedKey(group: string, key: string | number): CacheKey {
  return `:${group}:${key}`
}

/**
 * What WordPress remembers of options (wp_load_alloptions, get_option; option.php): each one, all that are autoloaded, and those that
 * are missing. Whether a row is autoloaded is not asked: dropping one key more is cheaper.
 */
export function optionKeys(site: Site, names: readonly string[]): CacheKey[] {
  if (names.length === 0) return []
  return ['alloptions', 'notoptions', ...names].map((key) => siteKey(site, 'options', key))
}

/** What it remembers of a network's options (get_network_option, option.php). */
export function networkOptionKeys(networkId: number, name: string): CacheKey[] {
  return [name, 'notoptions'].map((key) => sharedKey('site-options', `${networkId}:${key}`))
}

/** What it remembers of posts' meta values, and of queries that may have asked for them (update_meta_cache, meta.php). */
export function* postMetaKeys(site: Site, postIds: readonly number[]): Generator<CacheKey> {
  if (postIds.length > 0) yield siteKey(site, 'posts', 'last_changed')
  for (const id of postIds) yield siteKey(site, 'post_meta', id)
}

/**
 * What it remembers of menu items (clean_post_cache, post.php; clean_object_term_cache, taxonomy.php). An item dropped without
 * `last_changed` would still be in the answer of a query, and the page that shows the menu would die of it.
 */
export function* menuItemKeys(site: Site, ids: readonly number[]): Generator<CacheKey> {
  yield* postMetaKeys(site, ids)
  for (const id of ids) {
    yield siteKey(site, 'posts', id)
    yield siteKey(site, 'posts', `post_parent:${id}`)
    yield siteKey(site, 'nav_menu_relationships', id)
  }
}

/** What it remembers of menus (clean_term_cache, taxonomy.php): their rows bear the count without which no item is shown. */
export function menuKeys(site: Site, termIds: readonly number[]): CacheKey[] {
  if (termIds.length === 0) return []
  return [
    siteKey(site, 'terms', 'last_changed'),
    ...termIds.flatMap((id) => [siteKey(site, 'terms', id), siteKey(site, 'term_meta', id)]),
  ]
}

/** The drop-ins (`wp-content/object-cache.php`) whose keys are known. */
export type KeyFormName = 'redis-object-cache' | 'wp-redis'

/** The key in Redis under which a drop-in keeps one of WordPress's keys. */
export type KeyForm = (prefix: string, key: CacheKey) => string

export const KEY_FORMS: Readonly<Record<KeyFormName, KeyForm>> = {
  /** Redis Object Cache (WP_Object_Cache::build_key): the colons that part a key stay, those within its parts become hyphens. */
  'redis-object-cache': (prefix, key) => {
    const { blog, group, name } = partsOf(key)
    return `${prefix.trim()}${blog}:${group}:${name.replaceAll(':', '-')}`
  },
  /** WP Redis (WP_Object_Cache::_key): no blog and no colon for it where all sites share a group; white space goes. */
  'wp-redis': (prefix, key) => {
    const { blog, group, name } = partsOf(key)
    return `${prefix}${blog === '' ? '' : `${blog}:`}${group}:${name}`.replace(/\s+/g, '')
  },
}

function partsOf(key: CacheKey): { blog: string; group: string; name: string } {
  const [, blog = '', group = '', name = ''] = /^(\d*):([^:]*):(.*)$/s.exec(key) ?? []
  return { blog, group, name }
}
