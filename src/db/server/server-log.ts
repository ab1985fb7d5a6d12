import { openSync, readFileSync } from 'node:fs'

/** The log beside a data directory: what the last start (server, installer, engine) printed. */
export const serverLogFile = (directory: string): string => `${directory}.log`

/** Opens the log anew, so that it tells of one start only. The caller closes the descriptor. */
export const openServerLog = (directory: string): number =>
  openSync(serverLogFile(directory), 'w', 0o600)

const NO_SPACE = /failed with error 28\b|errcode: 28\b|no space left/i

/**
 * The line of the log that names the cause. A server reports the cause first and its consequences
 * after it; programs without levels say the worst last.
 */
export const readCause = (directory: string): string => {
  const text = readFileSync(serverLogFile(directory), 'utf8')
  if (NO_SPACE.test(text)) return 'there is no space left on the disk'
  const lines = text.split('\n').filter(Boolean)
  const cause = lines.find((line) => /\[ERROR\]|^FATAL ERROR|^E: /.test(line)) ?? lines.at(-1)
  return cause?.replace(/^.*\[ERROR\] /, '').trim() ?? 'it said nothing'
}

/** Whether the last start failed because another program took the port in the meantime. */
export const lostItsPort = (directory: string): boolean =>
  /address already in use|port is already allocated|bind on tcp\/ip port/i.test(
    readFileSync(serverLogFile(directory), 'utf8'),
  )
