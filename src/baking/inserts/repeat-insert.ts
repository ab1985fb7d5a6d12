import type { Json } from '../../markup/nodes.ts'
import { MAX_ROWS } from '../budget.ts'
import { entriesOf, findValue } from '../find-value.ts'
import { currentFrame, type PieceWriter, type Scope } from '../pieces.ts'
import { type Insert, sourceName, type Value } from '../program.ts'
import type { Run } from '../run.ts'
import { embedFrame } from './frame-insert.ts'

/** `svc/repeat`: prints its body, or the frame it names, once for each row of its source. */
export function printRepeat(insert: Insert, scope: Scope, run: Run, out: PieceWriter): void {
  const { params, body, path, ref, at } = insert
  const found = path && findValue(path, scope, run)
  if (found?.state === 'deferred') {
    out.defer({ node: insert, scope, pieces: [] })
    return
  }
  const frame = currentFrame(scope)
  if (found?.state !== 'known') {
    run.noteUnresolved({ frame, bind: sourceName(params), reason: 'unknown_name', ...at })
    return
  }
  const rows = rowsOf(found.value, run)
  const limit = limitOf(params.limit)
  if (rows.length > MAX_ROWS && limit === MAX_ROWS) {
    run.warn(
      `${frame}: "${sourceName(params)}" has more than ${MAX_ROWS} rows; only the first ${MAX_ROWS} are printed.`,
    )
  }
  for (const item of rows.slice(0, limit)) {
    if (!run.budget.takeStep()) return
    if (body) run.evaluate(body, { ...scope, item }, out)
    else embedFrame(ref, { ...scope, props: {}, item }, run, out)
  }
}

/** The rows of a value; a scalar has none. */
function rowsOf(value: Value | readonly Value[], run: Run): readonly Value[] {
  return typeof value === 'object' && value !== null ? entriesOf(value, run) : []
}

function limitOf(limit: Json | undefined): number {
  const isNumber = typeof limit === 'number' || (typeof limit === 'string' && limit.trim() !== '')
  const rows = isNumber ? Number(limit) : Number.NaN
  return Number.isInteger(rows) && rows >= 0 ? Math.min(rows, MAX_ROWS) : MAX_ROWS
}
