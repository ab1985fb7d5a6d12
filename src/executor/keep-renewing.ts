import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { type Claim, LEASE_SECONDS, renewClaim } from '../work/claims.ts'

/** Renews the lease of a claim, three times as often as needed, until `stop` is called. */
export function keepRenewing(db: Database, claim: Claim): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const renew = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await sleep((LEASE_SECONDS * 1000) / 3, undefined, { signal: stopped.signal }).catch(() => {})
      // If it fails, the lease ends, and another worker continues.
      if (!stopped.signal.aborted) await renewClaim(db, claim).catch(() => {})
    }
  }
  const running = renew()
  return {
    stop: async () => {
      stopped.abort()
      await running
    },
  }
}
