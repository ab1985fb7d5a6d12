import { parsePath } from '../../markup/path.ts'
import { readReference } from '../../markup/references.ts'
import { MAX_ROWS } from '../budget.ts'
import { findValue } from '../find-value.ts'
import type { PieceWriter } from '../piece-writer.ts'
import type { Surroundings } from '../pieces.ts'
import type { Insert, Value } from '../program.ts'
import type { Run } from '../run.ts'
import { embedFrame } from './frame.ts'

/** `svc/repeat`: its body, or the frame it names, once for each row of its source. */
export function printRepeat(insert: Insert, here: Surroundings, run: Run, out: PieceWriter): void {
  const { params, body, at } = insert
  const source = String(params.source ?? '')
  const path = parsePath(source)
  const found = path && findValue(path, here, run)
  if (found?.state === 'live') {
    out.live({ live: 'insert', insert, surroundings: here })
    return
  }
  if (found?.state !== 'known') {
    run.noteUnresolved({ frame: here.frame, bind: source, reason: 'unknown_name', ...at })
    return
  }
  const rows = rowsOf(found.value)
  const limit = limitOf(params.limit)
  if (rows.length > MAX_ROWS && limit === MAX_ROWS) {
    run.warn(
      `${here.frame}: "${source}" has ${rows.length} rows; the first ${MAX_ROWS} are printed.`,
    )
  }
  for (const item of rows.slice(0, limit)) {
    if (run.budget.exhausted) return
    if (body) run.evaluate(body, { ...here, item }, out)
    else embedFrame(readReference(params.frame), { ...here, props: {}, item }, run, out)
  }
}

/** A list's entries; an object's values, as PHP arrays with names come; nothing of a single value. */
function rowsOf(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? Object.values(value) : []
}

function limitOf(limit: Value): number {
  const rows = Number(limit)
  return Number.isInteger(rows) && rows >= 0 && limit !== null && limit !== ''
    ? Math.min(rows, MAX_ROWS)
    : MAX_ROWS
}
