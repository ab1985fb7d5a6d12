import { excerptOf } from './excerpt.ts'
import type { BrokenReason } from './nodes.ts'
import type { InsertMark } from './read-insert.ts'

export type InsertFault = { readonly reason: BrokenReason; readonly message: string }

/** Why an insert prints nothing; undefined for one that can be printed. */
export function findInsertFault(mark: InsertMark, isPaired: boolean): InsertFault | undefined {
  const name = `svc/${excerptOf(mark.name)}`
  if (mark.kind === null) {
    return { reason: 'unknown_kind', message: `${name} is no insert; it prints nothing.` }
  }
  if (mark.form === 'closing') {
    return { reason: 'unpaired', message: `There is no open ${name} to be closed here.` }
  }
  if (mark.params === null) {
    return {
      reason: 'unreadable',
      message: `The JSON of this ${name} cannot be read: one object is expected. It prints nothing.`,
    }
  }
  // With `frame` it is a self-closing repeat that lacks its slash.
  const needsBody = mark.kind === 'repeat' && mark.form === 'opening'
  if (needsBody && !isPaired && mark.params.frame === undefined) {
    return {
      reason: 'unpaired',
      message: `This ${name} is never closed: write <!-- /svc/repeat --> after its body, which is now printed once.`,
    }
  }
  return undefined
}
