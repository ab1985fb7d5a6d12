import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PublicationNumbers } from './copy-target.ts'
import { isFileNotFound } from './file-not-found.ts'

/** The folder of the files. It cannot collide with a host folder: hosts start with a letter or a digit. */
const FOLDER = '.published'

/** The numbers in the folder. Of several files of a bucket, the highest counts. */
export async function readFolderNumbers(staticDir: string): Promise<PublicationNumbers> {
  const numbers = new Map<number, number>()
  for (const name of await namesIn(join(staticDir, FOLDER))) {
    const [, bucket, number] = /^(\d{1,3})\.(\d{1,16})$/.exec(name) ?? []
    if (number === undefined) continue
    const at = Number(bucket)
    numbers.set(at, Math.max(numbers.get(at) ?? 0, Number(number)))
  }
  return numbers
}

/** Creates the folder of the numbers. Only after the marker file was found: the static folder may be an empty mount point. */
export async function createNumbersFolder(staticDir: string): Promise<void> {
  await mkdir(join(staticDir, FOLDER)).catch(ignoreExisting)
}

/**
 * Stores a number in the folder. A higher one stays, also one of another process.
 * @throws ENOENT if there is no folder of the numbers, for example because the file system was unmounted within a claim
 */
export async function storeFolderNumber(
  staticDir: string,
  bucket: number,
  number: number,
): Promise<void> {
  const pathOf = (n: number) => join(staticDir, FOLDER, `${bucket}.${n}`)
  for (;;) {
    const stored = (await readFolderNumbers(staticDir)).get(bucket) ?? 0
    if (stored >= number) return
    if (stored === 0) return writeFile(pathOf(number), '')
    try {
      return await rename(pathOf(stored), pathOf(number))
    } catch (error) {
      // Another process has renamed the file meanwhile.
      if (!isFileNotFound(error)) throw error
    }
  }
}

/** Removes all numbers, with their folder. */
export async function removeNumbers(staticDir: string): Promise<void> {
  await rm(join(staticDir, FOLDER), { recursive: true, force: true })
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isFileNotFound(error)) return []
    throw error
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
}
