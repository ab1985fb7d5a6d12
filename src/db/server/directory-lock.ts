import { readFileSync, readlinkSync, renameSync, symlinkSync, unlinkSync } from 'node:fs'
import { DatabaseServerError, findErrorCode } from './database-server-error.ts'

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

const readLock = (directory: string): string | undefined =>
  ifThere(() => readlinkSync(lockFile(directory)))

/** The id of the living process that holds a data directory. */
export const findHolder = (directory: string): number | undefined => pidIfAlive(readLock(directory))

const tryToLink = (identity: string, lock: string): boolean => {
  try {
    symlinkSync(identity, lock)
    return true
  } catch (error) {
    if (findErrorCode(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * Removes a dead process's lock. Another process may be taking over the same one: what was moved
 * aside must be what was judged dead, or it goes back.
 */
const removeDeadLock = (lock: string, judged: string): void => {
  const aside = `${lock}.${process.pid}`
  const taken = ifThere(() => {
    renameSync(lock, aside)
    return readlinkSync(aside)
  })
  if (!taken) return
  unlinkSync(aside)
  if (taken !== judged) tryToLink(taken, lock)
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
    const identity = readLock(directory)
    const holder = pidIfAlive(identity)
    if (holder !== undefined) {
      throw new DatabaseServerError(
        `The database in ${directory} is in use by process ${holder}: stop that one first.`,
      )
    }
    if (identity) removeDeadLock(lock, identity)
  }
  return () => {
    if (readLock(directory) === me) unlinkSync(lock)
  }
}
