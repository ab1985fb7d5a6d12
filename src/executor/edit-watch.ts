import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { listRecordedSites } from '../publishing/copy-record.ts'
import { type SyncServices, syncStaticCopies } from './catch-up.ts'

export type ChangePollerOptions = SyncServices & {
  readonly log: Log
  /** How long to wait between two rounds through the sites, in milliseconds. */
  readonly intervalMs: number
}

/** A site on which catching up took a second is left alone for twenty: editors who save all day may cost a twentieth of a core. */
const BACKOFF_FACTOR = 20

/** Looks at each site that has static copies, again and again, and catches up with what was edited past this service. */
export class ChangePoller {
  readonly #options: ChangePollerOptions
  readonly #stopped = new AbortController()
  /** When a site may be caught up again, in milliseconds since 1970. */
  readonly #restsUntil = new Map<number, number>()
  readonly #running: Promise<void>

  /** Begins with the first round. */
  constructor(options: ChangePollerOptions) {
    this.#options = options
    this.#running = this.#watch()
  }

  /** Lets the site that is being caught up finish. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#running
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      await this.#round()
      await sleep(this.#options.intervalMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  async #round(): Promise<void> {
    const { staticDir, log } = this.#options
    const blogIds = await listRecordedSites(staticDir).catch((error) => {
      log.warn({ err: error }, 'STATIC_DIR could not be read for edits made in WordPress')
      return []
    })
    for (const blogId of blogIds) {
      if (this.#stopped.signal.aborted) return
      if ((this.#restsUntil.get(blogId) ?? 0) <= Date.now()) await this.#visit(blogId)
    }
  }

  async #visit(blogId: number): Promise<void> {
    const log = this.#options.log.child({ site: blogId })
    const begun = Date.now()
    try {
      const outcome = await syncStaticCopies(this.#options, blogId)
      if (outcome === 'up to date') return
      const ms = Date.now() - begun
      this.#restsUntil.set(blogId, Date.now() + BACKOFF_FACTOR * ms)
      if (outcome === 'caught up') log.info({ ms }, 'static copies caught up with WordPress')
      else log.warn('static copies are behind WordPress: building failed')
    } catch (error) {
      log.warn({ err: error }, 'edits made in WordPress could not be looked for')
    }
  }
}
