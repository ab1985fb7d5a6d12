import { describe, it } from 'vitest'
import { findProgram, missingProgram, type Program } from './programs.ts'

/**
 * A group of tests that needs a program. Without it, nothing of the group runs, its set-up neither, and one skipped test names the package.
 * (The body of `describe.skipIf` runs.)
 */
export function describeWith(
  program: Program,
  title: string,
  body: () => void | Promise<void>,
): void {
  if (findProgram(program) !== undefined) describe(title, body)
  else it.skip(`${title} (${missingProgram(program)})`, () => {})
}
