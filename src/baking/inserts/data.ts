import { parsePath } from '../../markup/path.ts'
import { escapeHtml } from '../escape.ts'
import { findValue, textOf } from '../find-value.ts'
import type { PieceWriter } from '../piece-writer.ts'
import type { Surroundings } from '../pieces.ts'
import type { Insert } from '../program.ts'
import type { Run } from '../run.ts'

/** `svc/data`: one escaped value. */
export function printData(insert: Insert, here: Surroundings, run: Run, out: PieceWriter): void {
  const source = String(insert.params.source ?? '')
  const path = parsePath(source)
  const found = path && findValue(path, here, run)
  if (found?.state === 'live') {
    out.live({ live: 'insert', insert, surroundings: here })
    return
  }
  const text = found?.state === 'known' ? textOf(found.value) : undefined
  if (text !== undefined) {
    out.html(escapeHtml(text))
    return
  }
  run.noteUnresolved({
    frame: here.frame,
    bind: source,
    reason: found?.state === 'known' ? 'no_value' : 'unknown_name',
    ...insert.at,
  })
}
