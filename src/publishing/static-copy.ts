import { constants, type Stats } from 'node:fs'
import { lstat, open, rm, rmdir } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip as gzipBuffer, constants as zlib } from 'node:zlib'
import { writeFilesAtomically } from './atomic-write.ts'
import { isFileNotFound } from './file-not-found.ts'
import { assertInside, COPY_FILE } from './static-path.ts'

/** The page that a copy belongs to, stored in a file beside the copy. */
export type CopyOwner = {
  /** Blog id. */
  readonly site: number
  readonly page: number
  /** The exact URL of the page: the folder does not show whether it ends with a slash. */
  readonly url: string
}

/** A copy as it is on disk. */
export type StaticCopy = {
  readonly html: Buffer
  /** Compressed forms; undefined if they belong to another copy, which a crash can leave behind. */
  readonly gzip: Buffer | undefined
  readonly brotli: Buffer | undefined
  /** Undefined for a copy that was created by hand. */
  readonly owner: CopyOwner | undefined
  /** Stats of the HTML file. */
  readonly stats: Stats
}

const OWNER_FILE = '.page.json'
const GZIP_FILE = `${COPY_FILE}.gz`
const BROTLI_FILE = `${COPY_FILE}.br`

/** At this level Brotli compresses 50% better than gzip in the same time; higher levels would delay the write. */
const BROTLI_QUALITY = 5

const compressGzip = promisify(gzipBuffer)
const compressBrotli = promisify(brotliCompress)

/** A copy with its compressed forms, ready to be written. */
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

/** Size of a copy with its compressed forms, in bytes. */
export function bytesOfCopy({
  html,
  gzip,
  brotli,
}: Pick<StaticCopy, 'html' | 'gzip' | 'brotli'>): number {
  return html.length + (gzip?.length ?? 0) + (brotli?.length ?? 0)
}

/**
 * Writes a copy, the HTML file last: a reader that finds the new HTML also finds its compressed forms, never older ones. All files of a copy
 * have the same modification time, which identifies them as one copy.
 * @throws StaticPathError
 */
export async function writeCopy(
  staticDir: string,
  folder: string,
  { html, gzip, brotli }: EncodedCopy,
  owner: CopyOwner,
): Promise<void> {
  await assertInside(staticDir, folder)
  // The random fraction distinguishes copies that two processes write in the same millisecond.
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
 * Reads the copy in a folder; undefined if there is none.
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

/** Size of the copy in a folder with its compressed forms, in bytes, from file sizes alone; 0 if there is none. */
export async function sizeOfCopy(folder: string): Promise<number> {
  const sizes = [COPY_FILE, GZIP_FILE, BROTLI_FILE].map(async (name) => {
    const stats = await lstat(join(folder, name)).catch(() => undefined)
    return stats?.isFile() ? stats.size : 0
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** The owner of the copy in a folder; undefined if it has no owner file. */
export async function readOwner(folder: string): Promise<CopyOwner | undefined> {
  return parseOwner((await readRegularFile(join(folder, OWNER_FILE)))?.bytes)
}

/**
 * Removes a copy, and the folders that are empty afterwards.
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

/** Reads a file's bytes and stats together; undefined for anything but a regular file, such as a symbolic link. */
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
