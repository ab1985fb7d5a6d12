import { constants, type Stats } from 'node:fs'
import { open, rm, rmdir } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { isAbsent } from './absent.ts'
import { assertInside, COPY_FILE } from './static-path.ts'
import { writeFiles } from './write-file.ts'

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

const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)

/**
 * Puts a copy in place, the HTML last: who finds the new HTML finds its compressed forms too, never older ones. The files of one copy
 * bear the same time, by which a reader tells that they belong together.
 * @throws StaticPathError
 */
export async function writeCopy(
  staticDir: string,
  folder: string,
  html: Buffer,
  owner: CopyOwner,
): Promise<void> {
  await assertInside(staticDir, folder)
  const params = { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
  const [gzipped, brotli] = await Promise.all([
    compressGzip(html),
    compressBrotli(html, { params }),
  ])
  // The fraction keeps apart what two processes write in the same millisecond.
  const time = (Date.now() + Math.random()) / 1000
  const file = (name: string, bytes: Buffer) => ({ path: join(folder, name), bytes, time })
  await writeFiles([
    file(OWNER_FILE, Buffer.from(JSON.stringify(owner))),
    file(GZIP_FILE, gzipped),
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
    if (isAbsent(error) || (error instanceof Error && 'code' in error && error.code === 'ELOOP')) {
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
