import { forEachBounded } from '../concurrency/for-each.ts'
import { listRecordedPages, readRecord } from './copy-records.ts'
import { sizeOfCopy } from './static-copy.ts'
import { copyFolderForUrl } from './static-path.ts'

/** Records read at a time. */
const RECORDS_AT_ONCE = 16
/** How long a count holds at least, in milliseconds: other processes on the same folder write meanwhile. */
const MIN_COUNT_LIFETIME_MS = 60_000
/** A count that took a second is made again after a hundred at the earliest: counting may cost a hundredth of the time. */
const COUNT_SHARE = 100

type Usage = {
  bytes: number
  /** When to count again, in milliseconds since 1970. */
  readonly staleAt: number
}

/**
 * How many bytes the static copies of each site take, and whether more may be added. The numbers are those of the records; this process adds
 * what it writes, and counts again from time to time, so that neither a crash nor another process makes them wrong for long.
 */
export class StaticUsage {
  readonly #staticDir: string
  readonly #limit: number
  readonly #counting = new Map<number, Promise<Usage>>()
  readonly #counted = new Map<number, Usage>()

  /** @param limit bytes that the copies of one site may take */
  constructor(staticDir: string, limit: number) {
    this.#staticDir = staticDir
    this.#limit = limit
  }

  get limit(): number {
    return this.#limit
  }

  /** Counts what a site has, unless that is known. Must be awaited before `replace`. */
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

  /** Bytes that the copies of a site take. */
  bytesOf(site: number): number {
    return this.#counted.get(site)?.bytes ?? 0
  }

  /**
   * Takes a copy of `before` bytes out of the sum and one of `after` bytes into it.
   * @returns false, with the sum as it was, where that would grow beyond the limit. A copy that does not grow is always taken
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
