import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFilesAtomically } from './atomic-write.ts'
import { isFileNotFound } from './file-not-found.ts'
import { assertInside } from './static-path.ts'

/** A page that may have a static copy. */
export type CopyKey = {
  readonly staticDir: string
  /** Blog id. */
  readonly site: number
  readonly page: number
}

/**
 * What is known of a page's copy, kept by the page's id, so that the copy is found after the page has moved: its address, or null once it
 * was removed. `built_at`: when reading for it began, in milliseconds since 1970. `made_of`: see `Publication`; missing where it is not known.
 * `bytes`: of the copy with its compressed forms; missing in records of older versions.
 */
export type CopyRecord = {
  readonly url: string | null
  readonly built_at: number
  readonly made_of?: string
  readonly bytes?: number
}

/** Hosts begin with a letter or a digit, so this is none of theirs. */
const RECORDS_FOLDER = '.pages'

/** Where the records of a site's pages lie. */
export function recordsFolder(staticDir: string, site: number): string {
  return join(staticDir, RECORDS_FOLDER, String(site))
}

/** Where the record of a page lies. */
export function recordPath({ staticDir, site, page }: CopyKey): string {
  return join(recordsFolder(staticDir, site), `${page}.json`)
}

/** @throws StaticPathError */
export async function writeRecord(copy: CopyKey, record: CopyRecord): Promise<void> {
  const path = recordPath(copy)
  await assertInside(copy.staticDir, path)
  const bytes = Buffer.from(JSON.stringify(record))
  await writeFilesAtomically([{ path, bytes, time: record.built_at / 1000 }])
}

/** The record of a page; undefined for one that is missing or damaged. */
export async function readRecord(copy: CopyKey): Promise<CopyRecord | undefined> {
  try {
    const { url, built_at, made_of, bytes } = JSON.parse(await readFile(recordPath(copy), 'utf8'))
    return {
      url: typeof url === 'string' ? url : null,
      built_at: Number(built_at),
      ...(typeof made_of === 'string' ? { made_of } : {}),
      ...(Number.isSafeInteger(bytes) ? { bytes } : {}),
    }
  } catch (error) {
    if (isFileNotFound(error) || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Blog ids of the sites of which there are records, in order. */
export async function listRecordedSites(staticDir: string): Promise<number[]> {
  const names = await listNames(join(staticDir, RECORDS_FOLDER))
  return names.flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : [])).sort((a, b) => a - b)
}

/** The addresses of all copies of a site, by page id. */
export async function listCopies(staticDir: string, site: number): Promise<Map<number, string>> {
  const copies = new Map<number, string>()
  for (const page of await listRecordedPages(staticDir, site)) {
    const record = await readRecord({ staticDir, site, page })
    if (record?.url != null) copies.set(page, record.url)
  }
  return copies
}

/** Ids of the pages of which there are records. */
export async function listRecordedPages(staticDir: string, site: number): Promise<number[]> {
  const names = await listNames(recordsFolder(staticDir, site))
  return names.map((name) => Number(/^(\d+)\.json$/.exec(name)?.[1])).filter((page) => page > 0)
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isFileNotFound(error)) return []
    throw error
  }
}

/** The version of a site's content that its static copies show at least, as it was noted last; undefined for none. */
export async function readSyncedVersion(
  staticDir: string,
  site: number,
): Promise<string | undefined> {
  try {
    return await readFile(versionPath(staticDir, site), 'utf8')
  } catch (error) {
    if (isFileNotFound(error)) return undefined
    throw error
  }
}

/** @throws StaticPathError, and errors of the file system */
export async function writeSyncedVersion(
  staticDir: string,
  site: number,
  version: string,
): Promise<void> {
  const path = versionPath(staticDir, site)
  await assertInside(staticDir, path)
  await writeFilesAtomically([{ path, bytes: Buffer.from(version), time: Date.now() / 1000 }])
}

const versionPath = (staticDir: string, site: number): string =>
  join(recordsFolder(staticDir, site), 'content-version')
