import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import { sha256Hex } from '../hash.ts'
import { isFileNotFound } from './file-not-found.ts'
import { BROTLI_FILE, GZIP_FILE } from './static-copy.ts'
import { COPY_FILE } from './static-path.ts'

const FORMS = [
  [GZIP_FILE, promisify(gunzip)],
  [BROTLI_FILE, promisify(brotliDecompress)],
] as const

/**
 * Whether the files of a copy contain what was recorded: the HTML by its digest, and both compressed forms by what they decompress to. Size
 * and time alone do not show a flipped bit.
 * @param digest SHA-256 of the HTML
 */
export async function isIntact(folder: string, digest: string): Promise<boolean> {
  try {
    const html = await readFile(join(folder, COPY_FILE))
    if (sha256Hex(html) !== digest) return false
    const { mtimeMs } = await stat(join(folder, COPY_FILE))
    for (const [name, decompress] of FORMS) {
      const path = join(folder, name)
      // The front uses a compressed form only if it has the time of the HTML.
      if ((await stat(path)).mtimeMs !== mtimeMs) return false
      const text = await decompress(await readFile(path), { maxOutputLength: html.length + 1 })
      if (!text.equals(html)) return false
    }
    return true
  } catch (error) {
    if (isFileNotFound(error) || isUnpackable(error)) return false
    throw error
  }
}

/** The bytes are no compressed form, or decompress to more than the HTML. */
function isUnpackable(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(Z_|ERR_|BROTLI)/.test(code)
}
