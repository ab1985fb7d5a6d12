import type { Effects } from '../../host/effects.ts'
import { type Work, workOn } from './work.ts'

/** What a write returns: its work, and what its response reports. The executor reports its `Effects`. */
export type Change = {
  /** `false`: the client wants nothing built now. */
  readonly bake: boolean
  /** What is to be built. */
  readonly work: readonly Work[]
  /** Id of the frame that was written. The response reports its bake, even if nothing uses it, so that `work` is empty. */
  readonly frame?: string
  /** That frame's markup and its SHA-256, so that the executor need not read it again. `isNew`: the frame had other markup, or did not exist. */
  readonly markup?: { readonly html: string; readonly sha256: string; readonly isNew: boolean }
  /**
   * Of a rebake: what the client declared as changed. `work` has some of the affected frames; `left` are the ids of those that the next calls take,
   * which the response names, too.
   */
  readonly declared?: { readonly work: readonly Work[]; readonly left: readonly string[] }
  /** What was built in the transaction of the write (`Executor.within`), if that is all. */
  readonly effects?: Effects
}

/** The work that a change records. */
export const workOf = ({ bake, work }: Change): readonly Work[] =>
  bake ? work : work.filter(({ isUnbound }) => isUnbound)

/** One change for several writes of a site, which has the work of all of them. Only for changes of writes: a rebake is not merged. */
export function mergeChanges(changes: readonly Change[]): Change {
  const all = changes.map(withFrame)
  return {
    bake: all.some(({ bake, work }) => bake && work.length > 0),
    work: all.flatMap(workOf),
  }
}

/** A single write bakes its frame in its request, even if nothing uses it. Of several writes, the bake is work. */
function withFrame(change: Change): Change {
  const { bake, frame, work } = change
  return bake && frame !== undefined && work.length === 0
    ? { ...change, work: workOn('frame', [frame]) }
    : change
}
