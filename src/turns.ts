import { setImmediate as nextTurn } from 'node:timers/promises'

/** For how long, in milliseconds, one piece of work may keep all others waiting. */
const TURN_MS = 3

/** Gives these to `work` one by one and lets others have their turn in between: ten thousand of anything take long. */
export async function inTurns<T>(
  things: Iterable<T>,
  work: (thing: T, index: number) => void,
): Promise<void> {
  let index = 0
  let begun = performance.now()
  for (const thing of things) {
    work(thing, index)
    index += 1
    if (performance.now() - begun < TURN_MS) continue
    await nextTurn()
    begun = performance.now()
  }
}
