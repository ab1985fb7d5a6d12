import type { InsertMark } from './read-insert.ts'
import type { Mark } from './read-marks.ts'

/** The closing comment of each `svc/repeat` that has one; the innermost open repeat gets it. */
export function pairRepeats(marks: readonly Mark[]): Map<InsertMark, InsertMark> {
  const pairs = new Map<InsertMark, InsertMark>()
  const open: InsertMark[] = []
  for (const mark of marks) {
    if (mark.type !== 'insert' || mark.kind !== 'repeat') continue
    if (mark.form === 'opening') open.push(mark)
    const opening = mark.form === 'closing' ? open.pop() : undefined
    if (opening !== undefined) pairs.set(opening, mark)
  }
  return pairs
}
