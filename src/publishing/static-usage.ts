import { forEachBounded } from '../concurrency/for-each.ts'
import { listRecordedPages, readRecord } from './copy-records.ts'
import { sizeOfCopy } from './static-copy.ts'
import { copyFolderForUrl } from './static-path.ts'

/** Records read concurrently. */
const RECORDS_AT_ONCE = 16
/** Minimum lifetime of a count, in milliseconds. It expires because other processes write to the same folder. */
const MIN_COUNT_LIFETIME_MS = 60_000
/** A count that took t ms is repeated after 100·t ms at the earliest, so that counting costs at most 1% of the time. */
const COUNT_SHARE = 100

type Usage = {
  bytes: number
  /** When the count expires, in milliseconds since 1970. */
  readonly staleAt: number
}

/**
 * Tracks the size of each site's static copies and enforces the quota. Counts come from the records; this process adds what it writes, and
 * recounts from time to time, so that a crash or another process makes the count wrong only for a limited time.
 */
export class StaticUsage {
  readonly #staticDir: string
  readonly #limit: number
  readonly #counting = new Map<number, Promise<Usage>>()
  readonly #counted = new Map<number, Usage>()

  /** @param limit quota per site, in bytes */
  constructor(staticDir: string, limit: number) {
    this.#staticDir = staticDir
    this.#limit = limit
  }

  get limit(): number {
    return this.#limit
  }

  /** Counts the bytes of a site unless a current count exists. Must be awaited before `replace`. */
  async count(site: number): Promise<void> {
    const known = this.#counted.get(site)
    if (known && known.staleAt > Date.now()) return
    const counting = this.#counting.get(site) ?? this.#countRecords(site)
    this.#counting.set(site, counting)
    try {
      this.#counted.set(site, await counting)
    } finally {
      this.#counting.delete(site)
    }
  }

  /** Size of a site's static copies, in bytes. */
  bytesOf(site: number): number {
    return this.#counted.get(site)?.bytes ?? 0
  }

  /**
   * Replaces a copy of `before` bytes by one of `after` bytes in the count.
   * @returns false, with the count unchanged, if that would exceed the quota. A copy that does not grow is always accepted
   */
  replace(site: number, before: number, after: number): boolean {
    const usage = this.#counted.get(site)
    if (!usage) return true
    if (after > before && usage.bytes - before + after > this.#limit) return false
    usage.bytes += after - before
    return true
  }

  async #countRecords(site: number): Promise<Usage> {
    const begun = performance.now()
    let bytes = 0
    const staticDir = this.#staticDir
    await forEachBounded(
      await listRecordedPages(staticDir, site),
      RECORDS_AT_ONCE,
      async (page) => {
        const record = await readRecord({ staticDir, site, page })
        if (record?.url == null) return
        const folder = copyFolderForUrl(staticDir, record.url)
        const size = record.bytes ?? (folder === undefined ? 0 : await sizeOfCopy(folder))
        bytes += size
      },
    )
    const ms = performance.now() - begun
    return { bytes, staleAt: Date.now() + Math.max(MIN_COUNT_LIFETIME_MS, COUNT_SHARE * ms) }
  }
}
