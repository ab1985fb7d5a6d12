import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, Caller } from './caller.ts'
import { observe } from './facts.ts'
import { isWholePage, wholePage } from './frame-markup.ts'
import type { Service } from './service.ts'
import { SHOP, type Stage } from './stage.ts'
import { spread } from './tally.ts'
import { visit } from './visitor.ts'
import type { Writer } from './writer.ts'
import type { Writers } from './writers.ts'

/** Before an injury and once all are served again after it; while it lasts; and in between. */
type Phase = 'well' | 'hurt' | 'healing'

/** A published page that none of the writers puts on a frame. */
const STEADY_PAGE = 11
const PAUSE_MS = 100
/** Longer than anybody may be kept waiting for an answer, whatever it is, in milliseconds: for a connection, for a silent server, and some work. */
const PATIENCE_MS = 40_000

export type LoadOptions = {
  /** Whether reads must be answered while it is hurt. */
  readonly sparesReads: boolean
  /** How long a writer rests after each write, in milliseconds [not at all]. */
  readonly rest?: number
}

/** Writers, readers of the API, and visitors of a page with a static copy. */
export class Load {
  readonly #stage: Stage
  readonly #writers: Writers
  readonly #readers: readonly Caller[]
  readonly #services: readonly Service[]
  readonly #pageUrl: string
  #options: LoadOptions = { sparesReads: false }
  #phase: Phase = 'well'
  #over = false
  #faults: string[] = []
  #outcomes = new Map<string, number>()
  #waits: number[] = []
  /** Who has not been served since the injury was over. */
  #unserved = new Set<string>()

  /** Puts the page that is visited on a frame. */
  static async prepare(
    stage: Stage,
    services: readonly Service[],
    writers: Writers,
  ): Promise<Load> {
    const caller = writers.all[0]?.caller
    await caller?.call('POST', '/frames', { slug: 'steady', html: wholePage('steady', 50) })
    const answer = await caller?.call('POST', '/frames/steady/assign', { page: STEADY_PAGE })
    const pageUrl = answer?.status === 200 ? answer.body.static?.url : undefined
    if (!pageUrl) throw new Error(`the page was not published: ${JSON.stringify(answer)}`)
    return new Load(stage, services, writers, pageUrl)
  }

  private constructor(
    stage: Stage,
    services: readonly Service[],
    writers: Writers,
    pageUrl: string,
  ) {
    this.#stage = stage
    this.#writers = writers
    this.#readers = services.map(
      ({ apiUrl }) =>
        new Caller(`reader at ${apiUrl}`, { token: stage.token, blogId: SHOP, url: apiUrl }),
    )
    this.#services = services
    this.#pageUrl = pageUrl
  }

  /** Begins; the promise is kept when `stop` is called. */
  async run(options: LoadOptions): Promise<void> {
    this.#over = false
    this.#phase = 'well'
    this.#options = options
    this.#faults = []
    this.#outcomes.clear()
    this.#waits = []
    await Promise.all([
      this.#writers.writeUntil(({ kind, answer }, writer) => this.#wrote(kind, answer, writer)),
      ...this.#readers.map((reader) => this.#read(reader)),
      ...this.#services.map(({ frontUrl }) => this.#visit(frontUrl)),
    ])
  }

  /** From now on refusals are no fault. */
  hurt(): void {
    this.#phase = 'hurt'
  }

  /** Waits until everybody is served again; from then on, a refusal is a fault. */
  async recover(patienceMs: number): Promise<number> {
    this.#phase = 'healing'
    const readers = this.#readers.map(({ name }) => name)
    this.#unserved = new Set([...this.#writers.all.map(({ caller }) => caller.name), ...readers])
    const began = performance.now()
    while (this.#unserved.size > 0 && performance.now() - began < patienceMs) await sleep(5)
    this.#phase = 'well'
    const took = Math.round(performance.now() - began)
    for (const name of this.#unserved) this.#faults.push(`${name} was not served ${took} ms after`)
    return took
  }

  /** How long answers took since this was asked last, in milliseconds. */
  takeWaits(): readonly number[] {
    return this.#waits.splice(0)
  }

  /** Ends it. */
  stop(): void {
    this.#over = true
  }

  /** What it met, once it has ended. */
  async findings(): Promise<{ figures: string; faults: string[] }> {
    const outcomes = [...this.#outcomes].map(([outcome, count]) => `${count} ${outcome}`)
    return {
      figures: outcomes.join(', ') + (this.#waits.length > 0 ? `; ${spread(this.#waits)}` : ''),
      faults: [
        ...this.#faults.map((fault) => this.#explained(fault)),
        ...(await this.#writers.settle()),
      ],
    }
  }

  /** With what was logged of the request, where the answer bore its id. */
  #explained(fault: string): string {
    const [, id] = /"request_id":"([^"]+)"/.exec(fault) ?? []
    const lines = this.#services.flatMap(({ complaints }) => complaints)
    const line = id === undefined ? undefined : lines.find((logged) => logged.includes(id))
    return line === undefined ? fault : `${fault}; it logged ${line}`
  }

  async #wrote(kind: string, answer: Answer, writer: Writer): Promise<boolean> {
    this.#note(kind, writer.caller.name, answer, false)
    if (this.#options.rest) await sleep(this.#options.rest)
    if (answer.status === undefined || answer.status >= 500) {
      await sleep(PAUSE_MS)
      this.#faults.push(...(await this.#settle(writer)))
    }
    return !this.#over
  }

  async #read(reader: Caller): Promise<void> {
    while (!this.#over) {
      this.#note('read', reader.name, await reader.call('GET', '/menus'), this.#options.sparesReads)
      await sleep(PAUSE_MS / 4)
    }
  }

  /** What has a static copy is shown whatever happens to the database. */
  async #visit(front: string): Promise<void> {
    while (!this.#over) {
      const { status, body } = await visit(front, this.#pageUrl)
      this.#count(`pages shown with ${status ?? 'no answer'}`)
      if (status !== 200 || !isWholePage(body))
        this.#faults.push(`a visitor was given ${status}: ${body.slice(0, 200)}`)
      await sleep(PAUSE_MS / 4)
    }
  }

  #note(kind: string, name: string, answer: Answer, isSpared: boolean): void {
    const { status, ms } = answer
    this.#waits.push(ms)
    this.#count(`${kind === 'read' ? 'reads' : 'writes'} answered ${status ?? 'nothing'}`)
    if (status !== undefined && status < 400) this.#unserved.delete(name)
    const fault = this.#faultIn(answer, isSpared)
    if (fault) this.#faults.push(`${kind} ${fault} after ${Math.round(ms)} ms (${this.#phase})`)
  }

  #faultIn(answer: Answer, isSpared: boolean): string | undefined {
    if (answer.status === undefined) return `had no answer: ${answer.reason}`
    if (answer.ms > PATIENCE_MS) return `was answered ${answer.status} too late`
    if (answer.status < 400) return undefined
    const isClear = answer.status === 503 && Number(answer.retryAfter) > 0
    if (isClear && !isSpared && this.#phase !== 'well') return undefined
    return `was answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 400)}`
  }

  #count(outcome: string): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1)
  }

  /** A write that was answered 503 may have been stored or not: the database says which as soon as it can be asked. */
  async #settle(writer: Writer): Promise<string[]> {
    while (!this.#over) {
      try {
        return writer.settle(await observe(this.#stage.db, this.#stage.site))
      } catch {
        await sleep(PAUSE_MS)
      }
    }
    return []
  }
}
