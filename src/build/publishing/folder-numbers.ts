import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PublicationNumbers } from './copy-store.ts'
import { isFileNotFound, unlessMissing } from './file-not-found.ts'
import { ignoreExisting } from './staging.ts'

/** The folder of the files. It cannot collide with a host folder: hosts start with a letter or a digit. */
export const NUMBERS_FOLDER = '.published'

/** The numbers in names of files or objects. Of several of a bucket, the highest counts. */
export function numbersIn(names: readonly string[]): Map<number, number> {
  const numbers = new Map<number, number>()
  for (const name of names) {
    const [, bucket, number] = /(?:^|\/)(\d{1,3})\.(\d{1,16})$/.exec(name) ?? []
    if (number === undefined) continue
    const at = Number(bucket)
    numbers.set(at, Math.max(numbers.get(at) ?? 0, Number(number)))
  }
  return numbers
}

/** The numbers in the folder. */
export async function readFolderNumbers(staticDir: string): Promise<PublicationNumbers> {
  return numbersIn((await readdir(join(staticDir, NUMBERS_FOLDER)).catch(unlessMissing)) ?? [])
}

/** Creates the folder of the numbers. Only after the marker file was found: the static folder may be an empty mount point. */
export async function createNumbersFolder(staticDir: string): Promise<void> {
  await mkdir(join(staticDir, NUMBERS_FOLDER)).catch(ignoreExisting)
}

/**
 * Stores a number in the folder. A higher one stays, also one of another process.
 * @throws ENOENT if there is no folder of the numbers, for example because the file system was unmounted meanwhile
 */
export async function storeFolderNumber(
  staticDir: string,
  bucket: number,
  number: number,
): Promise<PublicationNumbers> {
  const pathOf = (n: number) => join(staticDir, NUMBERS_FOLDER, `${bucket}.${n}`)
  for (;;) {
    const numbers = await readFolderNumbers(staticDir)
    const stored = numbers.get(bucket) ?? 0
    if (stored >= number) return numbers
    try {
      if (stored === 0) await writeFile(pathOf(number), '')
      else await rename(pathOf(stored), pathOf(number))
      return new Map(numbers).set(bucket, number)
    } catch (error) {
      // Another process has renamed the file meanwhile.
      if (stored === 0 || !isFileNotFound(error)) throw error
    }
  }
}

/** Removes all numbers, with their folder. */
export async function removeNumbers(staticDir: string): Promise<void> {
  await rm(join(staticDir, NUMBERS_FOLDER), { recursive: true, force: true })
}
