import { didYouMean } from '../../host/similar.ts'
import { excerptOf } from './excerpt.ts'
import { INSERT_NAMES } from './inserts/all-inserts.ts'
import type { BrokenReason, MarkupProblem, MarkupProblemCode, SourceLocation } from './nodes.ts'
import type { InsertMark } from './read-insert.ts'

/** More would hide the first ones, and hostile markup can have a hundred thousand. */
const MAX_WARNINGS = 100

/** A problem for readers: a sentence with an excerpt of the markup. */
export type LocatedProblem = SourceLocation & {
  readonly code: MarkupProblemCode
  readonly message: string
}

/** The first problems in source order. */
export function locateProblems(
  source: string,
  problems: readonly MarkupProblem[],
): LocatedProblem[] {
  const locator = new Locator(source)
  const sorted = problems.toSorted((a, b) => a.start - b.start)
  return sorted.slice(0, MAX_WARNINGS).map(({ start, end, code, message }) => ({
    ...locator.locate(start),
    code,
    message: [message, ...nearOf(source.slice(start, end))].join(' '),
  }))
}

/** Invisible characters have no excerpt. */
function nearOf(text: string): string[] {
  const excerpt = excerptOf(text).replaceAll('\0', '')
  return excerpt === '' ? [] : [`Near: ${excerpt}`]
}

/** The warnings of a report: `Line 3, column 5: <message> Near: <excerpt>`. From the 101st on they are only counted. */
export function describeProblems(located: readonly LocatedProblem[], count: number): string[] {
  const warnings = located.map(
    ({ line, column, message }) => `Line ${line}, column ${column}: ${message}`,
  )
  const more = count - warnings.length
  return more > 0 ? [...warnings, `${more} more warnings are not listed.`] : warnings
}

const LF = 10
const CR = 13

/**
 * Converts offsets to lines and columns. The source is read only once as long as the offsets ascend. A line ends with LF, CR LF or CR, as
 * in HTML; a surrogate pair counts as one character.
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
    for (let index = isAhead ? this.#offset : 0; index < offset; index += 1) {
      const unit = this.#source.charCodeAt(index)
      if (unit === LF || (unit === CR && this.#source.charCodeAt(index + 1) !== LF)) {
        line += 1
        column = 1
      } else if (!isFirstHalf(this.#source, index)) {
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

/** Why an insert prints nothing; undefined if it can be printed. */
export function findInsertFault(mark: InsertMark, isPaired: boolean): InsertFault | undefined {
  const name = `svc/${excerptOf(mark.name)}`
  if (mark.kind === null) {
    return {
      reason: 'unknown_kind',
      message: `Unknown insert ${name}; it prints nothing.${didYouMean(mark.name, INSERT_NAMES)}`,
    }
  }
  if (mark.form === 'closing') {
    return { reason: 'unpaired', message: `This closing comment has no open ${name}.` }
  }
  if (mark.params === null) {
    return {
      reason: 'unreadable',
      message: `The JSON of this ${name} is invalid: it must be one object. The insert prints nothing.`,
    }
  }
  // With `frame` it is a self-closing repeat without its slash.
  const needsBody = mark.kind === 'repeat' && mark.form === 'opening'
  if (needsBody && !isPaired && mark.params.frame === undefined) {
    return {
      reason: 'unpaired',
      message: `This ${name} is never closed: add <!-- /svc/repeat --> after its body. Until then the body is printed once.`,
    }
  }
  return undefined
}
