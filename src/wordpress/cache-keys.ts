import type { Site } from './network/site.ts'

/**
 * A key of WordPress's object cache in the form of its functions, before a drop-in encodes it: `2:options:alloptions` on blog 2, `:users:1`
 * in a group that all sites share.
 */
export type CacheKey = string

/** The key in a group that each site has for itself. */
export function siteKey(
  { blogId }: { readonly blogId: number },
  group: string,
  key: string | number,
): CacheKey {
  return `${blogId}:${group}:${key}`
}

/**
 * The keys under which WordPress caches options (wp_load_alloptions, get_option; option.php): the options themselves, all autoloaded
 * options, and missing options. Whether a row is autoloaded is not checked: one extra key costs less.
 */
export function optionKeys(site: Site, names: readonly string[]): CacheKey[] {
  if (names.length === 0) return []
  return ['alloptions', 'notoptions', ...names].map((key) => siteKey(site, 'options', key))
}

/** The keys of posts' meta values, and of queries that may depend on them (update_meta_cache, meta.php). */
export function* postMetaKeys(site: Site, postIds: readonly number[]): Generator<CacheKey> {
  if (postIds.length > 0) yield siteKey(site, 'posts', 'last_changed')
  for (const id of postIds) yield siteKey(site, 'post_meta', id)
}

/**
 * The keys of menu items (clean_post_cache, post.php; clean_object_term_cache, taxonomy.php). Without `last_changed`, a cached query would
 * still return a deleted item, and the page that shows the menu would fail.
 */
export function* menuItemKeys(site: Site, ids: readonly number[]): Generator<CacheKey> {
  yield* postMetaKeys(site, ids)
  for (const id of ids) {
    yield siteKey(site, 'posts', id)
    yield siteKey(site, 'posts', `post_parent:${id}`)
    yield siteKey(site, 'nav_menu_relationships', id)
  }
}

/** The keys of menus (clean_term_cache, taxonomy.php): their rows contain the item count, without which WordPress shows no item. */
export function menuKeys(site: Site, termIds: readonly number[]): CacheKey[] {
  if (termIds.length === 0) return []
  return [
    siteKey(site, 'terms', 'last_changed'),
    ...termIds.flatMap((id) => [siteKey(site, 'terms', id), siteKey(site, 'term_meta', id)]),
  ]
}

/** The supported drop-ins (`wp-content/object-cache.php`). */
export type KeyFormName = 'redis-object-cache' | 'wp-redis'

/** The key in Redis under which a drop-in stores one of WordPress's keys. */
export type KeyForm = (prefix: string, key: CacheKey) => string

export const KEY_FORMS: Readonly<Record<KeyFormName, KeyForm>> = {
  /** Redis Object Cache (WP_Object_Cache::build_key): the separating colons stay, colons inside a part become hyphens. */
  'redis-object-cache': (prefix, key) => {
    const { blog, group, name } = partsOf(key)
    return `${prefix.trim()}${blog}:${group}:${name.replaceAll(':', '-')}`
  },
  /** WP Redis (WP_Object_Cache::_key): groups that all sites share have no blog id and no colon after it; white space is removed. */
  'wp-redis': (prefix, key) => {
    const { blog, group, name } = partsOf(key)
    return `${prefix}${blog === '' ? '' : `${blog}:`}${group}:${name}`.replace(/\s+/g, '')
  },
}

function partsOf(key: CacheKey): { blog: string; group: string; name: string } {
  const [, blog = '', group = '', name = ''] = /^(\d*):([^:]*):(.*)$/s.exec(key) ?? []
  return { blog, group, name }
}
