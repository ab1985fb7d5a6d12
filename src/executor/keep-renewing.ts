import { BackgroundLoop } from '../concurrency/background-loop.ts'

/** Renews a lease every so many milliseconds, until `stop` is called. */
export function keepRenewing(everyMs: number, renew: () => Promise<unknown>): BackgroundLoop {
  return new BackgroundLoop(async () => {
    // If it fails, the lease ends, and another worker continues.
    await renew().catch(() => {})
    return everyMs
  }, everyMs)
}
