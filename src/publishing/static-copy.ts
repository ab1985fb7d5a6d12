import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The file of a static copy in its folder. */
export const COPY_FILE = 'index.html'

/** The copy that is there, if one is. */
export async function readCopy(folder: string): Promise<Buffer | undefined> {
  try {
    return await readFile(join(folder, COPY_FILE))
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

/** Puts a copy in place in one step: a reader sees the old bytes or the new ones, also after a crash. */
export async function writeCopy(folder: string, html: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const temporary = join(folder, `.${COPY_FILE}.${randomBytes(6).toString('hex')}`)
  try {
    const file = await open(temporary, 'wx')
    try {
      await file.writeFile(html)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, join(folder, COPY_FILE))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Removes a copy; its folder stays, for pages below it. */
export async function removeCopy(folder: string): Promise<void> {
  await rm(join(folder, COPY_FILE), { force: true })
}

function isAbsent(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ENOENT' || error.code === 'ENOTDIR')
  )
}
