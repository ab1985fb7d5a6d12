import { openSync, readFileSync } from 'node:fs'

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

/** The log beside a data directory: what the last start (server, installer, engine) printed. */
export const serverLogFile = (directory: string): string => `${directory}.log`

/** Opens the log anew, so that it tells of one start only. The caller closes the descriptor. */
export const openServerLog = (directory: string): number =>
  openSync(serverLogFile(directory), 'w', 0o600)

const NO_SPACE = /failed with error 28\b|errcode: 28\b|no space left/i

/**
 * The line of the log that names the cause. A server reports the cause first and its consequences
 * after it; programs without levels say the worst last.
 */
export const readCause = (directory: string): string => {
  const text = readFileSync(serverLogFile(directory), 'utf8')
  if (NO_SPACE.test(text)) return 'there is no space left on the disk'
  const lines = text.split('\n').filter(Boolean)
  const cause = lines.find((line) => /\[ERROR\]|^FATAL ERROR|^E: /.test(line)) ?? lines.at(-1)
  return cause?.replace(/^.*\[ERROR\] /, '').trim() ?? 'it said nothing'
}

/** Whether the last start failed because another program took the port in the meantime. */
export const lostItsPort = (directory: string): boolean =>
  /address already in use|port is already allocated|bind on tcp\/ip port/i.test(
    readFileSync(serverLogFile(directory), 'utf8'),
  )
