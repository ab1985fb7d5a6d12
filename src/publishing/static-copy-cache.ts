import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Address } from '../wordpress/permalinks/address.ts'
import { isFileNotFound } from './file-not-found.ts'
import { readCopy } from './static-copy.ts'
import { COPY_FILE, copyFolder } from './static-path.ts'

/** A static copy as it is sent. */
export type ServedCopy = {
  /** The page's own address; undefined for a copy that somebody else put there. */
  readonly url: string | undefined
  /** The bytes by content coding: `identity` always, `gzip` and `br` where they are there. */
  readonly forms: ReadonlyMap<Coding, Form>
}

export type Coding = 'identity' | 'gzip' | 'br'

/** One form of a copy; each form has an entity tag of its own (RFC 9110, section 8.8.3). */
export type Form = { readonly bytes: Buffer; readonly etag: string }

type CachedCopy = { readonly copy: ServedCopy; readonly stats: Stats }

/** Bytes of copies that are kept in memory. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024

/**
 * The static copies, to be read by address without a database. What was read is kept in memory; each look makes sure that it still is
 * what lies on disk: a copy replaced is another file, so nothing old is ever given.
 */
export class StaticCopyCache {
  readonly #staticDir: string
  readonly #held: LRUCache<string, CachedCopy>

  constructor(staticDir: string, maxBytes = MAX_CACHED_BYTES) {
    this.#staticDir = resolve(staticDir)
    this.#held = new LRUCache({ maxSize: maxBytes, sizeCalculation: sizeOf })
  }

  /**
   * The copy at an address, whatever its query, with or without a slash at its end.
   * @throws StaticPathError, and errors of the file system
   */
  async find(address: Address): Promise<ServedCopy | undefined> {
    const folder = copyFolder(this.#staticDir, address)
    if (folder === undefined) return undefined
    const stats = await statOf(join(folder, COPY_FILE))
    if (!stats) {
      this.#held.delete(folder)
      return undefined
    }
    const held = this.#held.get(folder)
    return held && isSameFile(held.stats, stats) ? held.copy : this.#read(folder)
  }

  async #read(folder: string): Promise<ServedCopy | undefined> {
    const read = await readCopy(this.#staticDir, folder)
    if (!read) return undefined
    const { html, gzip, brotli, owner, stats } = read
    const digest = createHash('sha256').update(html).digest('base64url').slice(0, 27)
    const forms = new Map<Coding, Form>([['identity', { bytes: html, etag: `"${digest}"` }]])
    if (gzip) forms.set('gzip', { bytes: gzip, etag: `"${digest}-gzip"` })
    if (brotli) forms.set('br', { bytes: brotli, etag: `"${digest}-br"` })
    const copy = { url: owner?.url, forms }
    this.#held.set(folder, { copy, stats })
    return copy
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (isFileNotFound(error)) return undefined
    throw error
  }
}

/** The file that stood there when it was read cannot have given its number to the next one, for both were there at once. */
function isSameFile(a: Stats, b: Stats): boolean {
  return (
    a.ino === b.ino &&
    a.dev === b.dev &&
    a.size === b.size &&
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs
  )
}

function sizeOf({ copy }: CachedCopy): number {
  return [...copy.forms.values()].reduce((sum, { bytes }) => sum + bytes.length, 1)
}
