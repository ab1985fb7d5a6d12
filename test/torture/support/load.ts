import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, Caller } from './caller.ts'
import { observe } from './facts.ts'
import { isWholePage, wholePage } from './frame-markup.ts'
import type { Service } from './service.ts'
import { spread } from './tally.ts'
import { SHOP, type TortureFixture } from './torture-fixture.ts'
import { requestPage } from './visitor.ts'
import type { Writer } from './writer.ts'
import type { Writers } from './writers.ts'

/** Before a disruption and after the recovery; during it; and between its end and the recovery. */
type Phase = 'well' | 'hurt' | 'healing'

/** A published page that no writer assigns to a frame. */
const STEADY_PAGE = 11
const PAUSE_MS = 100
/** Time in which this page must be published, in milliseconds. */
const PUBLISHED_MS = 20_000
/** Maximum duration of any answer, in milliseconds: the wait for a connection, the reply timeout of the database, and some work. */
const MAX_ANSWER_MS = 40_000

export type LoadOptions = {
  /** Whether reads must be answered during the disruption. */
  readonly sparesReads: boolean
  /** Pause of a writer after each write, in milliseconds [none]. */
  readonly rest?: number
}

/** Writers, readers of the API, and visitors of a page with a static copy. */
export class Load {
  readonly #fixture: TortureFixture
  readonly #writers: Writers
  readonly #readers: readonly Caller[]
  readonly #services: readonly Service[]
  readonly #pageUrl: string
  #options: LoadOptions = { sparesReads: false }
  #phase: Phase = 'well'
  /** When the phase began, in milliseconds of `performance.now()`. */
  #phaseBegan = 0
  #over = false
  #faults: string[] = []
  #outcomes = new Map<string, number>()
  #waits: number[] = []
  /** Clients that have not been served since the end of the disruption. */
  #unserved = new Set<string>()

  /** Assigns the page that visitors request to a frame. */
  static async prepare(
    fixture: TortureFixture,
    services: readonly Service[],
    writers: Writers,
  ): Promise<Load> {
    const caller = writers.all[0]?.caller
    await caller?.call('POST', '/frames', { slug: 'steady', html: wholePage('steady', 50) })
    for (const end = performance.now() + PUBLISHED_MS; ; await sleep(PAUSE_MS)) {
      const answer = await caller?.call('POST', '/frames/steady/assign', { page: STEADY_PAGE })
      const pageUrl = answer?.status === 200 ? answer.body.static?.url : undefined
      if (pageUrl) return new Load(fixture, services, writers, pageUrl)
      // On a busy machine it may be pending.
      if (performance.now() > end)
        throw new Error(`the page was not published: ${JSON.stringify(answer)}`)
    }
  }

  private constructor(
    fixture: TortureFixture,
    services: readonly Service[],
    writers: Writers,
    pageUrl: string,
  ) {
    this.#fixture = fixture
    this.#writers = writers
    this.#readers = services.map(
      ({ apiUrl }) =>
        new Caller(`reader at ${apiUrl}`, { token: fixture.token, blogId: SHOP, url: apiUrl }),
    )
    this.#services = services
    this.#pageUrl = pageUrl
  }

  /** Starts the load; the promise resolves after `stop`. */
  async run(options: LoadOptions): Promise<void> {
    this.#over = false
    this.#enter('well')
    this.#options = options
    this.#faults = []
    this.#outcomes.clear()
    this.#waits = []
    await Promise.all([
      this.#writers.writeUntil(({ kind, answer }, writer) => this.#wrote(kind, answer, writer)),
      ...this.#readers.map((reader) => this.#read(reader)),
      ...this.#services.map(({ frontUrl }) => this.#requestPage(frontUrl)),
    ])
  }

  /** From now on refusals are allowed. */
  hurt(): void {
    this.#enter('hurt')
  }

  /** Waits until all clients are served again; from then on a refusal is a fault. */
  async recover(patienceMs: number): Promise<number> {
    this.#enter('healing')
    const readers = this.#readers.map(({ name }) => name)
    this.#unserved = new Set([...this.#writers.all.map(({ caller }) => caller.name), ...readers])
    const began = performance.now()
    while (this.#unserved.size > 0 && performance.now() - began < patienceMs) await sleep(5)
    this.#enter('well')
    const took = Math.round(performance.now() - began)
    for (const name of this.#unserved) this.#faults.push(`${name} was not served ${took} ms after`)
    return took
  }

  /** Durations of the answers since the last call, in milliseconds. */
  takeWaits(): readonly number[] {
    return this.#waits.splice(0)
  }

  /** Stops the load. */
  stop(): void {
    this.#over = true
  }

  /** The results, after the load has ended. */
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

  #enter(phase: Phase): void {
    this.#phase = phase
    this.#phaseBegan = performance.now()
  }

  /** Adds the log line of the request. */
  #explained(fault: string): string {
    const [, id] = / request ([\w-]{16,}):/.exec(fault) ?? []
    const lines = this.#services.flatMap(({ errorLines }) => errorLines)
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

  /** Requests a page with a static copy, which must be served whatever happens to the database. */
  async #requestPage(front: string): Promise<void> {
    while (!this.#over) {
      const { status, body } = await requestPage(front, this.#pageUrl)
      this.#count(`pages shown with ${status ?? 'no answer'}`)
      if (status !== 200 || !isWholePage(body))
        this.#faults.push(`a visitor received ${status}: ${body.slice(0, 200)}`)
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
    if (answer.ms > MAX_ANSWER_MS) return `was answered ${answer.status} too late`
    if (answer.status < 400) return undefined
    const isClear = answer.status === 503 && Number(answer.retryAfter) > 0
    // A request that began before the recovery may be refused after it.
    const isWell = this.#phase === 'well' && performance.now() - answer.ms > this.#phaseBegan
    if (isClear && !isSpared && !isWell) return undefined
    const { status, requestId, body } = answer
    return `was answered ${status} to request ${requestId}: ${JSON.stringify(body).slice(0, 400)}`
  }

  #count(outcome: string): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1)
  }

  /** A write with the answer 503 may have been stored or not: the database shows it once it is available. */
  async #settle(writer: Writer): Promise<string[]> {
    while (!this.#over) {
      try {
        return writer.settle(await observe(this.#fixture.db, this.#fixture.site))
      } catch {
        await sleep(PAUSE_MS)
      }
    }
    return []
  }
}
