import { LRUCache } from 'lru-cache'

/** An object as it was seen. */
export type SeenObject = {
  /** Entity tag; `null` if there was no object. */
  readonly etag: string | null
  /** Number of the look. */
  readonly look: number
}

/** Objects that are remembered. */
const MAX_OBJECTS = 20_000

/**
 * What this process has seen of the objects of a store last, by location. A write takes it as its condition. The looks are numbered, so that it
 * is known what was seen before the database confirmed that a claim is open.
 */
export class SeenObjects {
  readonly #objects = new LRUCache<string, SeenObject>({ max: MAX_OBJECTS })
  /** Number of the last look. */
  lastLook = 0

  get(location: string): SeenObject | undefined {
    return this.#objects.get(location)
  }

  set(location: string, etag: string | null): SeenObject {
    this.lastLook += 1
    const seen = { etag, look: this.lastLook }
    this.#objects.set(location, seen)
    return seen
  }

  delete(location: string): void {
    this.#objects.delete(location)
  }
}
