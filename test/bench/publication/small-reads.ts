import { setTimeout as sleep } from 'node:timers/promises'
import { type Ask, type Contender, send } from '../contender.ts'
import { percentile } from '../load/run-load.ts'

/** Times of small reads, in milliseconds. */
export type ReadTimes = { readonly count: number; readonly p50: number; readonly p99: number }

const PER_SECOND = 20
/** A token check alone, and a menu. */
const READS: readonly { readonly ask: Ask; readonly status: number }[] = [
  { ask: { path: '/nothing' }, status: 404 },
  { ask: { path: '/data/menu.header' }, status: 200 },
]

/**
 * Sends small reads at a fixed rate while `work` runs. A read that is due while others wait is sent all the same, so that slow answers do not
 * lower the load.
 */
export async function readMeanwhile<T>(
  contender: Contender,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly reads: ReadTimes }> {
  const times: number[] = []
  const sent: Promise<void>[] = []
  let isDone = false
  const sendAll = async (): Promise<void> => {
    const begin = performance.now()
    for (let index = 0; !isDone; index += 1) {
      const read = READS[index % READS.length]
      if (read) sent.push(timeOne(contender, read, times))
      await sleep(begin + ((index + 1) * 1000) / PER_SECOND - performance.now())
    }
  }
  const sending = sendAll()
  const result = await work().finally(() => {
    isDone = true
  })
  await sending
  await Promise.all(sent)
  times.sort((a, b) => a - b)
  const reads = { count: times.length, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
  return { result, reads }
}

async function timeOne(
  contender: Contender,
  read: (typeof READS)[number],
  times: number[],
): Promise<void> {
  const { status, ms } = await send(contender, read.ask)
  if (status !== read.status) throw new Error(`a small read was answered ${status}`)
  times.push(ms)
}
