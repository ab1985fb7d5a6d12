import type { PieceWriter, Scope } from '../pieces.ts'
import type { Insert } from '../program.ts'
import type { Run } from '../run.ts'

/** `svc/content`: the content of the page being rendered. */
export function printContentInsert(insert: Insert, scope: Scope, run: Run, out: PieceWriter): void {
  if (run.page) out.html(String(run.page.content ?? ''))
  else out.defer({ node: insert, scope, pieces: [] })
}
