import { mkdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isFileNotFound } from './file-not-found.ts'

/** Maximum age of a lock, in milliseconds. An older lock is stale: its owner is a process on another machine that cannot be checked. */
const MAX_LOCK_MS = 30_000
/** Pause between two attempts to acquire a lock, in milliseconds. */
const RETRY_MS = 5

/** Runs `work` while this process owns the lock file, which excludes all processes that share the folder. */
export async function withLockFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  await acquireLock(path)
  const acquiredAt = performance.now()
  try {
    return await work()
  } finally {
    // After `MAX_LOCK_MS` another process may have taken the lock over.
    if (performance.now() - acquiredAt < MAX_LOCK_MS) await rm(path, { force: true })
  }
}

/** The file name of a page's lock. */
export function pageLockName(page: number): string {
  return `.lock-${page}`
}

/** True for the file name of a lock. */
export function isLockName(name: string): boolean {
  return /^\.lock-\d+(?:\.left)*$/.test(name)
}

async function acquireLock(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  while (!(await tryCreateLock(path))) {
    // Guard the removal of a stale lock: of two waiting processes, the second would delete the lock of the new owner.
    if (await isStaleLock(path)) await withLockFile(`${path}.left`, () => removeStaleLock(path))
    else await sleep(RETRY_MS)
  }
}

/** @returns false if the file exists already */
async function tryCreateLock(path: string): Promise<boolean> {
  try {
    await writeFile(path, await lockOwnerToken(), { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

async function removeStaleLock(path: string): Promise<void> {
  if (await isStaleLock(path)) await rm(path, { force: true })
}

/** True if the owner was killed or the lock is too old. A time far in the future was written by a wrong clock. */
async function isStaleLock(path: string): Promise<boolean> {
  try {
    const isOld = Math.abs(Date.now() - (await stat(path)).mtimeMs) > MAX_LOCK_MS
    return isOld || (await isOwnerGone(path))
  } catch (error) {
    if (isFileNotFound(error)) return false
    throw error
  }
}

/** Identifies a process uniquely: PIDs are reused, in a restarted container at once. */
type LockOwner = {
  /** The scope of the PID: host name and, on Linux, PID namespace. */
  readonly machine: string
  readonly pid: number
  /** Start time of the process, in milliseconds since 1970. */
  readonly started: number
}

const readOwnProcess = async (): Promise<LockOwner> => ({
  machine: `${hostname()} ${await readlink('/proc/self/ns/pid').catch(() => '')}`,
  pid: process.pid,
  started: performance.timeOrigin,
})

/** The content of a lock file that this process owns. */
async function lockOwnerToken(): Promise<string> {
  return JSON.stringify(await readOwnProcess())
}

/** True if the process that owns the lock has ended. False for a process of another machine, which cannot be checked. */
async function isOwnerGone(lock: string): Promise<boolean> {
  const owner = await readLockOwner(lock)
  const { machine, pid, started } = await readOwnProcess()
  if (owner?.machine !== machine) return false
  return owner.pid === pid ? owner.started !== started : !isRunning(owner.pid)
}

/** Undefined if the lock was removed, or its content is not written yet. */
async function readLockOwner(
  lock: string,
): Promise<(Partial<LockOwner> & { pid: number }) | undefined> {
  try {
    const owner = JSON.parse(await readFile(lock, 'utf8'))
    return Number.isSafeInteger(owner?.pid) ? owner : undefined
  } catch (error) {
    if (error instanceof SyntaxError || isFileNotFound(error)) return undefined
    throw error
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
