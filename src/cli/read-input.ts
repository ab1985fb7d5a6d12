import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { CommandError } from './cli-context.ts'

export type InputLimit = {
  readonly maxBytes: number
  /** What the input is, for the message: `a menu`. */
  readonly what: string
}

/** What messages call an input. */
export const inputName = (file: string): string => (file === '-' ? 'Standard input' : file)

/**
 * Reads a file, or standard input if the name is `-`.
 * @throws CommandError if it is unreadable, too large or not UTF-8
 */
export async function readInputText(file: string, limit: InputLimit): Promise<string> {
  const name = inputName(file)
  const bytes = await readBytes(file === '-' ? process.stdin : createReadStream(file), name, limit)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new CommandError(`${name} is not valid UTF-8. Save it in this encoding.`)
  }
}

async function readBytes(
  stream: Readable,
  name: string,
  { maxBytes, what }: InputLimit,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream) {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes) break
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason =
      code === 'ENOENT' ? 'it does not exist' : code === 'EISDIR' ? 'it is a folder' : code
    throw new CommandError(`${name} cannot be read: ${reason}.`)
  }
  if (size > maxBytes)
    throw new CommandError(`${name} is too large for ${what}: it has more than ${maxBytes} bytes.`)
  return Buffer.concat(chunks)
}

/** The value of a text of JSON; undefined if it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
