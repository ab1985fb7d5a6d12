import type { UnresolvedBind } from '../change.ts'
import { printDeferred, printElement } from './bound-element.ts'
import { Budget, type EvaluationLimits, MAX_EVALUATION_DEPTH } from './budget.ts'
import { printInsert } from './inserts/print-insert.ts'
import { currentFrame, type Scope } from './pieces.ts'
import type { Run, RunInput } from './run.ts'

/** A list of what went wrong; hostile markup could fill it without end. */
const MAX_MESSAGES = 100

export type StartedRun = {
  readonly run: Run
  readonly unresolved: readonly UnresolvedBind[]
  readonly warnings: readonly string[]
}

/**
 * Begins an evaluation with a budget of its own.
 * @param listIds ids that stand in the page already
 */
export function startRun(
  input: RunInput,
  limits: EvaluationLimits,
  listIds: readonly string[] = [],
): StartedRun {
  const unresolved = new Map<string, UnresolvedBind>()
  const warnings = new Set<string>()
  const made = new Map<object, unknown>()
  let level = 0
  const mayGoDeeper = (here: Scope | undefined): boolean => {
    if (level < MAX_EVALUATION_DEPTH) return true
    const where = here ? `${currentFrame(here)}: ` : ''
    run.warn(`${where}elements stand more than ${MAX_EVALUATION_DEPTH} deep; it stops there.`)
    return false
  }
  const run: Run = {
    ...input,
    budget: new Budget(limits),
    listIds: new Set(listIds),
    evaluate: (program, here, out) => {
      if (!mayGoDeeper(here)) return
      level += 1
      for (const instruction of program) {
        if (typeof instruction === 'string') out.html(instruction)
        else if (!run.budget.takeStep()) break
        else if (instruction.op === 'insert') printInsert(instruction, here, run, out)
        else printElement(instruction, here, run, out)
      }
      level -= 1
    },
    finish: (pieces, out) => {
      if (!mayGoDeeper(pieces.find((piece) => typeof piece !== 'string')?.scope)) return
      level += 1
      for (const piece of pieces) {
        if (typeof piece === 'string') out.html(piece)
        else if (!run.budget.takeStep()) break
        else if (piece.node.op === 'insert') printInsert(piece.node, piece.scope, run, out)
        else printDeferred(piece.node, piece, run, out)
      }
      level -= 1
    },
    memoize: <T>(value: object, make: () => T): T => {
      const held = made.get(value) ?? make()
      made.set(value, held)
      return held as T
    },
    noteUnresolved: (entry) => {
      // A row of a repeat says again what the first row said.
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
  const left = 'what came after was left out.'
  switch (exhausted) {
    case 'bytes':
      return [`The output passed 8 MB; ${left}`]
    case 'steps':
      return [`The frame embeds, binds or repeats too much; ${left}`]
    case 'milliseconds':
      return [`The frame takes too long to build; ${left}`]
    case undefined:
      return []
  }
}
