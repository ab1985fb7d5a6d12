import { LRUCache } from 'lru-cache'
import { type IndexedFrame, markupBytes } from '../../content/frames/graph.ts'
import { recordOption } from '../../content/frames/option-names.ts'
import { decodeRecord } from '../../content/frames/record.ts'
import type { Change } from '../../content/work/change.ts'
import type { Db } from '../../db/database.ts'
import { sha256Hex } from '../../host/hash.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOption, readOptionUnlessSame } from '../../wordpress/options/read-options.ts'
import type { FrameSource } from './bakery/bake-jobs.ts'
import type { UnreadFrames } from './bakery/build-bakery.ts'

/** Bytes of markup that all builds of the process cache together, so that frames with many embedders are read once. */
const MAX_CACHED_BYTES = 8 * 1024 * 1024

/** Markup as it was read last, with the digest of its record. */
type ReadMarkup = { readonly html: string; readonly digest: string }

/** Least-recently-used cache of markup, by site and frame. It is used only if the record still has the digest. */
export type SourceCache = LRUCache<string, ReadMarkup>

export function createSourceCache(): SourceCache {
  return new LRUCache({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ html }) => html.length + 1,
  })
}

/** Reads the markup of a site's frames. Lives for one change or one request; the process caches markup as far as it has room. */
export class FrameSources {
  readonly #db: Db
  readonly #site: Site
  readonly #cache: SourceCache
  /** Reads in progress, and markup that was just written, by frame id. */
  readonly #known = new Map<string, Promise<FrameSource>>()

  constructor(db: Db, site: Site, cache: SourceCache) {
    this.#db = db
    this.#site = site
    this.#cache = cache
  }

  /**
   * The markup of these frames, in order, to be read later. Records that are read at the same time share one statement.
   * @param readable the frames to read; the others get no markup
   * @throws AppError `frame_unreadable` if a record is damaged, when it is read
   */
  of(frames: readonly IndexedFrame[], readable: readonly IndexedFrame[]): UnreadFrames {
    const ids = new Set(readable.map(({ id }) => id))
    const read = (frame: IndexedFrame): Promise<FrameSource> | FrameSource => {
      const { id, slug } = frame
      return ids.has(id) ? this.#readOnce(frame) : { id, slug, html: null }
    }
    const bytes = frames.reduce(
      (sum, frame) => sum + (ids.has(frame.id) ? markupBytes(frame) : 0),
      0,
    )
    return { bytes, read: () => Promise.all(frames.map(read)) }
  }

  /** Uses markup that was just written, if it is still the frame's markup according to the digest. */
  add({ id, slug, meta }: IndexedFrame, { html, sha256 }: NonNullable<Change['markup']>): void {
    if (meta.sha256 === sha256) this.#known.set(id, Promise.resolve({ id, slug, html }))
  }

  /** Concurrent reads of a frame share one. */
  #readOnce(frame: IndexedFrame): Promise<FrameSource> {
    const { id } = frame
    const known = this.#known.get(id)
    if (known) return known
    const source = this.#read(frame).finally(() => this.#known.delete(id))
    this.#known.set(id, source)
    return source
  }

  async #read({ id, slug }: IndexedFrame): Promise<FrameSource> {
    const name = recordOption(id)
    const key = `${this.#site.prefix} ${id}`
    const cached = this.#cache.get(key)
    const read = cached
      ? await readOptionUnlessSame(this.#db, this.#site, name, cached.digest)
      : { text: await readOption(this.#db, this.#site, name) }
    if (cached && read === 'same') return { id, slug, html: cached.html }
    const text = (read !== 'same' && read.text) || ''
    const { html } = decodeRecord(text, id, slug)
    this.#cache.set(key, { html, digest: sha256Hex(text) })
    return { id, slug, html }
  }
}
