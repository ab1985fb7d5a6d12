import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Address } from '../../wordpress/permalinks/address.ts'
import { unlessMissing } from './file-not-found.ts'
import { type CopyOwner, readCopy, withoutDamage } from './static-copy.ts'
import { COPY_FILE, copyFolder } from './static-path.ts'

/** A static copy in the form in which it is sent. */
export type ServedCopy = {
  /** The page with its own URL; undefined for a copy that was created by hand. */
  readonly owner: CopyOwner | undefined
  /** The bytes by content coding: always `identity`; `gzip` and `br` if they exist. */
  readonly forms: ReadonlyMap<Coding, Form>
}

export type Coding = 'identity' | 'gzip' | 'br'

/** One encoding of a copy. Each has its own entity tag (RFC 9110, section 8.8.3). */
type Form = { readonly bytes: Buffer; readonly etag: string }

/** `copy` is undefined for damaged HTML. */
type CachedCopy = { readonly copy: ServedCopy | undefined; readonly stats: Stats }

/** Capacity of the cache, in bytes. */
export const MAX_CACHED_BYTES = 64 * 1024 * 1024

export type StaticCopyCacheOptions = {
  /** Capacity, in bytes [64 MB]. */
  readonly maxBytes?: number
  readonly onDamage?: (paths: readonly string[]) => void
}

/**
 * Finds static copies by URL without a database, and caches them in memory. Each lookup compares the cached copy with the file on disk: a
 * replaced copy is another file, so a stale copy is never served. Damaged files are found when they are read; a copy with damaged HTML counts
 * as missing.
 */
export class StaticCopyCache {
  readonly #staticDir: string
  readonly #cached: LRUCache<string, CachedCopy>
  readonly #onDamage: (paths: readonly string[]) => void

  /** @param options.onDamage receives the paths of damaged files, relative to `staticDir`, when they are read */
  constructor(
    staticDir: string,
    { maxBytes = MAX_CACHED_BYTES, onDamage = () => {} }: StaticCopyCacheOptions = {},
  ) {
    this.#staticDir = resolve(staticDir)
    this.#cached = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ copy }) => sizeOfServed(copy),
    })
    this.#onDamage = onDamage
  }

  /**
   * The copy at an address. The query and a trailing slash of the address are ignored.
   * @throws StaticPathError, and errors of the file system
   */
  async find(address: Address): Promise<ServedCopy | undefined> {
    const folder = copyFolder(this.#staticDir, address)
    if (folder === undefined) return undefined
    const stats = await stat(join(folder, COPY_FILE)).catch(unlessMissing)
    if (!stats) {
      this.#cached.delete(folder)
      return undefined
    }
    const cached = this.#cached.get(folder)
    return cached && isSameFile(cached.stats, stats) ? cached.copy : this.#read(folder)
  }

  async #read(folder: string): Promise<ServedCopy | undefined> {
    const read = await readCopy(this.#staticDir, folder)
    if (!read) return undefined
    const { owner, stats } = read
    const { html, gzip, brotli, damaged } = await withoutDamage(read)
    if (damaged.length > 0)
      this.#onDamage(damaged.map((name) => relative(this.#staticDir, join(folder, name))))
    if (!html) {
      this.#cached.set(folder, { copy: undefined, stats })
      return undefined
    }
    const copy = servedCopy(owner, html, { gzip, br: brotli })
    this.#cached.set(folder, { copy, stats })
    return copy
  }
}

/** Compares inode, size and times. The inode number was not reused: old and new file existed at the same time. */
function isSameFile(a: Stats, b: Stats): boolean {
  return (
    a.ino === b.ino &&
    a.dev === b.dev &&
    a.size === b.size &&
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs
  )
}

/** A copy in all its forms. */
export function servedCopy(
  owner: CopyOwner | undefined,
  html: Buffer,
  encoded: Readonly<Partial<Record<Exclude<Coding, 'identity'>, Buffer | undefined>>>,
): ServedCopy {
  const digest = createHash('sha256').update(html).digest('base64url').slice(0, 27)
  const forms = new Map<Coding, Form>([['identity', { bytes: html, etag: `"${digest}"` }]])
  for (const coding of ['gzip', 'br'] as const) {
    const bytes = encoded[coding]
    if (bytes) forms.set(coding, { bytes, etag: `"${digest}-${coding}"` })
  }
  return { owner, forms }
}

/** The weight of a copy in a cache. */
export const sizeOfServed = (copy: ServedCopy | undefined): number =>
  [...(copy?.forms.values() ?? [])].reduce((sum, { bytes }) => sum + bytes.length, 1)
