import { findValue, textOf } from '../find-value.ts'
import { currentFrame, type PieceWriter, type Scope } from '../pieces.ts'
import { type Insert, sourceName } from '../program.ts'
import type { Run } from '../run.ts'

/** `svc/data`: one escaped value. */
export function printData(insert: Insert, scope: Scope, run: Run, out: PieceWriter): void {
  const found = insert.path && findValue(insert.path, scope, run)
  if (found?.state === 'deferred') {
    out.defer({ node: insert, scope, pieces: [] })
    return
  }
  const text = found?.state === 'known' ? textOf(found.value) : undefined
  if (text !== undefined) {
    out.text(text)
    return
  }
  run.noteUnresolved({
    frame: currentFrame(scope),
    bind: sourceName(insert.params),
    reason: found?.state === 'known' ? 'no_value' : 'unknown_name',
    ...insert.at,
  })
}
