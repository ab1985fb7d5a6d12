import { codeOf } from './storage-error.ts'

/** Codes of the system for a path that does not exist: no entry, a file in place of a folder, a name that is too long. */
const NOT_FOUND_CODES = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'])

/** True if a file operation failed because the path does not exist. */
export function isFileNotFound(error: unknown): boolean {
  return NOT_FOUND_CODES.has(codeOf(error))
}

/** For the `catch` of an asynchronous call: undefined if the path does not exist. @throws any other error */
export function unlessMissing(error: unknown): undefined {
  if (!isFileNotFound(error)) throw error
}

/** The result of a synchronous call; undefined if the path does not exist. */
export function ifFound<T>(call: () => T): T | undefined {
  try {
    return call()
  } catch (error) {
    return unlessMissing(error)
  }
}

/** True also for a folder that another machine has removed on a network file system (ESTALE). */
export function isGone(error: unknown): boolean {
  return isFileNotFound(error) || codeOf(error) === 'ESTALE'
}
