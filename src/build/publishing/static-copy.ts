import { constants, type Stats } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { ShownTags } from './cache-tags.ts'
import { unlessMissing } from './file-not-found.ts'
import { assertInside, COPY_FILE } from './static-path.ts'
import { codeOf } from './storage-error.ts'

/** The page that a copy belongs to, stored in a file beside the copy. */
export type CopyOwner = {
  /** Blog id. */
  readonly site: number
  readonly page: number
  /** The exact URL of the page: the folder does not show whether it ends with a slash. */
  readonly url: string
  /** What the copy shows, for its tags; undefined if it was written without tags. */
  readonly shown?: ShownTags | undefined
}

/** A copy as it is on disk. */
export type StaticCopy = {
  readonly html: Buffer
  /** Compressed forms; undefined if they belong to another copy, which a crash can leave behind. */
  readonly gzip: Buffer | undefined
  readonly brotli: Buffer | undefined
  /** True if the HTML is newer than a compressed form: the service writes it last, with the same time, so another program has changed it. */
  readonly isChanged: boolean
  /** Undefined for a copy that was created by hand. */
  readonly owner: CopyOwner | undefined
  /** Stats of the HTML file. */
  readonly stats: Stats
}

export const OWNER_FILE = '.page.json'
export const GZIP_FILE = `${COPY_FILE}.gz`
export const BROTLI_FILE = `${COPY_FILE}.br`

/**
 * Reads the copy in a folder; undefined if there is none.
 * @throws StaticPathError
 */
export async function readCopy(staticDir: string, folder: string): Promise<StaticCopy | undefined> {
  // With symbolic links resolved.
  const [root, real] = await Promise.all(
    [staticDir, folder].map((path) => realpath(path).catch(unlessMissing)),
  )
  if (root === undefined || real === undefined) return undefined
  assertInside(root, real)
  const html = await readRegularFile(join(folder, COPY_FILE))
  if (!html) return undefined
  const [owner, gzip, brotli] = await Promise.all(
    [OWNER_FILE, GZIP_FILE, BROTLI_FILE].map((name) => readRegularFile(join(folder, name))),
  )
  const belongs = (file: typeof html | undefined) =>
    file?.stats.mtimeMs === html.stats.mtimeMs ? file.bytes : undefined
  const { mtimeMs } = html.stats
  return {
    html: html.bytes,
    gzip: belongs(gzip),
    brotli: belongs(brotli),
    isChanged: [gzip, brotli].some((file) => file !== undefined && file.stats.mtimeMs < mtimeMs),
    owner: parseOwner(owner?.bytes),
    stats: html.stats,
  }
}

/** A copy without its damaged files, whose names are in `damaged`. `html` is undefined if it is damaged itself. */
export type SoundCopy = Pick<StaticCopy, 'gzip' | 'brotli'> & {
  readonly html: Buffer | undefined
  readonly damaged: readonly string[]
}

/**
 * Finds damage without a record: a gzip file ends with the CRC-32 and the size of its content, so the HTML and its compressed forms, which are
 * written with every copy, prove each other. A copy that was created by hand has none, and only must not be empty. HTML that is older than the
 * forms is being replaced; nothing proves it then.
 */
export async function withoutDamage(copy: StaticCopy): Promise<SoundCopy> {
  const { html, gzip, brotli, owner, isChanged } = copy
  const damagedHtml = { html: undefined, gzip: undefined, brotli: undefined, damaged: [COPY_FILE] }
  if (html.length === 0 || (isChanged && owner)) return damagedHtml
  const [fromGzip, fromBrotli] = await Promise.all([unpack(gzip, gunzip), unpack(brotli, unbrotli)])
  const isEqual = (text: Buffer | undefined) => text?.equals(html) ?? false
  // Only gzip has a checksum: a damaged Brotli form may decompress to another text.
  if (fromGzip ? !isEqual(fromGzip) : fromBrotli && !isEqual(fromBrotli)) return damagedHtml
  return {
    html,
    gzip: fromGzip && gzip,
    brotli: isEqual(fromBrotli) ? brotli : undefined,
    damaged: [
      ...(gzip && !fromGzip ? [GZIP_FILE] : []),
      ...(brotli && !isEqual(fromBrotli) ? [BROTLI_FILE] : []),
    ],
  }
}

const gunzip = promisify(zlib.gunzip)
const unbrotli = promisify(zlib.brotliDecompress)

/** Undefined for bytes that cannot be decompressed. */
async function unpack(
  bytes: Buffer | undefined,
  decompress: (bytes: Buffer) => Promise<Buffer>,
): Promise<Buffer | undefined> {
  return bytes && decompress(bytes).catch(() => undefined)
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
    return codeOf(error) === 'ELOOP' ? undefined : unlessMissing(error)
  }
}

/** Ids of frames become a part of a header. */
function isShownTags(value: unknown): value is ShownTags {
  const { frames, menus } = (value ?? {}) as Partial<ShownTags>
  return (
    typeof menus === 'boolean' &&
    Array.isArray(frames) &&
    frames.every((id) => typeof id === 'string' && /^[a-z0-9]+$/.test(id))
  )
}

/** Undefined for anything but the JSON of what a page shows. */
export function parseShown(text: string): ShownTags | undefined {
  try {
    const shown: unknown = JSON.parse(text)
    return isShownTags(shown) ? { frames: shown.frames, menus: shown.menus } : undefined
  } catch {
    return undefined
  }
}

/** Undefined for anything but the content of an owner file. */
export function parseOwner(bytes: Buffer | undefined): CopyOwner | undefined {
  try {
    const { site, page, url, shown } = JSON.parse(bytes?.toString() ?? '')
    if (!Number.isSafeInteger(site) || !Number.isSafeInteger(page)) return undefined
    const owner = { site, page, url: String(url) }
    return isShownTags(shown) ? { ...owner, shown } : owner
  } catch {
    return undefined
  }
}
