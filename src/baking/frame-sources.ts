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

/** Room for the markup that all builds of the process keep, in bytes: frames that many others embed are read once for all. */
const MAX_CACHED_BYTES = 8 * 1024 * 1024

/** Markup that builds keep, each under keys of its own; what was used longest ago leaves it first. */
export type SourceCache = LRUCache<string, Promise<FrameSource>>

export function createSourceCache(): SourceCache {
  return new LRUCache({ maxSize: MAX_CACHED_BYTES })
}

/** The markup of a site's frames, kept for one change or one request as far as the process has room. */
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
   * The markup of these frames, in their order, still to be read. What is asked for at the same time is read together.
   * @param readable those that are read: the others are given without markup
   * @throws AppError `frame_unreadable` for a damaged record, as they are read
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

  /** Takes what was just written for what would be read, where the frame's digest says that it is that. */
  add(frame: IndexedFrame, { html, sha256 }: NonNullable<Change['markup']>): void {
    const { id, slug, meta } = frame
    if (meta.sha256 === sha256) this.#keep(frame, Promise.resolve({ id, slug, html }))
  }

  #readOnce(frame: IndexedFrame): Promise<FrameSource> {
    const source = this.#cache.get(this.#keyOf(frame)) ?? this.#read(frame)
    this.#keep(frame, source)
    return source
  }

  #keep(frame: IndexedFrame, source: Promise<FrameSource>): void {
    this.#cache.set(this.#keyOf(frame), source, { size: frame.meta.bytes + 1 })
  }

  #keyOf = ({ id }: IndexedFrame): string => `${this.#build} ${id}`

  async #read({ id, slug }: IndexedFrame): Promise<FrameSource> {
    const text = await readOption(this.#db, this.#site, recordOption(id))
    return { id, slug, html: decodeRecord(text ?? '', id, slug).html }
  }
}
