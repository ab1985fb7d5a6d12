import { SerializedError } from './php-value.ts'

/**
 * A cursor over bytes. The bytes are seen as a string with one character a byte, so that sticky
 * patterns read them and every index is a byte offset.
 */
export class ByteReader {
  readonly bytes: Buffer
  readonly raw: string
  at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.raw = bytes.toString('latin1')
  }

  /** Reads what the sticky pattern matches here and moves behind it. */
  match(pattern: RegExp, expected: string): RegExpExecArray {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.raw) ?? this.fail(expected)
    this.at = pattern.lastIndex
    return match
  }

  /** Moves over `length` bytes of content and the mark that must close them. */
  skipContent(length: number, mark: string): void {
    this.at = Math.min(this.at + length, this.raw.length)
    if (!this.raw.startsWith(mark, this.at)) this.fail(`${mark} after ${length} bytes`)
    this.at += mark.length
  }

  fail(expected: string, at = this.at): never {
    const found = this.bytes.toString('utf8', at, at + 12)
    const name = found === '' ? 'the end' : JSON.stringify(found)
    throw new SerializedError(`found ${name}, expected ${expected}`, at)
  }
}
