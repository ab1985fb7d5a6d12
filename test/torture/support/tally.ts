import type { Figures } from '../trial.ts'
import type { Answer } from './caller.ts'

/** Counts requests, outcomes and durations. */
export class Tally {
  readonly #counts = new Map<string, number>()
  readonly #kinds = new Map<string, number>()
  readonly #durations: number[] = []

  /** Records an answer; returns a sentence for an invalid one: an unexpected status, or a 503 without Retry-After. */
  count(kind: string, answer: Answer): string[] {
    const { status } = answer
    const outcome = status === undefined ? 'without an answer' : `answered ${status}`
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1)
    if (status === undefined) return []
    this.#durations.push(answer.ms)
    if (status < 400) {
      this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1)
      return []
    }
    if (status === 503 && Number(answer.retryAfter) > 0) return []
    return [`${kind} was answered ${status}: ${JSON.stringify(answer.body).slice(0, 300)}`]
  }

  figures(): Figures {
    const kinds = [...this.#kinds].sort(([, a], [, b]) => b - a)
    return {
      'acknowledged writes': kinds.map(([kind, count]) => `${count} ${kind}`).join(', '),
      ...Object.fromEntries([...this.#counts].map(([outcome, count]) => [outcome, count])),
      latency: spread(this.#durations),
    }
  }
}

/** The value below which this share of the values is; 0 if there are none. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0

/** The median, the 99th percentile and the maximum of durations in milliseconds. */
export function spread(durations: readonly number[]): string {
  const at = (share: number) => Math.round(quantile(durations, share))
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`
}
