import { mkdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isFileNotFound } from './file-not-found.ts'

/** How long work under a lock takes at most, in milliseconds: an older lock was left behind, by a machine that nobody here sees into. */
const MAX_LOCK_MS = 30_000
/** How long to wait before looking again, in milliseconds. */
const RETRY_MS = 5

/** Runs `work` while this lock is nobody else's, in whatever process that shares the folder. */
export async function withLockFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  await acquireLock(path)
  const taken = performance.now()
  try {
    return await work()
  } finally {
    // After longer it may be another's by now.
    if (performance.now() - taken < MAX_LOCK_MS) await rm(path, { force: true })
  }
}

/** The name of a page's lock. */
export function pageLockName(page: number): string {
  return `.lock-${page}`
}

/** Is it the name of a lock? */
export function isLockName(name: string): boolean {
  return /^\.lock-\d+(?:\.left)*$/.test(name)
}

async function acquireLock(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  while (!(await tryCreateLock(path))) {
    // Of all who find it left behind one removes it: another would take the next one's for it.
    if (await isStaleLock(path)) await withLockFile(`${path}.left`, () => removeStaleLock(path))
    else await sleep(RETRY_MS)
  }
}

/** False where the file is there already. */
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

/** Was its holder killed? A time far in the future was written by a clock that went wrong. */
async function isStaleLock(path: string): Promise<boolean> {
  try {
    const isOld = Math.abs(Date.now() - (await stat(path)).mtimeMs) > MAX_LOCK_MS
    return isOld || (await isOwnerGone(path))
  } catch (error) {
    if (isFileNotFound(error)) return false
    throw error
  }
}

/** A process, in words that no other writes: ids of processes come again, in a container that is started anew at once. */
type LockOwner = {
  /** Those of one machine see one another: its name, and on Linux the namespace of its ids. */
  readonly machine: string
  readonly pid: number
  /** When it was started, in milliseconds since 1970. */
  readonly started: number
}

let ownProcess: Promise<LockOwner> | undefined

const readOwnProcess = async (): Promise<LockOwner> => ({
  machine: `${hostname()} ${await readlink('/proc/self/ns/pid').catch(() => '')}`,
  pid: process.pid,
  started: performance.timeOrigin,
})

/** What a lock says of the process that holds it: this one. */
export async function lockOwnerToken(): Promise<string> {
  ownProcess ??= readOwnProcess()
  return JSON.stringify(await ownProcess)
}

/** Is the process gone that holds this lock? False where nobody here can know. */
export async function isOwnerGone(lock: string): Promise<boolean> {
  const holder = await readLockOwner(lock)
  ownProcess ??= readOwnProcess()
  const { machine, pid, started } = await ownProcess
  if (holder?.machine !== machine) return false
  return holder.pid === pid ? holder.started !== started : !isRunning(holder.pid)
}

/** Undefined for a lock that is gone, or not signed yet. */
async function readLockOwner(
  lock: string,
): Promise<(Partial<LockOwner> & { pid: number }) | undefined> {
  try {
    const holder = JSON.parse(await readFile(lock, 'utf8'))
    return Number.isSafeInteger(holder?.pid) ? holder : undefined
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
