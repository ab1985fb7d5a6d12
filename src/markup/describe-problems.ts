import { Locator } from './locator.ts'
import type { Problem } from './nodes.ts'

/** More would bury the first ones, and hostile markup can hold a hundred thousand. */
const MAX_WARNINGS = 100
const MAX_EXCERPT = 60

/**
 * The warnings of a report, in the order of the source: `Line 3, column 5: <message> Near: <excerpt>`.
 * From the 101st on they are only counted.
 */
export function describeProblems(source: string, problems: readonly Problem[]): string[] {
  const locator = new Locator(source)
  const sorted = problems.toSorted((a, b) => a.start - b.start)
  const warnings = sorted.slice(0, MAX_WARNINGS).map(({ start, end, message }) => {
    const { line, column } = locator.place(start)
    // What is cut off need not be read: white space may be long, but not that long.
    const near = excerptOf(source.slice(start, Math.min(end, start + 10 * MAX_EXCERPT)))
    return `Line ${line}, column ${column}: ${message} Near: ${near}`
  })
  const more = problems.length - warnings.length
  return more > 0 ? [...warnings, `There are ${more} more warnings like these.`] : warnings
}

/** A text short enough to be quoted, on one line. */
export function excerptOf(text: string): string {
  const characters = [
    ...text
      .slice(0, 10 * MAX_EXCERPT)
      .replace(/\s+/g, ' ')
      .trim(),
  ]
  return characters.length <= MAX_EXCERPT
    ? characters.join('')
    : `${characters.slice(0, MAX_EXCERPT - 1).join('')}…`
}
