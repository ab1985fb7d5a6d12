import { readFileSync } from 'node:fs'

/** Whether a process runs. A zombie does not. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    // It has just ended, or the system has no /proc.
    return process.platform !== 'linux'
  }
}
