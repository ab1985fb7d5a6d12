import { excerptOf } from './excerpt.ts'
import type { BrokenReason, MarkupProblem, SourceLocation } from './nodes.ts'
import type { InsertMark } from './read-insert.ts'

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

const LF = 10
const CR = 13

/**
 * Finds lines and columns, reading the source once as long as the offsets asked for do not go back.
 * A line ends with LF, CR LF or CR, as HTML reads it; a character of two units counts once.
 */
export class Locator {
  readonly #source: string
  #offset = 0
  #line = 1
  #column = 1

  constructor(source: string) {
    this.#source = source
  }

  locate(offset: number): SourceLocation {
    const isAhead = offset >= this.#offset
    let line = isAhead ? this.#line : 1
    let column = isAhead ? this.#column : 1
    for (let at = isAhead ? this.#offset : 0; at < offset; at += 1) {
      const unit = this.#source.charCodeAt(at)
      if (unit === LF || (unit === CR && this.#source.charCodeAt(at + 1) !== LF)) {
        line += 1
        column = 1
      } else if (!isFirstHalf(this.#source, at)) {
        column += 1
      }
    }
    this.#offset = offset
    this.#line = line
    this.#column = column
    return { line, column }
  }
}

const isFirstHalf = (source: string, at: number): boolean => (source.codePointAt(at) ?? 0) > 0xffff

export type InsertFault = { readonly reason: BrokenReason; readonly message: string }

/** Why an insert prints nothing; undefined for one that can be printed. */
export function findInsertFault(mark: InsertMark, isPaired: boolean): InsertFault | undefined {
  const name = `svc/${excerptOf(mark.name)}`
  if (mark.kind === null) {
    return { reason: 'unknown_kind', message: `${name} is no insert; it prints nothing.` }
  }
  if (mark.form === 'closing') {
    return { reason: 'unpaired', message: `There is no open ${name} to be closed here.` }
  }
  if (mark.params === null) {
    return {
      reason: 'unreadable',
      message: `The JSON of this ${name} cannot be read: one object is expected. It prints nothing.`,
    }
  }
  // With `frame` it is a self-closing repeat that lacks its slash.
  const needsBody = mark.kind === 'repeat' && mark.form === 'opening'
  if (needsBody && !isPaired && mark.params.frame === undefined) {
    return {
      reason: 'unpaired',
      message: `This ${name} is never closed: write <!-- /svc/repeat --> after its body, which is now printed once.`,
    }
  }
  return undefined
}
