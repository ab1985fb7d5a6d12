import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isFileNotFound } from './file-not-found.ts'

/**
 * Why no copies can be written into the folder of the static copies; undefined where they can. One that is not there yet is made with the
 * first copy. Nothing is written to find out.
 */
export async function findStaticFolderProblem(staticDir: string): Promise<string | undefined> {
  const path = await nearestExisting(resolve(staticDir))
  if (!(await stat(path)).isDirectory()) return `"${path}" is no folder`
  try {
    await access(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return `"${path}" can't be written to (${code})`
  }
  const { bavail } = await statfs(path)
  return bavail === 0 ? `the disk of "${path}" is full` : undefined
}

async function nearestExisting(path: string): Promise<string> {
  try {
    await stat(path)
    return path
  } catch (error) {
    if (isFileNotFound(error) && dirname(path) !== path) return nearestExisting(dirname(path))
    throw error
  }
}
