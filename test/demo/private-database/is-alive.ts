import { readFileSync } from 'node:fs'

/** Whether a process runs; one that ended but that nobody has waited for does not. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    // Just gone, or a system that has no /proc.
    return process.platform !== 'linux'
  }
}
