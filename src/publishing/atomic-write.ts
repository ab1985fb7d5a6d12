import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isFileNotFound } from './file-not-found.ts'

/** A file to write: its path, its bytes, and its modification time in seconds since 1970. */
export type NewFile = { readonly path: string; readonly bytes: Buffer; readonly time: number }

/**
 * Writes files atomically: first all of them to temporary files that are synced to disk, then renames them in the given order. A reader sees
 * either the old or the new bytes of each file, also after a crash.
 */
export async function writeFilesAtomically(files: readonly NewFile[]): Promise<void> {
  const temporaries = files.map((file) => ({ file, path: temporaryPath(file.path) }))
  try {
    for (const { file, path } of temporaries) await writeSynced(path, file)
    for (const { file, path } of temporaries) await rename(path, file.path)
    for (const folder of new Set(files.map(({ path }) => dirname(path)))) await syncFolder(folder)
  } catch (error) {
    // The removal may fail for the same reason; the first error is thrown.
    await Promise.allSettled(temporaries.map(({ path }) => rm(path, { force: true })))
    throw error
  }
}

/** Writes one file atomically. Creates its folder if it does not exist. */
export async function writeFileAtomically(path: string, bytes: Buffer): Promise<void> {
  await writeFilesAtomically([{ path, bytes, time: Date.now() / 1000 }])
}

function temporaryPath(path: string): string {
  return join(dirname(path), `.new-${randomBytes(8).toString('hex')}`)
}

/** True for the name of a temporary file. It is left behind when a process is killed. */
export function isTemporaryFileName(name: string): boolean {
  return /^\.new-[0-9a-f]{16}$/.test(name)
}

async function writeSynced(path: string, { bytes, time }: NewFile): Promise<void> {
  const file = await openNew(path)
  try {
    await file.writeFile(bytes)
    await file.utimes(time, time)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Creates a file. Its folder may not exist yet, or may be removed as empty by another process at the same time. */
async function openNew(path: string, attempts = 3): ReturnType<typeof open> {
  await mkdir(dirname(path), { recursive: true })
  try {
    return await open(path, 'wx')
  } catch (error) {
    if (attempts <= 1 || !isFileNotFound(error)) throw error
    return openNew(path, attempts - 1)
  }
}

/** Syncs the folder: otherwise a crash could undo the renames. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
