import { setTimeout as sleep } from 'node:timers/promises'
import { sumOf } from '../../content/work/describe-work.ts'
import { TerminalBar } from '../sites/progress-bar.ts'
import { outcomeOf } from './format-work.ts'
import type { RequestedWork } from './requested-work.ts'

/** A pause takes at least this many times as long as the read before it, so that the wait hardly delays the work. */
const PAUSE_RATIO = 10

/** Why the wait ended: nothing is pending; only failing work is left; the time is over; Ctrl-C. */
export type WaitResult = {
  readonly end: 'done' | 'failing' | 'timeout' | 'stopped'
  readonly work: RequestedWork
}

/**
 * Reads the work until nothing is pending or only failing work is left, with a progress bar on a terminal.
 * @param limits.pollMs pause between two reads, in milliseconds
 * @param limits.timeoutMs undefined to wait without a limit
 */
export async function waitForWork(
  read: () => Promise<RequestedWork>,
  { pollMs, timeoutMs }: { readonly pollMs: number; readonly timeoutMs: number | undefined },
  signal: AbortSignal,
): Promise<WaitResult> {
  const begin = performance.now()
  const bar = new TerminalBar()
  let most = 0
  try {
    for (;;) {
      const readAt = performance.now()
      const work = await read()
      const pause = Math.max(pollMs, PAUSE_RATIO * (performance.now() - readAt))
      const [pending, failing] = [sumOf(work.total.pending), sumOf(work.total.failing)]
      if (pending === 0) return { end: 'done', work }
      if (pending === failing) return { end: 'failing', work }
      if (signal.aborted) return { end: 'stopped', work }
      if (timeoutMs !== undefined && performance.now() - begin >= timeoutMs)
        return { end: 'timeout', work }
      // More work may be added while the command waits.
      most = Math.max(most, pending)
      bar.start(most, most - pending, outcomeOf(work.total))
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
  } finally {
    bar.stop()
  }
}
