import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The server's own note of its process id, inside the data directory. */
export const PID_FILE = 'server.pid'

const GRACE_MS = 10_000

const readIfThere = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** A process id alone proves nothing: it may be another program's by now. */
const servesDirectory = (pid: number, directory: string): boolean =>
  readIfThere(`/proc/${pid}/cmdline`).split('\0').includes(`--datadir=${directory}`)

/**
 * Stops the server that still runs on a data directory whose owner is gone: one that is just being
 * stopped by its guard, or one whose guard was killed, too.
 */
export const stopLeftoverServer = async (directory: string): Promise<void> => {
  const pid = Number.parseInt(readIfThere(join(directory, PID_FILE)), 10)
  const began = Date.now()
  for (let signal: NodeJS.Signals | 0 = 'SIGTERM'; servesDirectory(pid, directory); ) {
    process.kill(pid, signal)
    signal = Date.now() - began > GRACE_MS ? 'SIGKILL' : 0
    await sleep(50)
  }
}
