import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sha256Hex } from '../hash.ts'
import { isFileNotFound } from './file-not-found.ts'
import { BROTLI_FILE, GZIP_FILE } from './static-copy.ts'
import { COPY_FILE } from './static-path.ts'

const FORMS = [
  [GZIP_FILE, gunzipSync],
  [BROTLI_FILE, brotliDecompressSync],
] as const

/**
 * Whether the files of a copy contain what was recorded: the HTML by its digest, and both compressed forms by what they decompress to. Size
 * and time alone do not show a flipped bit. For worker threads.
 * @param digest SHA-256 of the HTML
 */
export function isIntact(folder: string, digest: string): boolean {
  try {
    const html = readFileSync(join(folder, COPY_FILE))
    if (sha256Hex(html) !== digest) return false
    const { mtimeMs } = statSync(join(folder, COPY_FILE))
    for (const [name, decompress] of FORMS) {
      const path = join(folder, name)
      // The front uses a compressed form only if it has the time of the HTML.
      if (statSync(path).mtimeMs !== mtimeMs) return false
      const text = decompress(readFileSync(path), { maxOutputLength: html.length + 1 })
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
