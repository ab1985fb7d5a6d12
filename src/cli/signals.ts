/** Signals that ask a command to stop: from Ctrl-C, a supervisor, or a closed terminal. */
const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Calls `stop` at the first stop signal. The next one ends the process immediately.
 * @returns a function that removes the handlers
 */
function onStopSignal(stop: () => void, signals = STOP_SIGNALS): () => void {
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
 * Resolves at the first stop signal; a second signal ends the process immediately.
 * @param onHangup called for a SIGHUP that was not sent by a closed terminal, which then does not stop the process: supervisors and log
 * rotation send it to request a reload. Without `onHangup`, every SIGHUP is a stop signal.
 */
export function waitForStopSignal(onHangup?: () => void): Promise<void> {
  const ignored = onHangup && !process.stdin.isTTY ? onHangup : undefined
  if (ignored) process.on('SIGHUP', ignored)
  const signals = STOP_SIGNALS.filter((name) => !ignored || name !== 'SIGHUP')
  return new Promise((resolve) => onStopSignal(resolve, signals))
}

/**
 * Runs work with a signal that Ctrl-C aborts. The work checks the signal between steps, so the current step completes. A second Ctrl-C ends
 * the process immediately; the database then rolls back an open transaction.
 * @param said what is printed at Ctrl-C
 */
export async function withInterruptSignal<T>(
  work: (signal: AbortSignal) => Promise<T>,
  said = 'Stopping after the current step.\n',
): Promise<T> {
  const controller = new AbortController()
  const release = onStopSignal(() => {
    controller.abort()
    process.stderr.write(said)
  })
  try {
    return await work(controller.signal)
  } finally {
    release()
  }
}
