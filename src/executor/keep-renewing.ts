import { setTimeout as sleep } from 'node:timers/promises'

/** Renews a lease every so many milliseconds, until `stop` is called. */
export function keepRenewing(
  everyMs: number,
  renew: () => Promise<unknown>,
): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const keep = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await sleep(everyMs, undefined, { signal: stopped.signal, ref: false }).catch(() => {})
      // If it fails, the lease ends, and another worker continues.
      if (!stopped.signal.aborted) await renew().catch(() => {})
    }
  }
  const running = keep()
  return {
    stop: async () => {
      stopped.abort()
      await running
    },
  }
}
