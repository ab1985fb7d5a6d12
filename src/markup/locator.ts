import type { SourceLocation } from './nodes.ts'

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
