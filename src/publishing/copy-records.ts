import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFilesAtomically } from './atomic-write.ts'
import { isFileNotFound } from './file-not-found.ts'
import { assertInside } from './static-path.ts'

/** Identifies the static copy of a page. */
export type CopyKey = {
  readonly staticDir: string
  /** Blog id. */
  readonly site: number
  readonly page: number
}

/**
 * The record of a page's static copy. It is stored by page id, so that the copy is found after the URL of the page has changed. `url`: null
 * once the copy was removed. `built_at`: when its build started to read, in milliseconds since 1970. `made_of`: `sourceFingerprint` of
 * `Publication`; missing if unknown. `bytes`: size of the copy with its compressed forms; missing in records of older versions.
 */
export type CopyRecord = {
  readonly url: string | null
  readonly built_at: number
  readonly made_of?: string
  readonly bytes?: number
}

/** Cannot collide with a host folder: hosts start with a letter or a digit. */
const RECORDS_FOLDER = '.pages'

/** The folder of a site's records. */
export function recordsFolder(staticDir: string, site: number): string {
  return join(staticDir, RECORDS_FOLDER, String(site))
}

/** The path of a page's record. */
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

/** The record of a page; undefined if it is missing or damaged. */
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

/** Blog ids of the sites that have records, sorted. */
export async function listRecordedSites(staticDir: string): Promise<number[]> {
  const names = await listNames(join(staticDir, RECORDS_FOLDER))
  return names.flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : [])).sort((a, b) => a - b)
}

/** The URLs of all static copies of a site, by page id. */
export async function listCopies(staticDir: string, site: number): Promise<Map<number, string>> {
  const copies = new Map<number, string>()
  for (const page of await listRecordedPages(staticDir, site)) {
    const record = await readRecord({ staticDir, site, page })
    if (record?.url != null) copies.set(page, record.url)
  }
  return copies
}

/** The page id in the file name of a record; undefined for the name of another file. */
export function pageOfRecord(name: string): number | undefined {
  return Number(/^(\d+)\.json$/.exec(name)?.[1]) || undefined
}

/** Ids of the pages that have records. */
export async function listRecordedPages(staticDir: string, site: number): Promise<number[]> {
  const names = await listNames(recordsFolder(staticDir, site))
  return names.flatMap((name) => pageOfRecord(name) ?? [])
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isFileNotFound(error)) return []
    throw error
  }
}

/** The last recorded version of a site's content that its static copies were synced with; undefined if none was recorded. */
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
