import { constants, type Stats } from 'node:fs'
import { lstat, open, rm, rmdir } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip as gzipBuffer, constants as zlib } from 'node:zlib'
import { writeFilesAtomically } from './atomic-write.ts'
import { isFileNotFound } from './file-not-found.ts'
import { assertInside, COPY_FILE } from './static-path.ts'

/** Whose page a copy shows, in a file beside it. */
export type CopyOwner = {
  /** Blog id. */
  readonly site: number
  readonly page: number
  /** The page's address, exactly: the folder doesn't tell whether it ends with a slash. */
  readonly url: string
}

/** A copy as it lies on disk. */
export type StaticCopy = {
  readonly html: Buffer
  /** Its compressed forms; missing where they are of another copy, which a crash can leave. */
  readonly gzip: Buffer | undefined
  readonly brotli: Buffer | undefined
  /** Missing beside a copy that somebody else put there. */
  readonly owner: CopyOwner | undefined
  /** Of the HTML file. */
  readonly stats: Stats
}

const OWNER_FILE = '.page.json'
const GZIP_FILE = `${COPY_FILE}.gz`
const BROTLI_FILE = `${COPY_FILE}.br`

/** Compresses half as well again as gzip in the same time; more would keep the writer waiting. */
const BROTLI_QUALITY = 5

const compressGzip = promisify(gzipBuffer)
const compressBrotli = promisify(brotliCompress)

/** A copy in all its forms, as it will be on disk. */
export type EncodedCopy = {
  readonly html: Buffer
  readonly gzip: Buffer
  readonly brotli: Buffer
}

export async function encodeCopy(html: Buffer): Promise<EncodedCopy> {
  const params = { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
  const [gzip, brotli] = await Promise.all([compressGzip(html), compressBrotli(html, { params })])
  return { html, gzip, brotli }
}

/** Bytes of a copy in all its forms. */
export function bytesOfCopy({
  html,
  gzip,
  brotli,
}: Pick<StaticCopy, 'html' | 'gzip' | 'brotli'>): number {
  return html.length + (gzip?.length ?? 0) + (brotli?.length ?? 0)
}

/**
 * Puts a copy in place, the HTML last: who finds the new HTML finds its compressed forms too, never older ones. The files of one copy
 * bear the same time, by which a reader tells that they belong together.
 * @throws StaticPathError
 */
export async function writeCopy(
  staticDir: string,
  folder: string,
  { html, gzip, brotli }: EncodedCopy,
  owner: CopyOwner,
): Promise<void> {
  await assertInside(staticDir, folder)
  // The fraction keeps apart what two processes write in the same millisecond.
  const time = (Date.now() + Math.random()) / 1000
  const file = (name: string, bytes: Buffer) => ({ path: join(folder, name), bytes, time })
  await writeFilesAtomically([
    file(OWNER_FILE, Buffer.from(JSON.stringify(owner))),
    file(GZIP_FILE, gzip),
    file(BROTLI_FILE, brotli),
    file(COPY_FILE, html),
  ])
}

/**
 * The copy in a folder, if one is there.
 * @throws StaticPathError
 */
export async function readCopy(staticDir: string, folder: string): Promise<StaticCopy | undefined> {
  await assertInside(staticDir, folder)
  const html = await readRegularFile(join(folder, COPY_FILE))
  if (!html) return undefined
  const [owner, gzip, brotli] = await Promise.all(
    [OWNER_FILE, GZIP_FILE, BROTLI_FILE].map((name) => readRegularFile(join(folder, name))),
  )
  const belongs = (file: typeof html | undefined) =>
    file?.stats.mtimeMs === html.stats.mtimeMs ? file.bytes : undefined
  return {
    html: html.bytes,
    gzip: belongs(gzip),
    brotli: belongs(brotli),
    owner: parseOwner(owner?.bytes),
    stats: html.stats,
  }
}

/** Bytes of the copy in a folder in all its forms, read from the file system alone; 0 where there is none. */
export async function sizeOfCopy(folder: string): Promise<number> {
  const sizes = [COPY_FILE, GZIP_FILE, BROTLI_FILE].map(async (name) => {
    const stats = await lstat(join(folder, name)).catch(() => undefined)
    return stats?.isFile() ? stats.size : 0
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** Whose page the copy in a folder shows, if it says so. */
export async function readOwner(folder: string): Promise<CopyOwner | undefined> {
  return parseOwner((await readRegularFile(join(folder, OWNER_FILE)))?.bytes)
}

/**
 * Removes a copy, and the folders that are empty without it.
 * @throws StaticPathError
 */
export async function removeCopy(staticDir: string, folder: string): Promise<void> {
  await assertInside(staticDir, folder)
  for (const name of [GZIP_FILE, BROTLI_FILE, COPY_FILE, OWNER_FILE]) {
    await rm(join(folder, name), { force: true })
  }
  let empty = folder
  while (empty.startsWith(staticDir + sep) && (await removeIfEmpty(empty))) empty = dirname(empty)
}

async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder)
    return true
  } catch {
    return false
  }
}

/** A file's bytes and state, read together; undefined for what is no file, a symbolic link among others. */
async function readRegularFile(path: string): Promise<{ bytes: Buffer; stats: Stats } | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stats = await file.stat()
      return stats.isFile() ? { bytes: await file.readFile(), stats } : undefined
    } finally {
      await file.close()
    }
  } catch (error) {
    if (
      isFileNotFound(error) ||
      (error instanceof Error && 'code' in error && error.code === 'ELOOP')
    ) {
      return undefined
    }
    throw error
  }
}

function parseOwner(bytes: Buffer | undefined): CopyOwner | undefined {
  try {
    const { site, page, url } = JSON.parse(bytes?.toString() ?? '')
    return { site: Number(site), page: Number(page), url: String(url) }
  } catch {
    return undefined
  }
}
