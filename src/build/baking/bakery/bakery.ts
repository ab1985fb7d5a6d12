import { LRUCache } from 'lru-cache'
import type { MarkupAnalyzer } from '../../../content/frames/frame-markup.ts'
import type { Rewrite } from '../../../content/markup/rewrite-references.ts'
import { inTimeSlice } from '../../../host/concurrency/time-slices.ts'
import { threadModule, type WorkerPool } from '../../../host/concurrency/worker-pool.ts'
import { sha256Hex } from '../../../host/hash.ts'
import * as jobs from './bake-jobs.ts'

/** Characters of markup that may be parsed and compiled on the main thread; takes a few milliseconds. */
const MAX_INLINE_CHARACTERS = 64 * 1024
/** Approximate memory of the cached rewrites, and of one edit in them, in bytes. */
const REWRITES_CAPACITY = 16 * 1024 * 1024
const EDIT_BYTES = 100

const THREAD = threadModule('bake-thread', import.meta.url)

/**
 * Runs the CPU-bound jobs of baking and markup analysis: small ones on the main thread, the others on worker threads, so that they do not
 * block requests. The size of a job is known only afterwards (100 bytes of markup may embed a frame a million times), so a job that looks
 * small runs on the main thread within narrow limits, and is restarted on a worker if it exceeds them.
 */
export class Bakery {
  readonly #workers: WorkerPool
  readonly #programs = jobs.createPrograms()
  /** By the slugs and the digest of the markup; the result is the same on every site. */
  readonly #rewrites = new LRUCache<string, Rewrite>({
    maxSize: REWRITES_CAPACITY,
    sizeCalculation: sizeOfRewrite,
  })

  /** @param workers closed by the caller */
  constructor(workers: WorkerPool) {
    this.#workers = workers
  }

  /**
   * The markup analyzer of a site. Rewrites are cached, so that a transaction reuses those prepared before it.
   * @param key of the site, for fairness between sites (`WorkerPool`)
   */
  analyzerFor(key: string): MarkupAnalyzer {
    return {
      analyze: async (html) => {
        const job = { html }
        const report = await this.tryInline([job], (programs) => jobs.analyze(job, programs))
        return report ?? this.runOnWorker(key, 'analyze', job)
      },
      rewrite: async (html, renames) => {
        const id = `${JSON.stringify([...renames])} ${sha256Hex(html)}`
        const cached = this.#rewrites.get(id)
        if (cached) return cached
        const job = { html, renames }
        const inline = await this.tryInline([job], () => jobs.rewrite(job))
        const rewrite = inline ?? (await this.runOnWorker<Rewrite>(key, 'rewrite', job))
        this.#rewrites.set(id, rewrite)
        return rewrite
      },
    }
  }

  /** Runs a job on the main thread if its markup is small. Returns undefined if it must run on a worker. */
  async tryInline<T>(
    markup: readonly jobs.MarkupText[],
    work: (programs: jobs.Programs) => T,
  ): Promise<T | undefined> {
    return this.#isSmall(markup) ? inTimeSlice(() => work(this.#programs)) : undefined
  }

  /**
   * Runs a job on a worker thread.
   * @param data the job, or a function that reads it when a thread is free
   * @throws AppError `service_busy` if the job waited or ran too long
   */
  runOnWorker<Result>(key: string, name: string, data: object): Promise<Result> {
    return this.#workers.run(key, { module: THREAD, name, data })
  }

  #isSmall(markup: readonly jobs.MarkupText[]): boolean {
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
