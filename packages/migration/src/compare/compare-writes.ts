import { compareAnswers, parseBody } from './compare-answers.ts'
import { compareJson } from './compare-json.ts'
import type { FoundDifference } from './compare-requests.ts'
import type { ComparedRequest, TimedAnswer } from './compared-request.ts'
import type { Difference } from './difference.ts'
import type { IdBindings } from './id-bindings.ts'
import { maskTimes } from './mask-times.ts'

/** What builds and caches have done, which depends on where a program runs. */
const EFFECTS = /^(?:bake|rebaked|static|republish|pending|cache)(?:\.|\[|$)/

/** The differences of both answers to a write, with ids of the old endpoint and without times. */
export function compareWriteAnswers(
  old: TimedAnswer,
  ours: TimedAnswer,
  bindings: IdBindings,
  now: Date,
): Difference[] {
  const [oldValue, ourValue] = [old, ours].map(({ body }) => parseBody(body).value)
  bindings.bindAnswers(oldValue, ourValue)
  const masked = (answer: TimedAnswer, value: unknown): TimedAnswer =>
    value === undefined
      ? answer
      : { ...answer, body: Buffer.from(JSON.stringify(maskTimes(value, now))) }
  return compareAnswers(
    masked(old, oldValue),
    masked(ours, ourValue === undefined ? undefined : bindings.translateAnswer(ourValue)),
  ).map((difference) =>
    EFFECTS.test(difference.field) ? { ...difference, kind: 'effect' } : difference,
  )
}

/**
 * The differences of the rows that the writes have changed. What was reported after an earlier write is left out.
 * @param old as `presentRows` returns them
 * @param known keys of what was reported; receives the new ones
 */
export function compareRows(
  old: object,
  ours: object,
  now: Date,
  known: Set<string>,
): Difference[] {
  return compareJson(maskTimes(old, now), maskTimes(ours, now))
    .filter(({ kind, values }) => {
      const key = `${kind} ${values.at} ${values.old} ${values.ours}`
      if (known.has(key)) return false
      known.add(key)
      return true
    })
    .map((difference) =>
      difference.field.startsWith('own_rows') ? { ...difference, kind: 'own_row' } : difference,
    )
}

/** Differences of the answers or the rows after a write. */
export const foundAfter = (
  differences: readonly Difference[],
  { route, method, path }: Pick<ComparedRequest, 'route' | 'method' | 'path'>,
): FoundDifference[] =>
  differences.map((difference) => ({
    ...difference,
    route,
    request: `${method} ${path}`,
    confirmed: true,
  }))
