import { setTimeout as sleep } from 'node:timers/promises'
import { compareAnswers } from './compare-answers.ts'
import type { ComparedRequest, RequestKind, TimedAnswer } from './compared-request.ts'
import { breaksClients, type Difference } from './difference.ts'
import { isNoise, noiseField, noiseOf } from './noise.ts'

/** Sends a request to both sides at the same time, or to one. An error ends the comparison of the site. */
export type AskSides = {
  old(request: ComparedRequest): Promise<TimedAnswer>
  ours(request: ComparedRequest): Promise<TimedAnswer>
  /** Pause before a resource whose rows changed is asked for again, in milliseconds, by attempt. */
  readonly pauseMs: number
}

/** A difference at a route. */
export type FoundDifference = Difference & {
  readonly route: string
  /** The request, for people: `GET /site/2/frames`. */
  readonly request: string
  /** False if no request was left to ask for it again. */
  readonly confirmed: boolean
}

/** A resource whose stored rows changed with each attempt to compare it. */
export type MovedResource = { readonly route: string; readonly request: string }

export type ComparedRequests = {
  readonly differences: readonly FoundDifference[]
  /** What no client depends on: additional fields, other headers, other sentences. */
  readonly apart: readonly FoundDifference[]
  readonly noise: readonly { readonly route: string; readonly field: string }[]
  readonly notComparable: readonly MovedResource[]
  /** Milliseconds of each answer. */
  readonly times: readonly { readonly route: string; readonly old: number; readonly ours: number }[]
  readonly requests: { readonly old: number; readonly ours: number }
}

export type RequestBudget = {
  /** Requests to each side. */
  readonly most: number
  /** Ask for everything twice, also where nothing differs. */
  readonly twice?: boolean
}

/** How often a resource is asked for again while its rows change. */
const MAX_ATTEMPTS = 3

type Answers = { readonly old: TimedAnswer; readonly ours: TimedAnswer }

type Exchange = {
  readonly request: ComparedRequest
  /** The last ones, while they may be compared with further ones: those of a site may have gigabytes. */
  answers: Answers | undefined
  /** Without noise that is known only later. */
  differences: readonly Difference[]
  attempts: number
  state: 'open' | 'confirmed' | 'moved'
}

/**
 * Compares the answers to requests, within a budget. What differs is asked for again: what the old endpoint answers differently itself is noise,
 * in all requests of this kind; if our own answers differ, rows have changed, because they depend on nothing else.
 */
export class RequestComparison {
  readonly #ask: AskSides
  readonly #budget: RequestBudget
  readonly #exchanges: Exchange[] = []
  readonly #unstable: FoundDifference[] = []
  readonly #times: ComparedRequests['times'][number][] = []
  /** By kind of request. */
  readonly #noise = new Map<RequestKind, Set<string>>()
  readonly #noiseFields = new Map<string, ComparedRequests['noise'][number]>()
  /** Fields that differed in two rounds, by kind of request. */
  readonly #confirmed = new Map<RequestKind, Set<string>>()
  readonly #sent = { old: 0, ours: 0 }
  #hasMoved = false

  constructor(ask: AskSides, budget: RequestBudget) {
    this.#ask = ask
    this.#budget = budget
  }

  /** Requests that may still be sent to each side. */
  get left(): number {
    return this.#budget.most - Math.max(this.#sent.old, this.#sent.ours)
  }

  /** Sends a request to both sides. Returns both answers; undefined if the budget is used up. */
  async compare(request: ComparedRequest): Promise<Answers | undefined> {
    if (this.left < 1) return undefined
    const answers = await this.#send(request)
    const exchange: Exchange = {
      request,
      answers,
      differences: compareAnswers(answers.old, answers.ours),
      attempts: 0,
      state: 'open',
    }
    this.#exchanges.push(exchange)
    if (this.#budget.twice)
      while (exchange.state === 'open' && this.left > 0) await this.#askAgain(exchange)
    // It is not asked for again, see `#nextToConfirm`.
    if (exchange.state !== 'open' || !exchange.differences.some(breaksClients))
      exchange.answers = undefined
    return answers
  }

  /** Asks again for what differs, first one request of each kind, until everything is known or the budget is used up. */
  async confirm(): Promise<void> {
    for (;;) {
      const next = this.#nextToConfirm()
      if (!next || this.left < 1) return
      await this.#askAgain(next)
      if (next.state !== 'open') next.answers = undefined
    }
  }

  #nextToConfirm(): Exchange | undefined {
    const unknown = this.#exchanges
      .filter(({ state }) => state === 'open')
      .map((exchange) => ({ exchange, fields: this.#unknownOf(exchange).length }))
      .filter(({ fields }) => fields > 0)
    const askedOf = ({ request: { kind } }: Exchange): number =>
      this.#exchanges
        .filter(({ request }) => request.kind === kind)
        .reduce((sum, { attempts }) => sum + attempts, 0)
    return unknown.sort(
      (a, b) => askedOf(a.exchange) - askedOf(b.exchange) || b.fields - a.fields,
    )[0]?.exchange
  }

  /** The differences of which no second round is known. */
  #unknownOf({ request, differences }: Exchange): Difference[] {
    const confirmed = this.#confirmed.get(request.kind)
    return this.#withoutNoise(request.kind, differences).filter(
      (difference) => breaksClients(difference) && !confirmed?.has(fieldKey(difference)),
    )
  }

  async #askAgain(exchange: Exchange): Promise<void> {
    const { request, answers: before } = exchange
    const answers = await this.#send(request)
    const { old, ours } = answers
    exchange.attempts += 1
    const hasMoved = before !== undefined && compareAnswers(before.ours, ours).some(breaksClients)
    const noise = hasMoved || !before ? new Set<string>() : noiseOf(before.old, old)
    Object.assign(exchange, { answers, differences: compareAnswers(old, ours) })
    if (hasMoved) {
      this.#hasMoved = true
      // Equal answers to the same state of the rows say enough.
      if (!exchange.differences.some(breaksClients)) exchange.state = 'confirmed'
      else if (exchange.attempts >= MAX_ATTEMPTS) exchange.state = 'moved'
      else await sleep(this.#ask.pauseMs * exchange.attempts)
      return
    }
    exchange.state = 'confirmed'
    this.#addNoise(request, noise)
    const confirmed = this.#confirmed.get(request.kind) ?? new Set()
    for (const difference of this.#withoutNoise(request.kind, exchange.differences))
      confirmed.add(fieldKey(difference))
    this.#confirmed.set(request.kind, confirmed)
  }

  #addNoise({ kind, route }: ComparedRequest, noise: ReadonlySet<string>): void {
    const known = this.#noise.get(kind) ?? new Set()
    for (const key of noise) {
      known.add(key)
      const field = noiseField(key)
      this.#noiseFields.set(`${route} ${field}`, { route, field })
    }
    this.#noise.set(kind, known)
  }

  #withoutNoise(kind: RequestKind, differences: readonly Difference[]): Difference[] {
    const noise = this.#noise.get(kind) ?? new Set()
    return differences.filter((difference) => !isNoise(difference, noise))
  }

  async #send(request: ComparedRequest) {
    const [old, ours] = await Promise.all([
      this.#sendTo('old', request),
      this.#sendTo('ours', request),
    ])
    this.#times.push({ route: request.route, old: old.ms, ours: ours.ms })
    return { old, ours }
  }

  /** An error of the server may be an accident: it is asked once more. */
  async #sendTo(side: 'old' | 'ours', request: ComparedRequest): Promise<TimedAnswer> {
    this.#sent[side] += 1
    const first = await this.#ask[side](request)
    if (first.status < 500 || this.#budget.most <= this.#sent[side]) return first
    this.#sent[side] += 1
    const second = await this.#ask[side](request)
    if (second.status === first.status) return second
    const answers =
      side === 'old'
        ? { old: String(first.status), ours: `then ${second.status}` }
        : { old: `then ${second.status}`, ours: String(first.status) }
    this.#unstable.push({
      kind: side === 'old' ? 'old_unstable' : 'unstable',
      field: 'status',
      values: { at: 'status', ...answers },
      route: request.route,
      request: describeRequest(request),
      confirmed: true,
    })
    return second
  }

  /** What was found so far. */
  result(): ComparedRequests {
    const found = this.#exchanges.flatMap((exchange) => this.#foundIn(exchange))
    const all = [...this.#unstable, ...found]
    const moved = new Map(
      this.#exchanges
        .filter((exchange) => this.#isMoved(exchange))
        .map(({ request }) => [
          describeRequest(request),
          { route: request.route, request: describeRequest(request) },
        ]),
    )
    return {
      differences: all.filter(breaksClients),
      apart: all.filter((difference) => !breaksClients(difference)),
      noise: [...this.#noiseFields.values()],
      notComparable: [...moved.values()],
      times: this.#times,
      requests: { ...this.#sent },
    }
  }

  /** Where rows have changed, a difference of one round means nothing. */
  #isMoved(exchange: Exchange): boolean {
    const { state } = exchange
    return (
      state === 'moved' ||
      (state === 'open' && this.#hasMoved && this.#unknownOf(exchange).length > 0)
    )
  }

  #foundIn(exchange: Exchange): FoundDifference[] {
    const { request, differences, state } = exchange
    const confirmed = this.#confirmed.get(request.kind)
    const isMoved = this.#isMoved(exchange)
    return this.#withoutNoise(request.kind, differences)
      .map((difference) => ({
        ...difference,
        route: request.route,
        request: describeRequest(request),
        confirmed: state === 'confirmed' || confirmed?.has(fieldKey(difference)) === true,
      }))
      .filter((difference) => !isMoved || difference.confirmed)
  }
}

const fieldKey = ({ kind, field }: Difference): string => `${kind} ${field}`

/** `GET /site/2/frames`, `PUT /site/2/frames/header with dry_run`. */
function describeRequest({ method, path, kind }: ComparedRequest): string {
  return `${method} ${path}${kind === 'dry_run' ? ' with dry_run' : ''}`
}
