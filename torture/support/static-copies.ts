import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { isWholePage } from './frame-markup.ts'

/** The folder of the numbers of publications. */
const NUMBERS = '.published'
/** The folder of files that are not published yet. */
export const STAGING = '.work'

/** The paths of all files and folders below the folder of static copies, without those that are not published yet. Writers may be active. */
export async function listPublished(staticDir: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(staticDir, below), { withFileTypes: true }).catch(() => [])
  const paths: string[] = []
  for (const entry of entries) {
    const path = join(below, entry.name)
    if (path === STAGING || path === NUMBERS) continue
    paths.push(path)
    if (entry.isDirectory()) paths.push(...(await listPublished(staticDir, path)))
  }
  return paths
}

/** A sentence for each file of a static copy that is incomplete, or differs from its other forms of the same time. Writers may be active. */
export async function findTornCopies(staticDir: string): Promise<string[]> {
  const found: string[] = []
  for (const path of await listPublished(staticDir)) {
    if (!path.endsWith('/index.html')) continue
    const [plain, ...others] = await Promise.all(
      ['', '.gz', '.br'].map((form) => readForm(join(staticDir, path + form))),
    )
    for (const form of [plain, ...others]) {
      if (form?.fault !== undefined) found.push(`${form.path} is incomplete: ${form.fault}`)
      else if (form?.time === plain?.time && form?.html !== plain?.html)
        found.push(`${form?.path} differs from ${path}`)
    }
  }
  return found
}

type Form = {
  readonly path: string
  readonly html: string
  /** When it was written, in nanoseconds since 1970. */
  readonly time: bigint
  readonly fault?: string
}

/** Reads a file of a static copy; undefined if there is none. */
async function readForm(path: string): Promise<Form | undefined> {
  const file = await open(path).catch(() => undefined)
  if (!file) return undefined
  try {
    const { mtimeNs: time } = await file.stat({ bigint: true })
    const bytes = await file.readFile()
    try {
      const html = unpack(path, bytes).toString()
      const end = JSON.stringify(html.slice(-80))
      return { path, html, time, ...(isWholePage(html) ? {} : { fault: end }) }
    } catch (error) {
      return { path, html: '', time, fault: `${bytes.length} bytes, ${String(error)}` }
    }
  } finally {
    await file.close()
  }
}

function unpack(path: string, bytes: Buffer): Buffer {
  if (path.endsWith('.gz')) return gunzipSync(bytes)
  return path.endsWith('.br') ? brotliDecompressSync(bytes) : bytes
}
