const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Calls `stop` at the first signal that asks the process to end. The next one ends it at once.
 * @returns what gives the signals back
 */
export function onStopSignal(stop: () => void): () => void {
  const release = (): void => {
    for (const name of SIGNALS) process.off(name, once)
  }
  const once = (): void => {
    release()
    stop()
  }
  for (const name of SIGNALS) process.on(name, once)
  return release
}
