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
