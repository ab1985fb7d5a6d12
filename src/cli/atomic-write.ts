import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../build/publishing/make-folder.ts'

/**
 * Writes a file atomically: first to a temporary file that is synced to disk, which is then renamed. A reader sees either the old or the new
 * bytes, also after a crash. Creates the folder of the file if it does not exist.
 * @param mode permissions of the file, before the umask [read and write for all]
 */
export async function writeFileAtomically(
  path: string,
  bytes: Buffer,
  mode?: number,
): Promise<void> {
  const temporary = join(dirname(path), `.new-${randomBytes(8).toString('hex')}`)
  try {
    await writeSynced(temporary, bytes, mode)
    await rename(temporary, path)
    await syncFolder(dirname(path))
  } catch (error) {
    // The removal may fail for the same reason; the first error is thrown.
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}

async function writeSynced(path: string, bytes: Buffer, mode?: number): Promise<void> {
  makeFolder(dirname(path))
  const file = await open(path, 'wx', mode)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Syncs the folder: otherwise a crash could undo the rename. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
