import { readFileSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs'
import { DatabaseServerError, findErrorCode } from './server-failure.ts'

/**
 * Who a process is: its id, and on Linux the moment it started, because ids come around again,
 * in a container at every start. A process that is dead, or dead and not yet buried, is nobody.
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

const ifThere = <T>(read: () => T): T | undefined => {
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

const readLock = (lock: string): string | undefined => ifThere(() => readlinkSync(lock))

/** The id of the living process that holds a data directory. */
export const findHolder = (directory: string): number | undefined =>
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

/** How long to wait before looking again whether another process has removed a lock, in milliseconds. */
const RETRY_MS = 5

/**
 * Removes a lock whose holder is dead. Of all who find it one does, under a lock of its own: another
 * would take the next holder's for it.
 */
const removeDeadLock = (me: string, lock: string): void => {
  const guard = `${lock}.left`
  if (!tryToLink(me, guard)) {
    if (pidIfAlive(readLock(guard)) === undefined) removeDeadLock(me, guard)
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    return
  }
  try {
    if (pidIfAlive(readLock(lock)) === undefined) ifThere(() => unlinkSync(lock))
  } finally {
    unlinkSync(guard)
  }
}

/**
 * Takes a data directory for this process; the answer gives it back. The lock is a symbolic link
 * whose target is the holder's identity, so that it is made and filled in one step.
 *
 * @throws DatabaseServerError naming the living process that holds it
 */
export const lockDirectory = (directory: string): (() => void) => {
  const lock = lockFile(directory)
  const me = findIdentity(process.pid) ?? `${process.pid}`
  while (!tryToLink(me, lock)) {
    const holder = findHolder(directory)
    if (holder !== undefined) {
      throw new DatabaseServerError(
        `The database in ${directory} is in use by process ${holder}: stop that one first.`,
      )
    }
    removeDeadLock(me, lock)
  }
  return () => {
    if (readLock(lock) === me) unlinkSync(lock)
  }
}
