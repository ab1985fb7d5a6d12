import { printElement, printLiveElement } from './bound-element.ts'
import { Budget } from './budget.ts'
import { printInsert } from './inserts/registry.ts'
import type { Unresolved } from './program.ts'
import type { Run, RunInput } from './run.ts'

/** A list of what went wrong; hostile markup could fill it without end. */
const MAX_NOTES = 100

export type StartedRun = {
  readonly run: Run
  readonly unresolved: readonly Unresolved[]
  readonly warnings: readonly string[]
}

/** Begins an evaluation with a budget of its own. */
export function startRun(input: RunInput): StartedRun {
  const unresolved = new Map<string, Unresolved>()
  const warnings = new Set<string>()
  const run: Run = {
    ...input,
    budget: new Budget(),
    stack: [],
    evaluate: (program, here, out) => {
      for (const instruction of program) {
        if (typeof instruction === 'string') out.html(instruction)
        else if (!run.budget.takeStep()) return
        else if (instruction.op === 'insert') printInsert(instruction, here, run, out)
        else printElement(instruction, here, run, out)
      }
    },
    finish: (pieces, out) => {
      for (const piece of pieces) {
        if (typeof piece === 'string') out.html(piece)
        else if (!run.budget.takeStep()) return
        else if (piece.live === 'insert') printInsert(piece.insert, piece.surroundings, run, out)
        else printLiveElement(piece, run, out)
      }
    },
    noteUnresolved: (entry) => {
      // A row of a repeat says again what the first row said.
      const key = JSON.stringify(entry)
      if (unresolved.size < MAX_NOTES) unresolved.set(key, entry)
    },
    warn: (message) => {
      if (warnings.size < MAX_NOTES) warnings.add(message)
    },
  }
  return {
    run,
    get unresolved() {
      return [...unresolved.values()]
    },
    get warnings() {
      return [...warnings, ...exhaustion(run.budget)]
    },
  }
}

function exhaustion({ exhausted }: Budget): string[] {
  if (exhausted === 'output') return ['The output passed 8 MB; what came after was left out.']
  if (exhausted === 'steps')
    return ['The frame embeds or repeats too much; what came after was left out.']
  return []
}
