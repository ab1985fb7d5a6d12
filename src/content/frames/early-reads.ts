import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { type RecordDigests, readRecordDigests } from './frame-history.ts'
import { isFrameBound } from './frame-pages.ts'

/** What a write of frames reads before it needs it: in the packet of the statement that locks them, or once for many of them. */
export class EarlyReads {
  readonly #tx: Tx
  readonly #site: Site
  #digests: Promise<RecordDigests> | undefined
  /** The frames whose digests were read, and not taken yet. */
  #unwritten = new Set<string>()
  readonly #bound = new Map<string, Promise<boolean>>()

  constructor(tx: Tx, site: Site) {
    this.#tx = tx
    this.#site = site
  }

  /** Begins to read what the history compares writes of these frames with. */
  readDigests(ids: readonly string[]): void {
    this.#digests = readRecordDigests(this.#tx, this.#site, ids)
    this.#digests.catch(() => {})
    this.#unwritten = new Set(ids)
  }

  /** The digests of frames that are written next; they are read if they were not, and once more for a frame that is written twice. */
  takeDigests(ids: readonly string[]): Promise<RecordDigests> {
    const isRead = ids.every((id) => this.#unwritten.delete(id))
    return (isRead && this.#digests) || readRecordDigests(this.#tx, this.#site, ids)
  }

  /** Begins to read whether a page is bound to a frame. */
  readBinding(id: string): void {
    const bound = isFrameBound(this.#tx, this.#site, id)
    bound.catch(() => {})
    this.#bound.set(id, bound)
  }

  /** See `isFrameBound`. */
  isBound(id: string): Promise<boolean> {
    return this.#bound.get(id) ?? isFrameBound(this.#tx, this.#site, id)
  }
}
