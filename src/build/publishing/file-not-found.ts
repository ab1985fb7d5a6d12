/** Codes of the system for a path that does not exist: no entry, a file in place of a folder, a name that is too long. */
const NOT_FOUND_CODES = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'])

/** True if a file operation failed because the path does not exist. */
export function isFileNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NOT_FOUND_CODES.has(String(error.code))
}

/** True also for a folder that another machine has removed on a network file system (ESTALE). */
export function isGone(error: unknown): boolean {
  return (
    isFileNotFound(error) || (error instanceof Error && 'code' in error && error.code === 'ESTALE')
  )
}
