import { randomInt } from 'node:crypto'
import type { Disruption } from '../../../test/torture/disruptions/disruption.ts'
import type { StoreRelay } from '../test/store-relay.ts'

/** Until the store gets a request whose connection has ended, in milliseconds. */
const LATE_MS = 3000
/** Longer than the service waits for an answer of a store, in milliseconds. */
const SILENT_MS = 12_000
const LASTS_MS = 5000
const SLOW_MS = 800
/** Of requests whose connection ends in the middle. */
const CUT_SHARE = 0.3
const LATE_SHARE = 0.2

const busy = { status: 503, code: 'SlowDown', headers: { 'Retry-After': '1' } }

const KINDS: readonly (Pick<Disruption, 'name' | 'lasts' | 'takesLong'> & {
  readonly how: StoreRelay['interfere']
})[] = [
  { name: 'the store is away', how: () => ({ cut: 'request' }) },
  { name: 'the store answers 503', how: () => busy },
  {
    name: 'the store answers most requests with 503',
    how: () => (chance(0.7) ? busy : undefined),
  },
  { name: 'the store is slow', how: () => ({ delayMs: randomInt(SLOW_MS) }) },
  {
    name: 'requests and answers end in the middle',
    how: () => (chance(CUT_SHARE) ? { cut: chance(0.5) ? 'request' : 'answer' } : undefined),
  },
  {
    name: 'requests arrive late, after their connections have ended',
    how: () => (chance(LATE_SHARE) ? { lateMs: randomInt(LATE_MS) } : undefined),
  },
  {
    name: 'the store does not answer',
    lasts: SILENT_MS + 4000,
    takesLong: true,
    how: () => (chance(LATE_SHARE) ? { delayMs: SILENT_MS } : undefined),
  },
]

/** The ways in which a store of static copies fails. Nothing of them concerns the database, so the API answers. */
export const storeDisruptions: readonly Disruption[] = KINDS.map(({ how, ...disruption }) => ({
  lasts: LASTS_MS,
  ...disruption,
  spares: 'reads',
  inflict: async ({ copies }) => {
    let requests = 0
    copies.interfere((request) => {
      requests += 1
      return how(request)
    })
    return async () => {
      copies.interfere(() => undefined)
      return `${requests} requests`
    }
  },
}))

const chance = (share: number): boolean => randomInt(1_000_000) < share * 1_000_000
