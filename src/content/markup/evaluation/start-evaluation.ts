import type { UnresolvedBind } from '../../../host/effects.ts'
import { insertOf } from '../inserts/all-inserts.ts'
import { printDeferred, printElement } from './bound-element.ts'
import { Budget, type EvaluationLimits, MAX_EVALUATION_DEPTH } from './budget.ts'
import type { Evaluation, EvaluationInput } from './evaluation.ts'
import { currentFrame, type Scope } from './pieces.ts'

/** Unresolved binds and warnings at most, each: hostile markup could produce any number. */
const MAX_MESSAGES = 100

export type StartedEvaluation = {
  readonly evaluation: Evaluation
  readonly unresolved: readonly UnresolvedBind[]
  readonly warnings: readonly string[]
}

/**
 * Starts an evaluation with a new budget.
 * @param listIds `id` attributes of menu lists that the page already contains
 */
export function startEvaluation(
  input: EvaluationInput,
  limits: EvaluationLimits,
  listIds: readonly string[] = [],
): StartedEvaluation {
  const unresolved = new Map<string, UnresolvedBind>()
  const warnings = new Set<string>()
  const memo = new Map<string, Map<object, unknown>>()
  let level = 0
  const mayGoDeeper = (scope: Scope | undefined): boolean => {
    if (level < MAX_EVALUATION_DEPTH) return true
    const where = scope ? `${currentFrame(scope)}: ` : ''
    evaluation.warn(
      `${where}elements are nested more than ${MAX_EVALUATION_DEPTH} levels deep; deeper ones print nothing.`,
    )
    return false
  }
  const evaluation: Evaluation = {
    ...input,
    budget: new Budget(limits),
    listIds: new Set(listIds),
    evaluate: (program, scope, out) => {
      if (!mayGoDeeper(scope)) return
      level += 1
      for (const instruction of program) {
        if (typeof instruction === 'string') out.html(instruction)
        else if (!evaluation.budget.takeStep()) break
        else if (instruction.op === 'insert')
          insertOf(instruction).print(instruction, scope, evaluation, out)
        else printElement(instruction, scope, evaluation, out)
      }
      level -= 1
    },
    finish: (pieces, out) => {
      if (!mayGoDeeper(pieces.find((piece) => typeof piece !== 'string')?.scope)) return
      level += 1
      for (const piece of pieces) {
        if (typeof piece === 'string') out.html(piece)
        else if (!evaluation.budget.takeStep()) break
        else if (piece.node.op === 'insert')
          insertOf(piece.node).print(piece.node, piece.scope, evaluation, out)
        else printDeferred(piece.node, piece, evaluation, out)
      }
      level -= 1
    },
    memoize: <T>(name: string, from: object, compute: () => T): T => {
      const known = memo.get(name) ?? new Map<object, unknown>()
      memo.set(name, known)
      const result = known.get(from) ?? compute()
      known.set(from, result)
      return result as T
    },
    noteUnresolved: (entry) => {
      // The rows of a repeat report the same bind again.
      const key = `${entry.frame} ${entry.line} ${entry.column} ${entry.bind} ${entry.reason}`
      if (unresolved.size < MAX_MESSAGES && !unresolved.has(key)) unresolved.set(key, entry)
    },
    warn: (message) => {
      if (warnings.size < MAX_MESSAGES) warnings.add(message)
    },
  }
  return {
    evaluation,
    get unresolved() {
      return [...unresolved.values()]
    },
    get warnings() {
      return [...warnings, ...budgetWarnings(evaluation.budget)]
    },
  }
}

function budgetWarnings({ exhausted }: Budget): string[] {
  const rest = 'the rest was omitted.'
  switch (exhausted) {
    case 'bytes':
      return [`The output exceeds 8 MB; ${rest}`]
    case 'steps':
      return [`The frame has too many inserts, binds and rows; ${rest}`]
    case 'milliseconds':
      return [`The frame takes too long to build; ${rest}`]
    case undefined:
      return []
  }
}
