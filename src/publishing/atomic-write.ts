import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isFileNotFound } from './file-not-found.ts'
import { isLockName, withLockFile } from './lock-file.ts'

/** A file to be put in place: its path, its bytes, and its time in seconds since 1970. */
export type NewFile = { readonly path: string; readonly bytes: Buffer; readonly time: number }

/**
 * Puts files in place one by one in their order, once all of them are safely on disk under other names: a reader sees the old bytes
 * or the new ones of each, also after a crash.
 */
export async function writeFilesAtomically(files: readonly NewFile[]): Promise<void> {
  const temporaries = files.map((file) => ({ file, path: temporaryPath(file.path) }))
  try {
    for (const { file, path } of temporaries) await writeSynced(path, file)
    for (const { file, path } of temporaries) await rename(path, file.path)
    for (const folder of new Set(files.map(({ path }) => dirname(path)))) await syncFolder(folder)
  } catch (error) {
    // What stands in the way of a file may stand in the way of its removal; the first error tells of it.
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

/** Is it the name of a file that was to be put in place, or of a lock? Either is left behind where a process is killed. */
export function isTemporaryName(name: string): boolean {
  return /^\.new-[0-9a-f]{16}$/.test(name) || isLockName(name)
}

/**
 * Removes files that were left behind. Those that are in place by now are not there under these names; a lock may be another's by now, and
 * is gone once it was held.
 */
export async function removeTemporaryFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if (isLockName(basename(path))) await withLockFile(path, async () => {})
    else if (isTemporaryName(basename(path))) await rm(path, { force: true })
  }
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

/** Opens a new file in a folder that may not be there yet, or be removed as empty by another process just now. */
async function openNew(path: string, attempts = 3): ReturnType<typeof open> {
  await mkdir(dirname(path), { recursive: true })
  try {
    return await open(path, 'wx')
  } catch (error) {
    if (attempts <= 1 || !isFileNotFound(error)) throw error
    return openNew(path, attempts - 1)
  }
}

/** Without it, a crash could take back the renames. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
