/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
export function untilStopped(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
    const stop = (signal: NodeJS.Signals): void => {
      for (const name of signals) process.off(name, stop)
      resolve(signal)
    }
    for (const name of signals) process.on(name, stop)
  })
}
