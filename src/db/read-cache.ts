import { LRUCache } from 'lru-cache'

const MAX_CACHE_BYTES = 32 * 1024 * 1024

/**
 * Values that reads cache between statements. The reader of a cached value must check with a statement that it is still valid: another
 * process or WordPress may have changed the tables. Sizes are approximate, in bytes.
 */
export type ReadCache = LRUCache<string, object>

/** An empty cache that evicts the least recently used values first. */
export function createReadCache(): ReadCache {
  return new LRUCache({ maxSize: MAX_CACHE_BYTES })
}

/** The same cache, which reports each entry that is stored through it. */
export function notingEntries(cache: ReadCache, onStored: () => void): ReadCache {
  return new Proxy(cache, {
    get(own, name) {
      if (name === 'set') onStored()
      const value: unknown = Reflect.get(own, name)
      return typeof value === 'function' ? value.bind(own) : value
    },
  })
}
