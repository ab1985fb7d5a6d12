import { excerptOf } from './excerpt.ts'
import { Locator } from './locator.ts'
import type { MarkupProblem } from './nodes.ts'

/** More would bury the first ones, and hostile markup can hold a hundred thousand. */
const MAX_WARNINGS = 100

/**
 * The warnings of a report, in the order of the source: `Line 3, column 5: <message> Near: <excerpt>`.
 * From the 101st on they are only counted.
 */
export function describeProblems(source: string, problems: readonly MarkupProblem[]): string[] {
  const locator = new Locator(source)
  const sorted = problems.toSorted((a, b) => a.start - b.start)
  const warnings = sorted.slice(0, MAX_WARNINGS).map(({ start, end, message }) => {
    const { line, column } = locator.locate(start)
    return `Line ${line}, column ${column}: ${message} Near: ${excerptOf(source.slice(start, end))}`
  })
  const more = problems.length - warnings.length
  return more > 0 ? [...warnings, `There are ${more} more warnings like these.`] : warnings
}
