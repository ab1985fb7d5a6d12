import type { Work } from '../../content/work/work.ts'
import { sha256Hex } from '../../host/hash.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { Dependent } from '../baking/dependents.ts'

/** Rounds that are kept in all. The oldest is forgotten: its client begins again. */
const MAX_ROUNDS = 1000

type Round = {
  readonly taken: ReadonlySet<string>
  /** The calls that it may still have: frames whose build fails again and again come first in each, and must not make it endless. */
  readonly callsLeft: number
  readonly until: number
}

/**
 * Which frames the calls of a rebake have taken. A call takes some frames, and a client repeats it until none is left; without a memory every call
 * could take the same ones. Each process has its own: a round ends in each.
 */
export class RebakeRounds {
  readonly #keptMs: number
  readonly #rounds = new Map<string, Round>()

  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  /** The dependents that no call of the present round has taken; all of them at the begin of a round. */
  restOf(
    site: Site,
    work: readonly Work[],
    dependents: readonly Dependent[],
  ): readonly Dependent[] {
    const key = keyOf(site, work)
    const round = this.#rounds.get(key)
    const rest =
      round && performance.now() < round.until
        ? dependents.filter(({ frame }) => !round.taken.has(frame.id))
        : []
    if (rest.length > 0) return rest
    this.#rounds.delete(key)
    return dependents
  }

  /**
   * Stores what a call takes.
   * @param rest what `restOf` has returned
   * @param ids of the frames that the call takes
   * @returns the ids of those that it leaves to the next calls; the round ends when there are none
   */
  take(
    site: Site,
    work: readonly Work[],
    rest: readonly Dependent[],
    ids: readonly string[],
  ): readonly string[] {
    const key = keyOf(site, work)
    const round = this.#rounds.get(key)
    const taken = new Set([...(round?.taken ?? []), ...ids])
    this.#rounds.delete(key)
    const left = rest.map(({ frame }) => frame.id).filter((id) => !taken.has(id))
    const callsLeft = (round?.callsLeft ?? 2 * Math.ceil(rest.length / ids.length)) - 1
    if (left.length === 0 || callsLeft === 0) return []
    this.#rounds.set(key, { taken, callsLeft, until: performance.now() + this.#keptMs })
    for (const oldest of this.#rounds.keys()) {
      if (this.#rounds.size <= MAX_ROUNDS) break
      this.#rounds.delete(oldest)
    }
    return left
  }
}

const keyOf = ({ blogId }: Site, work: readonly Work[]): string =>
  `${blogId} ${sha256Hex(JSON.stringify(work))}`
