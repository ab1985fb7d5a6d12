import type { Site } from '../network/site.ts'
import { type CacheKey, sharedKey, siteKey } from './cache-key.ts'

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
