import { openSync, readFileSync } from 'node:fs'

/** The reason why no database server runs, as one sentence for the operator. */
export class DatabaseServerError extends Error {
  override readonly name = 'DatabaseServerError'
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'it cannot be written to',
  EPERM: 'it cannot be written to',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'there is no space left on the disk',
  EDQUOT: 'there is no space left on the disk',
  ENOENT: 'it cannot be created there',
  ENOTDIR: 'a file has that name',
  EEXIST: 'a file has that name',
}

/** The error code of the system (`ENOENT`) or the driver (`ER_BAD_DB_ERROR`), if the error has one. */
export const findErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined

/** Converts any error to a `DatabaseServerError`; an error of the file system becomes a reason about `folder`. */
export const asDatabaseServerError = (error: unknown, folder: string): DatabaseServerError => {
  if (error instanceof DatabaseServerError) return error
  const reason = REASONS[findErrorCode(error) ?? '']
  const message = error instanceof Error ? error.message : String(error)
  return new DatabaseServerError(
    `The database cannot be stored in ${folder}: ${reason ?? message}.`,
    {
      cause: error,
    },
  )
}

/** The log beside a data directory, with the output of the last start (server, installer, engine). */
export const serverLogFile = (directory: string): string => `${directory}.log`

/** Truncates and opens the log, so that it describes one start only. The caller closes the descriptor. */
export const openServerLog = (directory: string): number =>
  openSync(serverLogFile(directory), 'w', 0o600)

const NO_SPACE = /failed with error 28\b|errcode: 28\b|no space left/i

/**
 * The line of the log that names the cause. A server reports the cause first and its consequences
 * after it; programs without log levels report the cause last.
 */
export const readCause = (directory: string): string => {
  const text = readFileSync(serverLogFile(directory), 'utf8')
  if (NO_SPACE.test(text)) return 'there is no space left on the disk'
  const lines = text.split('\n').filter(Boolean)
  const cause = lines.find((line) => /\[ERROR\]|^FATAL ERROR|^E: /.test(line)) ?? lines.at(-1)
  return cause?.replace(/^.*\[ERROR\] /, '').trim() ?? 'the log is empty'
}

/** Whether the last start failed because another program took the port meanwhile. */
export const lostItsPort = (directory: string): boolean =>
  /address already in use|port is already allocated|bind on tcp\/ip port/i.test(
    readFileSync(serverLogFile(directory), 'utf8'),
  )
