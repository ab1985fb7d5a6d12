import type { Work } from './work.ts'

/** What a write returns: its work, and what its response reports. The executor reports its `Effects`. */
export type Change = {
  /** `false`: the client wants nothing built now, so only `unbound` is recorded. */
  readonly bake: boolean
  /** What is to be built. */
  readonly work: readonly Work[]
  /** The work on pages that lost their frame. Their static copies are removed even if nothing is built. */
  readonly unbound?: readonly Work[]
  /** Id of the frame that was written. The response reports its bake, even if nothing uses it, so that `work` is empty. */
  readonly frame?: string
  /** That frame's markup and its SHA-256, so that the executor need not read it again. */
  readonly markup?: { readonly html: string; readonly sha256: string }
  /** Of a rebake: what the client declared as changed. `work` has some of the affected frames; the response names the others, too. */
  readonly declared?: readonly Work[]
}

/** The work that a change records. */
export const workOf = ({ bake, work, unbound = [] }: Change): readonly Work[] =>
  bake ? [...work, ...unbound] : unbound

/** One change for several writes of a site, which has the work of all of them. Only for changes of writes: a rebake is not merged. */
export function mergeChanges(changes: readonly Change[]): Change {
  const built = changes.filter((change) => change.bake && workOf(change).length > 0)
  return {
    bake: built.length > 0,
    work: built.flatMap(({ work }) => work),
    unbound: changes.flatMap(({ unbound = [] }) => unbound),
  }
}
