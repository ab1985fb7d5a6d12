import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { CommandError } from '../cli-context.ts'

/** More than the largest menu takes: 10,000 items of 800 bytes. */
const MAX_MENU_FILE_BYTES = 8 * 1024 * 1024

/**
 * The text of a file, or of standard input where the name is `-`.
 * @throws CommandError where it can't be read, is too large, or is not UTF-8
 */
export async function readMenuText(file: string): Promise<string> {
  const name = file === '-' ? 'Standard input' : file
  const bytes = await readAll(file === '-' ? process.stdin : createReadStream(file), name)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new CommandError(`${name} is not UTF-8. Save it in that encoding.`)
  }
}

async function readAll(stream: Readable, name: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream) {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_MENU_FILE_BYTES) break
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why =
      code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : code
    throw new CommandError(`${name} can't be read: ${why}.`)
  }
  if (size > MAX_MENU_FILE_BYTES)
    throw new CommandError(
      `${name} has more than ${MAX_MENU_FILE_BYTES} bytes, more than any menu takes.`,
    )
  return Buffer.concat(chunks)
}
