import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { isWholePage } from './frame-markup.ts'

/** The content of the folder of static copies. */
export type CopiesFound = {
  /** The HTML of each copy by the id of its page. */
  readonly pages: ReadonlyMap<number, string>
  /** Temporary files of writers that were killed. Nobody reads them. */
  readonly unfinished: number
  /** A sentence for each incomplete file. */
  readonly faults: readonly string[]
}

/** Reads all static copies and checks each file, alone and with the files that belong to it. */
export async function examineCopies(staticDir: string): Promise<CopiesFound> {
  const pages = new Map<number, string>()
  const faults: string[] = []
  let unfinished = 0
  if (!existsSync(staticDir)) return { pages, unfinished, faults }
  for (const entry of await readdir(staticDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    try {
      if (entry.name.startsWith('.new-')) unfinished += 1
      else if (entry.name.endsWith('.json')) JSON.parse(await readFile(path, 'utf8'))
      else if (entry.name === 'index.html') await examineCopy(path, pages)
      else if (entry.name.startsWith('index.html')) await assertWhole(path)
    } catch (error) {
      faults.push(`the static file ${path} is incomplete: ${String(error)}`)
    }
  }
  return { pages, unfinished, faults }
}

/** The HTML of a copy. Compressed files of the same write must contain the same HTML. */
async function examineCopy(path: string, pages: Map<number, string>): Promise<void> {
  const html = await assertWhole(path)
  const { page } = JSON.parse(await readFile(join(path, '../.page.json'), 'utf8'))
  pages.set(page, html)
  const { mtimeMs } = await stat(path)
  for (const other of [`${path}.gz`, `${path}.br`]) {
    if (!existsSync(other) || (await stat(other)).mtimeMs !== mtimeMs) continue
    if ((await assertWhole(other)) !== html) throw new Error(`${basename(other)} differs from it`)
  }
}

async function assertWhole(path: string): Promise<string> {
  const bytes = await readFile(path)
  const html = unpack(path, bytes).toString()
  if (!isWholePage(html))
    throw new Error(`${bytes.length} bytes, ${JSON.stringify(html.slice(-80))}`)
  return html
}

function unpack(path: string, bytes: Buffer): Buffer {
  if (path.endsWith('.gz')) return gunzipSync(bytes)
  return path.endsWith('.br') ? brotliDecompressSync(bytes) : bytes
}
