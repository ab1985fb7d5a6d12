import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isFileNotFound } from './file-not-found.ts'
import { recordsFolder } from './copy-record.ts'
import { assertInside } from './static-path.ts'
import { writeFilesAtomically } from './atomic-write.ts'

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
