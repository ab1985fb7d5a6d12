import { MAX_ROWS } from '../evaluation/budget.ts'
import type { Evaluation } from '../evaluation/evaluation.ts'
import { entriesOf, resolvePath } from '../evaluation/find-value.ts'
import { currentFrame, type PieceWriter, type Scope } from '../evaluation/pieces.ts'
import { type Insert, sourceName, type Value } from '../evaluation/program.ts'
import type { Json } from '../nodes.ts'
import { parsePath } from '../value-path.ts'
import { embedFrame } from './frame-insert.ts'
import type { InsertDefinition } from './insert-definition.ts'

/** `svc/repeat`: prints its body, or the frame it names, once for each row of its source. */
export const repeatInsert: InsertDefinition = {
  kinds: ['repeat'],
  parameters: [
    { name: 'source', value: 'path', description: 'The rows.' },
    {
      name: 'frame',
      value: 'frame',
      description: 'The frame that is printed for each row, instead of a body.',
    },
    {
      name: 'limit',
      value: 'number',
      description: `Maximum number of rows, at most ${MAX_ROWS}.`,
    },
  ],
  embeds: { keys: ({ body }) => (body === null ? ['frame'] : []), passesProps: false },
  path: ({ source }) => parsePath(source),
  missingInput({ body }, { path, hasReference }) {
    if (!path)
      return 'The "source" of this svc/repeat is not a valid value path; it prints nothing.'
    return body || hasReference
      ? undefined
      : 'This svc/repeat has neither a body nor a "frame"; it prints nothing.'
  },
  needs: ({ path }) => ({ path }),
  shows: [],
  liveReason: () => undefined,
  print: printRepeat,
}

function printRepeat(insert: Insert, scope: Scope, evaluation: Evaluation, out: PieceWriter): void {
  const { params, body, path, ref, at } = insert
  const found = path && resolvePath(path, scope, evaluation)
  if (found?.state === 'deferred') {
    out.defer({ node: insert, scope, pieces: [] })
    return
  }
  const frame = currentFrame(scope)
  if (found?.state !== 'known') {
    evaluation.noteUnresolved({ frame, bind: sourceName(params), reason: 'unknown_name', ...at })
    return
  }
  const rows = rowsOf(found.value, evaluation)
  const limit = limitOf(params.limit)
  if (rows.length > MAX_ROWS && limit === MAX_ROWS) {
    evaluation.warn(
      `${frame}: "${sourceName(params)}" has more than ${MAX_ROWS} rows; only the first ${MAX_ROWS} are printed.`,
    )
  }
  for (const item of rows.slice(0, limit)) {
    if (!evaluation.budget.takeStep()) return
    if (body) evaluation.evaluate(body, { ...scope, item }, out)
    else embedFrame(ref, { ...scope, props: {}, item }, evaluation, out)
  }
}

/** The rows of a value; a scalar has none. */
function rowsOf(value: Value | readonly Value[], evaluation: Evaluation): readonly Value[] {
  return typeof value === 'object' && value !== null ? entriesOf(value, evaluation) : []
}

function limitOf(limit: Json | undefined): number {
  const isNumber = typeof limit === 'number' || (typeof limit === 'string' && limit.trim() !== '')
  const rows = isNumber ? Number(limit) : Number.NaN
  return Number.isInteger(rows) && rows >= 0 ? Math.min(rows, MAX_ROWS) : MAX_ROWS
}
