import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { WorkerPool } from '../../concurrency/worker-pool.ts'
import type { MarkupAnalyzer } from '../../frames/frame-markup.ts'
import { sha256Hex } from '../../hash.ts'
import type { Rewrite } from '../../markup/rewrite-references.ts'
import * as jobs from './bake-jobs.ts'

/** Markup that may be scanned and compiled on the thread that answers requests, in characters: some milliseconds. */
const MAX_INLINE_CHARACTERS = 64 * 1024
/** Room for rewrites that were found, in bytes, roughly. */
const REWRITES_CAPACITY = 16 * 1024 * 1024
/** What one edit takes of it. */
const EDIT_BYTES = 100
/** Jobs that take longer together let requests pass before the next one. */
const MAX_BLOCK_MS = 5

const WORKER = new URL(
  `./bake-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
)

/**
 * Does the work of baking: what is small on this thread, the rest on the threads of the process, so that requests don't wait for it.
 * Whether a job is small shows only when it is done (a frame of a hundred bytes may embed itself a million times over), so what looks small is
 * tried here within narrow limits and begun again elsewhere where it meets them.
 */
export class Bakery {
  readonly #workers: WorkerPool
  readonly #programs = jobs.createPrograms()
  /** By the names of the frame and the digest of the markup: the same markup is rewritten alike on every site. */
  readonly #rewrites = new LRUCache<string, Rewrite>({
    maxSize: REWRITES_CAPACITY,
    sizeCalculation: sizeOfRewrite,
  })
  /** On jobs since the event loop last came round, which `turn` waits for. */
  #spentMs = 0
  #turn: Promise<void> | undefined

  /** @param workers closed by the caller */
  constructor(workers: WorkerPool) {
    this.#workers = workers
  }

  /**
   * Reads markup for the site with this key. A rewrite that was found is remembered for a while, so that a transaction finds at once what was
   * prepared for it.
   */
  analyzerFor(key: string): MarkupAnalyzer {
    return {
      analyze: async (html) => {
        const job = { html }
        const report = await this.tryInline([job], (programs) => jobs.report(job, programs))
        return report ?? this.runOnWorker(key, 'report', job)
      },
      rewrite: async (html, from, to) => {
        const id = `${from} ${to} ${sha256Hex(html)}`
        const known = this.#rewrites.get(id)
        if (known) return known
        const job = { html, from, to }
        const here = await this.tryInline([job], () => jobs.rewrite(job))
        const rewrite = here ?? (await this.runOnWorker<Rewrite>(key, 'rewrite', job))
        this.#rewrites.set(id, rewrite)
        return rewrite
      },
    }
  }

  /** Does a job here if its markup is small; many small jobs let requests pass between them. Undefined for one that has to go to a thread. */
  async tryInline<T>(
    markup: readonly jobs.Markup[],
    work: (programs: jobs.Programs) => T,
  ): Promise<T | undefined> {
    if (!this.#isSmall(markup)) return undefined
    while (this.#spentMs > MAX_BLOCK_MS) await this.#turn
    const begin = performance.now()
    try {
      return work(this.#programs)
    } finally {
      this.#spentMs += performance.now() - begin
      this.#turn ??= nextTurn().then(() => {
        this.#spentMs = 0
        this.#turn = undefined
      })
    }
  }

  /**
   * Does a job on a thread.
   * @param data the job, or what reads it when a thread is free for it
   * @throws AppError `service_busy` where it waited or ran too long
   */
  runOnWorker<Result>(key: string, name: string, data: object): Promise<Result> {
    return this.#workers.run(key, { module: WORKER, name, data })
  }

  #isSmall(markup: readonly jobs.Markup[]): boolean {
    let length = 0
    for (const { html } of markup) {
      if (html !== null && !this.#programs.has(html)) length += html.length
    }
    return length <= MAX_INLINE_CHARACTERS
  }
}

function sizeOfRewrite({ edits, report }: Rewrite): number {
  return EDIT_BYTES * (edits.length + 1) + JSON.stringify(report ?? null).length
}
