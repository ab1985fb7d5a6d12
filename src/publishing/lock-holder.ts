import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { isFileNotFound } from './file-not-found.ts'

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
