import { LRUCache } from 'lru-cache'
import type { Change } from '../change.ts'
import type { Db } from '../db/database.ts'
import type { IndexedFrame } from '../frames/graph.ts'
import { recordOption } from '../frames/option-names.ts'
import { decodeRecord } from '../frames/record.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOption } from '../wordpress/options/read-option.ts'
import type { FrameSource } from './bakery/bake-jobs.ts'

/** Room for markup, in bytes: frames that many others embed are read once for all. */
const CAPACITY = 8 * 1024 * 1024

/** The markup of a site's frames, kept for one change or one request. */
export class FrameSources {
  readonly #db: Db
  readonly #site: Site
  readonly #held = new LRUCache<string, Promise<FrameSource>>({ maxSize: CAPACITY })

  constructor(db: Db, site: Site) {
    this.#db = db
    this.#site = site
  }

  /**
   * The markup of these frames, in their order. What is asked for at the same time is read together.
   * @throws AppError `frame_unreadable` for a damaged record
   */
  read(frames: readonly IndexedFrame[]): Promise<FrameSource[]> {
    return Promise.all(frames.map((frame) => this.#readOnce(frame)))
  }

  /** Takes what was just written for what would be read, where the frame's digest says that it is that. */
  hold({ id, slug, meta }: IndexedFrame, { html, sha256 }: NonNullable<Change['markup']>): void {
    if (meta.sha256 !== sha256) return
    this.#held.set(id, Promise.resolve({ id, slug, html }), { size: meta.bytes + 1 })
  }

  #readOnce(frame: IndexedFrame): Promise<FrameSource> {
    const source = this.#held.get(frame.id) ?? this.#read(frame)
    this.#held.set(frame.id, source, { size: frame.meta.bytes + 1 })
    return source
  }

  async #read({ id, slug }: IndexedFrame): Promise<FrameSource> {
    const text = await readOption(this.#db, this.#site, recordOption(id))
    return { id, slug, html: decodeRecord(text ?? '', id, slug).html }
  }
}
