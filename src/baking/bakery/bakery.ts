import { availableParallelism } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type { MarkupReport } from '../../markup/analyse.ts'
import { smallLimits } from '../budget.ts'
import * as jobs from './bake-jobs.ts'

/** Markup that may be scanned and compiled on the thread that answers requests, in characters: some milliseconds. */
const MAX_SCANNED_HERE = 64 * 1024
/** Jobs that take longer together let requests pass before the next one. */
const TURN_MS = 5
/** A worker that takes longer is stopped. Its budgets end it long before, unless it is starved. */
const MAX_JOB_MS = 30_000
/** Bakes come one after the other but for those of other sites. */
const MAX_THREADS = 4
/** Idle worker threads are kept for a while, with what they compiled: each has some 40 MB, and starts within a tenth of a second. */
const IDLE_MS = 10_000
/** What a thread may hold. What is new is cleared away early: by default there would be 48 MB of it before anything is. */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 4 }

/**
 * Does the work of baking: what is small on this thread, the rest on others, so that requests don't wait for it. Whether a
 * job is small shows only when it is done (a frame of a hundred bytes may embed itself a million times over), so what looks small is tried
 * here within narrow limits and begun again elsewhere where it meets them.
 */
export class Bakery {
  readonly #programs = jobs.createPrograms()
  #pool: Piscina | undefined
  /** On jobs since the event loop last came round, which `turn` waits for. */
  #spentMs = 0
  #turn: Promise<void> | undefined

  /** What is in markup that is about to be written. */
  async report(html: string): Promise<MarkupReport> {
    const job = { html }
    return (
      (await this.#tryHere([job], () => jobs.report(job, this.#programs))) ??
      this.#run('report', job)
    )
  }

  async inspect(job: jobs.InspectJob): Promise<jobs.Inspection> {
    const inspection = await this.#tryHere(job.frames, () => jobs.inspect(job, this.#programs))
    return inspection ?? this.#run('inspect', job)
  }

  async bake(job: jobs.BakeJob): Promise<jobs.BakedPieces> {
    const limits = smallLimits(job.languages.length)
    const baked = await this.#tryHere(job.frames, () => jobs.bake(job, this.#programs, limits))
    return baked && !baked.exhausted ? baked : this.#run('bake', job)
  }

  async finish(job: jobs.FinishJob): Promise<string> {
    const limits = smallLimits(1)
    const page = await this.#tryHere(job.frames, () => jobs.finish(job, this.#programs, limits))
    const { html } =
      page && !page.exhausted ? page : await this.#run<jobs.FinishedPage>('finish', job)
    return html
  }

  /** Stops the threads; jobs that are running fail. */
  async close(): Promise<void> {
    await this.#pool?.destroy()
    this.#pool = undefined
  }

  /** Does small work; many small jobs take turns with requests. */
  async #tryHere<T>(markup: readonly jobs.ReportJob[], work: () => T): Promise<T | undefined> {
    if (!this.#isSmall(markup)) return undefined
    while (this.#spentMs > TURN_MS) await this.#turn
    const begin = performance.now()
    try {
      return work()
    } finally {
      this.#spentMs += performance.now() - begin
      this.#turn ??= nextTurn().then(() => {
        this.#spentMs = 0
        this.#turn = undefined
      })
    }
  }

  #isSmall(markup: readonly jobs.ReportJob[]): boolean {
    let length = 0
    for (const { html } of markup) if (!this.#programs.has(html)) length += html.length
    return length <= MAX_SCANNED_HERE
  }

  #run<Result>(name: 'report' | 'inspect' | 'bake' | 'finish', job: object): Promise<Result> {
    this.#pool ??= openPool()
    return this.#pool.run(job, { name, signal: AbortSignal.timeout(MAX_JOB_MS) })
  }
}

/** A pool of threads that starts none before the first job. */
function openPool(): Piscina {
  const isSource = import.meta.url.endsWith('.ts')
  return new Piscina({
    filename: fileURLToPath(new URL(`./bake-worker${isSource ? '.ts' : '.js'}`, import.meta.url)),
    minThreads: 0,
    maxThreads: Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1)),
    idleTimeout: IDLE_MS,
    execArgv: isSource ? ['--import', typescriptReader()] : [],
    resourceLimits: THREAD_MEMORY,
  })
}

/** Where the sources run as they are, under tsx or vitest, a thread has to be taught to read them. */
function typescriptReader(): string {
  const tsx = import.meta.resolve('tsx/esm/api')
  const code = `import { register } from ${JSON.stringify(tsx)}; register()`
  return `data:text/javascript,${encodeURIComponent(code)}`
}
