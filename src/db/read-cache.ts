import { LRUCache } from 'lru-cache'

const MAX_CACHE_BYTES = 32 * 1024 * 1024

/**
 * What reads remember from one statement to the next. Whoever takes something out checks by a statement that it is still
 * true: another process, or WordPress, may have written since. Sizes are in bytes, roughly.
 */
export type ReadCache = LRUCache<string, object>

/** An empty memory; what was used longest ago leaves it first. */
export function createReadCache(): ReadCache {
  return new LRUCache({ maxSize: MAX_CACHE_BYTES })
}
