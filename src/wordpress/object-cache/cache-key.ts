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
