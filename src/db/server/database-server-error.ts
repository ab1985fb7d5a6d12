/** Why there is no database server, in one sentence made for the person who started the program. */
export class DatabaseServerError extends Error {
  override readonly name = 'DatabaseServerError'
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'it cannot be written to',
  EPERM: 'it cannot be written to',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'there is no space left on the disk',
  EDQUOT: 'there is no space left on the disk',
  ENOENT: 'it cannot be made there',
  ENOTDIR: 'a file is in its place',
  EEXIST: 'a file is in its place',
}

/** The system's error code (`ENOENT`) or the driver's (`ER_ACCESS_DENIED_ERROR`), if there is one. */
export const findErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined

/** Any failure as a `DatabaseServerError`; the file system's are told as a reason about `folder`. */
export const asDatabaseServerError = (error: unknown, folder: string): DatabaseServerError => {
  if (error instanceof DatabaseServerError) return error
  const reason = REASONS[findErrorCode(error) ?? '']
  const said = error instanceof Error ? error.message : String(error)
  return new DatabaseServerError(`The database cannot be kept in ${folder}: ${reason ?? said}.`, {
    cause: error,
  })
}
