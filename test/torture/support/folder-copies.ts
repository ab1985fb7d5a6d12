import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fileTimeOf } from '../../../src/build/publishing/copy-files.ts'
import { copyFolderForUrl } from '../../../src/build/publishing/static-path.ts'
import { isWholePage } from './frame-markup.ts'
import type { FreshPage } from './fresh-render.ts'
import { markOf, type StaticCopies } from './static-copies.ts'

/** The file that marks the folder of static copies. */
const MARKER = '.wp-frames'
/** The folder of the numbers of publications. */
const NUMBERS = '.published'
/** The folder of files that are not published yet. */
const STAGING = '.work'

/** The paths of all files and folders below the folder of static copies, without those that are not published yet. Writers may be active. */
async function listPublished(staticDir: string, below = ''): Promise<string[]> {
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
async function findTornCopies(staticDir: string): Promise<string[]> {
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

/** The static copies in a folder. */
export function openFolderCopies(staticDir: string): StaticCopies {
  return {
    settings: { staticDir },
    envOf: () => ({ STATIC_DIR: staticDir }),
    bytesBy: () => undefined,
    interfere: () => {
      throw new Error('there is no store')
    },
    findTorn: () => findTornCopies(staticDir),
    findDifferences: (site, pages) => differencesOfFiles(staticDir, site, pages),
    findLeftovers: () => leftoverStaging(staticDir),
    readTime: (url) => fileTime(staticDir, url),
    close: async () => {},
  }
}

/** Compares the files, without those that are not published yet, with the pages of the only site in the folder. */
async function differencesOfFiles(
  staticDir: string,
  site: number,
  pages: readonly FreshPage[],
): Promise<string[]> {
  const found: string[] = []
  const expected = new Set([MARKER])
  for (const { page, url, html } of pages) {
    const folder = copyFolderForUrl(staticDir, url)
    if (folder === undefined) continue
    const index = join(folder, 'index.html')
    const owner = { site, page, url }
    for (const name of ['', '.gz', '.br']) expected.add(relative(staticDir, index + name))
    expected.add(relative(staticDir, join(folder, '.page.json')))
    for (const parent of parentsOf(relative(staticDir, folder))) expected.add(parent)
    const wrong = await differenceOfCopy(folder, owner, html)
    if (wrong !== undefined) found.push(`the copy of page ${page} ${wrong}`)
  }
  for (const path of await listPublished(staticDir))
    if (!expected.has(path)) found.push(`${path} is left over`)
  return found
}

/** The folder may exist, but must be empty. */
async function leftoverStaging(staticDir: string): Promise<string[]> {
  const names = await readdir(join(staticDir, STAGING)).catch(() => [])
  return names.map((name) => `${STAGING}/${name} is left over`)
}

/** `a/b/c` and the folders above it. */
const parentsOf = (path: string): string[] =>
  path.split('/').map((_, at, names) => names.slice(0, at + 1).join('/'))

async function differenceOfCopy(
  folder: string,
  owner: object,
  html: string,
): Promise<string | undefined> {
  const read = (name: string) => readFile(join(folder, name)).catch(() => undefined)
  const [plain, gz, br, json] = await Promise.all(
    ['index.html', 'index.html.gz', 'index.html.br', '.page.json'].map(read),
  )
  const shown = plain?.toString()
  if (shown === undefined) return `is missing, expected ${markOf(html)}`
  if (shown !== html) return `shows ${markOf(shown)}, not ${markOf(html)}`
  if (!gz || !br) return 'has no compressed form'
  if (gunzipSync(gz).toString() !== html) return 'has another content in its .gz'
  if (brotliDecompressSync(br).toString() !== html) return 'has another content in its .br'
  const { site, page, url }: Record<string, unknown> = JSON.parse(json?.toString() || '{}')
  if (JSON.stringify({ site, page, url }) !== JSON.stringify(owner))
    return `belongs to ${json?.toString()} according to its .page.json`
  return undefined
}

/** The time of a copy's file in microseconds since 1970; '' if there is none. */
async function fileTime(staticDir: string, url: string): Promise<string | undefined> {
  const folder = copyFolderForUrl(staticDir, url)
  if (folder === undefined) return undefined
  const stats = await stat(join(folder, 'index.html')).catch(() => undefined)
  return stats === undefined ? '' : String(fileTimeOf(stats))
}
