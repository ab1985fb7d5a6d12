import type { Db } from '../db/database.ts'
import { readFrames } from '../frames/read-frame.ts'
import type { FrameName } from '../frames/registry.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { FrameSource } from './bakery/bake-jobs.ts'

/** Room for markup that was read, in characters: frames that many others embed are then read once for all. */
const CAPACITY = 16 * 1024 * 1024

/** The markup of a site's frames, kept for one change or one request. */
export class FrameSources {
  readonly #db: Db
  readonly #site: Site
  readonly #held = new Map<string, FrameSource>()
  #length = 0

  constructor(db: Db, site: Site) {
    this.#db = db
    this.#site = site
  }

  /**
   * The markup of these frames, in their order.
   * @throws AppError `frame_unreadable` for a damaged record
   */
  async read(names: readonly FrameName[]): Promise<FrameSource[]> {
    const read = new Map<string, FrameSource>()
    const missing = names.filter(({ id }) => !this.#held.has(id))
    for (const { id, record } of await this.#readFrames(missing)) {
      read.set(id, { id, slug: record.slug, html: record.html })
    }
    const sources = names.flatMap(({ id }) => this.#held.get(id) ?? read.get(id) ?? [])
    for (const source of read.values()) this.#keep(source)
    return sources
  }

  #readFrames(names: readonly FrameName[]): ReturnType<typeof readFrames> {
    return names.length > 0 ? readFrames(this.#db, this.#site, names) : Promise.resolve([])
  }

  #keep(source: FrameSource): void {
    if (this.#length + source.html.length > CAPACITY) return
    this.#held.set(source.id, source)
    this.#length += source.html.length
  }
}
