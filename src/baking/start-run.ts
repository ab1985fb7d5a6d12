import { printElement, printLiveElement } from './bound-element.ts'
import { Budget, type Limits, MAX_LEVELS } from './budget.ts'
import { printInsert } from './inserts/registry.ts'
import { menuRows } from './menus/menu-rows.ts'
import { frameOf, type Surroundings } from './pieces.ts'
import type { Unresolved, Value } from './program.ts'
import type { Run, RunInput } from './run.ts'
import type { MenuValue } from './values.ts'

/** A list of what went wrong; hostile markup could fill it without end. */
const MAX_NOTES = 100

export type StartedRun = {
  readonly run: Run
  readonly unresolved: readonly Unresolved[]
  readonly warnings: readonly string[]
}

/**
 * Begins an evaluation with a budget of its own.
 * @param menuIds ids that stand in the page already
 */
export function startRun(
  input: RunInput,
  limits: Limits,
  menuIds: readonly string[] = [],
): StartedRun {
  const unresolved = new Map<string, Unresolved>()
  const warnings = new Set<string>()
  const rows = new Map<MenuValue, readonly Value[]>()
  let level = 0
  const deeper = (here: Surroundings | undefined, print: () => void): void => {
    if (level >= MAX_LEVELS) {
      const where = here ? `${frameOf(here)}: ` : ''
      run.warn(`${where}elements stand more than ${MAX_LEVELS} deep; it stops there.`)
      return
    }
    level += 1
    print()
    level -= 1
  }
  const run: Run = {
    ...input,
    budget: new Budget(limits),
    menuIds: new Set(menuIds),
    evaluate: (program, here, out) =>
      deeper(here, () => {
        for (const instruction of program) {
          if (typeof instruction === 'string') out.html(instruction)
          else if (!run.budget.takeStep()) return
          else if (instruction.op === 'insert') printInsert(instruction, here, run, out)
          else printElement(instruction, here, run, out)
        }
      }),
    finish: (pieces, out) =>
      deeper(undefined, () => {
        for (const piece of pieces) {
          if (typeof piece === 'string') out.html(piece)
          else if (!run.budget.takeStep()) return
          else if (piece.live.op === 'insert') printInsert(piece.live, piece.here, run, out)
          else printLiveElement(piece.live, piece, run, out)
        }
      }),
    menuRows: (menu) => {
      const held = rows.get(menu) ?? menuRows(menu, input.page)
      rows.set(menu, held)
      return held
    },
    noteUnresolved: (entry) => {
      // A row of a repeat says again what the first row said.
      const key = `${entry.frame} ${entry.line} ${entry.column} ${entry.bind} ${entry.reason}`
      if (unresolved.size < MAX_NOTES && !unresolved.has(key)) unresolved.set(key, entry)
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
