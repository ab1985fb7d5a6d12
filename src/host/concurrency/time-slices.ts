import { setImmediate as nextMacrotask } from 'node:timers/promises'

/** What pieces of work may take together of one iteration of the event loop, in milliseconds. The last one may take longer. */
const SLICE_MS = 5

/** Time of the pieces in this iteration. */
let spentMs = 0
/** Resolves in the next iteration, when `spentMs` is reset. */
let nextIteration: Promise<void> | undefined

/** Ends a piece of work that took so long. @returns what to wait for before the next one, see `whileBusy` */
export function endPiece(ms: number): Promise<void> {
  spentMs += ms
  nextIteration ??= nextMacrotask().then(() => {
    spentMs = 0
    nextIteration = undefined
  })
  return nextIteration
}

/**
 * What to wait for before a piece of work runs; undefined if it may run now. Ask again after the wait, and run the piece at once, because others
 * wait too.
 */
export function whileBusy(): Promise<void> | undefined {
  return spentMs > SLICE_MS ? nextIteration : undefined
}

/**
 * Runs a piece of work that may take the thread some milliseconds. Pieces of concurrent requests do not add up: after 5 ms the next one waits
 * for the event loop, so that other requests are served in between.
 */
export async function inTimeSlice<T>(work: () => T): Promise<T> {
  for (let wait = whileBusy(); wait; wait = whileBusy()) await wait
  const began = performance.now()
  try {
    return work()
  } finally {
    void endPiece(performance.now() - began)
  }
}
