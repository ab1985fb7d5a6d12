import { readFileSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs'
import { DatabaseServerError, findErrorCode } from './server-failure.ts'

/**
 * Identifies a process by its id and, on Linux, its start time: ids are reused, in a container at
 * every start. Undefined for a process that has ended, also while it is a zombie.
 */
const findIdentity = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : `${pid} ${fields[19]}`
  } catch {
    try {
      process.kill(pid, 0)
      return `${pid}`
    } catch (error) {
      return findErrorCode(error) === 'EPERM' ? `${pid}` : undefined
    }
  }
}

const lockFile = (directory: string): string => `${directory}.lock`

const undefinedIfMissing = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (findErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

const pidIfAlive = (identity = ''): number | undefined => {
  const pid = Number.parseInt(identity, 10)
  return identity && findIdentity(pid) === identity ? pid : undefined
}

const readLock = (lock: string): string | undefined => undefinedIfMissing(() => readlinkSync(lock))

/** Whether a lock exists whose owner has ended. A missing lock is not stale: another process may take it now. */
const isStale = (lock: string): boolean => {
  const identity = readLock(lock)
  return identity !== undefined && pidIfAlive(identity) === undefined
}

/** The id of the running process that has locked a data directory. */
export const findOwner = (directory: string): number | undefined =>
  pidIfAlive(readLock(lockFile(directory)))

const tryToLink = (identity: string, lock: string): boolean => {
  try {
    symlinkSync(identity, lock)
    return true
  } catch (error) {
    if (findErrorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Pause before checking again whether another process has removed a lock, in milliseconds. */
const RETRY_MS = 5

/**
 * Removes a lock whose owner has ended. Only one process does it, under a second lock: without that, another
 * process could remove the lock of the next owner.
 */
const removeStaleLock = (me: string, lock: string): void => {
  const guard = `${lock}.left`
  if (!tryToLink(me, guard)) {
    if (isStale(guard)) removeStaleLock(me, guard)
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    return
  }
  try {
    if (isStale(lock)) unlinkSync(lock)
  } finally {
    unlinkSync(guard)
  }
}

/**
 * Locks a data directory for this process and returns the function that unlocks it. The lock is a symbolic link
 * whose target identifies the owner, so that it is created with its content in one step.
 *
 * @throws DatabaseServerError naming the running process that has locked it
 */
export const lockDirectory = (directory: string): (() => void) => {
  const lock = lockFile(directory)
  const me = findIdentity(process.pid) ?? `${process.pid}`
  while (!tryToLink(me, lock)) {
    const owner = findOwner(directory)
    if (owner !== undefined) {
      throw new DatabaseServerError(
        `The database in ${directory} is in use by process ${owner}. Stop that process first.`,
      )
    }
    removeStaleLock(me, lock)
  }
  return () => {
    if (readLock(lock) === me) unlinkSync(lock)
  }
}
