import { LRUCache } from 'lru-cache'
import { readCopyRecords } from '#wp-frames/build/publishing/copies-table'
import type { CopyReader } from '#wp-frames/build/publishing/copy-store'
import {
  MAX_CACHED_BYTES,
  type ServedCopy,
  servedCopy,
  sizeOfServed,
} from '#wp-frames/build/publishing/static-copy-cache'
import type { Database } from '#wp-frames/db/database'
import { RequestCoalescer } from '#wp-frames/host/concurrency/request-coalescer'
import type { GlobalTables } from '#wp-frames/wordpress/network/site'
import type { Address } from '#wp-frames/wordpress/permalinks/address'
import { type CopyFacts, decodeHtml, objectOf } from './copy-object.ts'
import { TOO_LARGE } from './store-client.ts'
import { StoreError } from './store-error.ts'
import { copyKey } from './store-key.ts'
import type { StoreObjects } from './store-objects.ts'

export type StoreReaderOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  /** Of all keys. */
  readonly prefix: string
  readonly objects: Pick<StoreObjects, 'get'>
  readonly onDamage: (names: readonly string[]) => void
}

/** `copy` is undefined for a damaged object. */
type CachedObject = {
  readonly copy: ServedCopy | undefined
  readonly etag: string
  readonly facts: CopyFacts | undefined
}

/**
 * Finds copies in a store for visitors, and caches them in memory. A cached copy is served without the store as long as the record of its
 * page describes it. An object that the record does not describe, and that is not being replaced, counts as missing, so the page is rendered.
 * Without a database the store decides.
 */
export class StoreReader implements CopyReader {
  readonly #options: StoreReaderOptions
  readonly #cached = new LRUCache<string, CachedObject>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ copy }) => sizeOfServed(copy),
  })
  readonly #coalescer = new RequestCoalescer()
  #awayUntil = 0

  constructor(options: StoreReaderOptions) {
    this.#options = options
  }

  /** @throws StoreError, once in some seconds while the store is away */
  async find(address: Address): Promise<ServedCopy | undefined> {
    const key = copyKey(this.#options.prefix, address)
    if (key === undefined) return undefined
    const cached = this.#cached.get(key)
    const state = cached && (await this.#stateOf(cached.facts))
    if (state === 'recorded') return cached?.copy
    if (performance.now() < this.#awayUntil) return undefined
    return this.#coalescer.run(key, () => this.#fetch(key, cached))
  }

  async #fetch(key: string, cached: CachedObject | undefined): Promise<ServedCopy | undefined> {
    const object = await this.#read(key, cached).catch((error: unknown) => {
      const { awayMs } = this.#options.db.timings.store
      if (error instanceof StoreError) this.#awayUntil = performance.now() + awayMs
      throw error
    })
    if (object === undefined) this.#cached.delete(key)
    else this.#cached.set(key, object)
    if (object === undefined || (await this.#stateOf(object.facts)) === 'other') return undefined
    return object.copy
  }

  async #read(key: string, cached: CachedObject | undefined): Promise<CachedObject | undefined> {
    const { objects, onDamage } = this.#options
    const request = { isUrgent: true, unlessTag: cached?.etag }
    const response = await objects.get(0, key, request).catch(orTooLarge)
    if (response === 'too large') {
      onDamage([key])
      return undefined
    }
    if (response === undefined) return undefined
    if (response === 'unchanged') return cached
    const { headers, body } = response
    const { etag, facts, isPlaceholder } = objectOf(headers)
    if (isPlaceholder) return undefined
    const isCompressed = headers['content-encoding'] === 'gzip'
    const html = isCompressed ? await decodeHtml(body) : body
    if (!html || html.length === 0) {
      onDamage([key])
      return { copy: undefined, etag, facts }
    }
    const copy = servedCopy(facts, html, { gzip: isCompressed ? body : undefined })
    return { copy, etag, facts }
  }

  /** What the database says about an object. `unknown`: it is being replaced, has no owner, or the database is unavailable. */
  async #stateOf(facts: CopyFacts | undefined): Promise<'recorded' | 'other' | 'unknown'> {
    if (facts === undefined) return 'unknown'
    const { db, globals } = this.#options
    const { site: blogId, page, url, written } = facts
    try {
      const record = (await readCopyRecords(db, { blogId, globals }, [page])).get(page)
      if (record?.url !== url) return 'other'
      if (record.digest === undefined) return 'unknown'
      return record.fileTime === written ? 'recorded' : 'other'
    } catch {
      return 'unknown'
    }
  }
}

/** No page is so large, and the store is not away. */
function orTooLarge(error: unknown): 'too large' {
  if (error instanceof StoreError && error.code === TOO_LARGE) return 'too large'
  throw error
}
