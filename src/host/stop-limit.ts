import { writeSync } from 'node:fs'

/**
 * Ends the process after a limit, whatever hangs, for example a file system of the network. It says what the process waited for.
 * @param waitsFor names what is being stopped
 */
export function limitStop(limitMs: number, waitsFor: () => string): void {
  const end = (): void => {
    const active = [...new Set(process.getActiveResourcesInfo())].join(', ')
    writeSync(
      process.stderr.fd,
      `The process did not stop within ${limitMs / 1000} seconds and is killed. It waited for: ${waitsFor()} (${active}).\n`,
    )
    // `process.exit` would wait for threads that hang in a call of the system.
    process.kill(process.pid, 'SIGKILL')
  }
  setTimeout(end, limitMs).unref()
}

/** Whether a call of the file system is in progress, for whose thread `process.exit` would wait. */
export function hasPendingFileCall(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))
}
