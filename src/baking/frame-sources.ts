import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Change } from '../change.ts'
import type { Db } from '../db/database.ts'
import { type IndexedFrame, markupBytes } from '../frames/graph.ts'
import { recordOption } from '../frames/option-names.ts'
import { decodeRecord } from '../frames/record.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOption } from '../wordpress/options/read-options.ts'
import type { FrameSource } from './bakery/bake-jobs.ts'
import type { UnreadFrames } from './bakery/build-bakery.ts'

/** Bytes of markup that all builds of the process cache together, so that frames with many embedders are read once. */
const MAX_CACHED_BYTES = 8 * 1024 * 1024

/** Least-recently-used cache of markup. Each build uses its own keys. */
export type SourceCache = LRUCache<string, Promise<FrameSource>>

export function createSourceCache(): SourceCache {
  return new LRUCache({ maxSize: MAX_CACHED_BYTES })
}

/** Reads the markup of a site's frames. Lives for one change or one request; markup is cached as far as the process has room. */
export class FrameSources {
  readonly #db: Db
  readonly #site: Site
  readonly #cache: SourceCache
  readonly #build = randomUUID()

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

  /** Caches markup that was just written, if it is still the frame's markup according to the digest. */
  add(frame: IndexedFrame, { html, sha256 }: NonNullable<Change['markup']>): void {
    const { id, slug, meta } = frame
    if (meta.sha256 === sha256) this.#store(frame, Promise.resolve({ id, slug, html }))
  }

  #readOnce(frame: IndexedFrame): Promise<FrameSource> {
    const source = this.#cache.get(this.#keyOf(frame)) ?? this.#read(frame)
    this.#store(frame, source)
    return source
  }

  #store(frame: IndexedFrame, source: Promise<FrameSource>): void {
    this.#cache.set(this.#keyOf(frame), source, { size: frame.meta.bytes + 1 })
  }

  #keyOf = ({ id }: IndexedFrame): string => `${this.#build} ${id}`

  async #read({ id, slug }: IndexedFrame): Promise<FrameSource> {
    const text = await readOption(this.#db, this.#site, recordOption(id))
    return { id, slug, html: decodeRecord(text ?? '', id, slug).html }
  }
}
