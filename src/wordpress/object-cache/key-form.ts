import type { CacheKey } from './cache-key.ts'

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
