import type { UnresolvedBind } from '../../change.ts'
import { insertOf } from '../inserts/all-inserts.ts'
import { printDeferred, printElement } from './bound-element.ts'
import { Budget, type EvaluationLimits, MAX_EVALUATION_DEPTH } from './budget.ts'
import { currentFrame, type Scope } from './pieces.ts'
import type { Run, RunInput } from './run.ts'

/** Unresolved binds and warnings at most, each: hostile markup could produce any number. */
const MAX_MESSAGES = 100

export type StartedRun = {
  readonly run: Run
  readonly unresolved: readonly UnresolvedBind[]
  readonly warnings: readonly string[]
}

/**
 * Starts an evaluation with a new budget.
 * @param listIds `id` attributes of menu lists that the page already contains
 */
export function startRun(
  input: RunInput,
  limits: EvaluationLimits,
  listIds: readonly string[] = [],
): StartedRun {
  const unresolved = new Map<string, UnresolvedBind>()
  const warnings = new Set<string>()
  const memo = new Map<object, unknown>()
  let level = 0
  const mayGoDeeper = (scope: Scope | undefined): boolean => {
    if (level < MAX_EVALUATION_DEPTH) return true
    const where = scope ? `${currentFrame(scope)}: ` : ''
    run.warn(
      `${where}elements are nested more than ${MAX_EVALUATION_DEPTH} levels deep; deeper ones print nothing.`,
    )
    return false
  }
  const run: Run = {
    ...input,
    budget: new Budget(limits),
    listIds: new Set(listIds),
    evaluate: (program, scope, out) => {
      if (!mayGoDeeper(scope)) return
      level += 1
      for (const instruction of program) {
        if (typeof instruction === 'string') out.html(instruction)
        else if (!run.budget.takeStep()) break
        else if (instruction.op === 'insert')
          insertOf(instruction).print(instruction, scope, run, out)
        else printElement(instruction, scope, run, out)
      }
      level -= 1
    },
    finish: (pieces, out) => {
      if (!mayGoDeeper(pieces.find((piece) => typeof piece !== 'string')?.scope)) return
      level += 1
      for (const piece of pieces) {
        if (typeof piece === 'string') out.html(piece)
        else if (!run.budget.takeStep()) break
        else if (piece.node.op === 'insert')
          insertOf(piece.node).print(piece.node, piece.scope, run, out)
        else printDeferred(piece.node, piece, run, out)
      }
      level -= 1
    },
    memoize: <T>(value: object, compute: () => T): T => {
      const result = memo.get(value) ?? compute()
      memo.set(value, result)
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
    run,
    get unresolved() {
      return [...unresolved.values()]
    },
    get warnings() {
      return [...warnings, ...budgetWarnings(run.budget)]
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
