/** Signals that ask a command to end: Ctrl-C, supervisors, and a terminal that is closed. */
export const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Calls `stop` at the first signal that asks the process to end. The next one ends it at once.
 * @returns what gives the signals back
 */
export function onStopSignal(stop: () => void, signals = STOP_SIGNALS): () => void {
  const release = (): void => {
    for (const name of signals) process.off(name, once)
  }
  const once = (): void => {
    release()
    stop()
  }
  for (const name of signals) process.on(name, once)
  return release
}

/**
 * Resolves when the process is asked to end; a second signal ends it at once.
 * @param onHangup called for a SIGHUP that no closed terminal sent, which then ends nothing: supervisors and log rotation send it to have
 * settings or files read again. Without it, every SIGHUP asks the process to end.
 */
export function waitForStopSignal(onHangup?: () => void): Promise<void> {
  const ignored = onHangup && !process.stdin.isTTY ? onHangup : undefined
  if (ignored) process.on('SIGHUP', ignored)
  const signals = STOP_SIGNALS.filter((name) => !ignored || name !== 'SIGHUP')
  return new Promise((resolve) => onStopSignal(resolve, signals))
}

/**
 * Runs work that looks at its signal between two steps and stops where it is aborted: on Ctrl-C, the step that is under way is finished. A
 * second Ctrl-C ends the process at once; a transaction that is open then is taken back by the database.
 */
export async function withInterruptSignal<T>(
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const release = onStopSignal(() => {
    controller.abort()
    process.stderr.write('Stopping after the step that is under way.\n')
  })
  try {
    return await work(controller.signal)
  } finally {
    release()
  }
}
