import type { Evaluation } from '../evaluation/evaluation.ts'
import { resolvePath, textOf } from '../evaluation/find-value.ts'
import { currentFrame, type PieceWriter, type Scope } from '../evaluation/pieces.ts'
import { type Insert, sourceName } from '../evaluation/program.ts'
import { parsePath } from '../value-path.ts'
import type { InsertDefinition } from './insert-definition.ts'

/** `svc/data`: one escaped value. */
export const dataInsert: InsertDefinition = {
  kinds: ['data'],
  parameters: [{ name: 'source', value: 'path', description: 'The value that is printed.' }],
  embeds: null,
  path: ({ source }) => parsePath(source),
  missingInput: (_, { path }) =>
    path
      ? undefined
      : 'The "source" of this svc/data is not a valid value path; it prints nothing.',
  needs: ({ path }) => ({ path }),
  shows: [],
  liveReason: () => undefined,
  print: printData,
}

function printData(insert: Insert, scope: Scope, evaluation: Evaluation, out: PieceWriter): void {
  const found = insert.path && resolvePath(insert.path, scope, evaluation)
  if (found?.state === 'deferred') {
    out.defer({ node: insert, scope, pieces: [] })
    return
  }
  const text = found?.state === 'known' ? textOf(found.value) : undefined
  if (text !== undefined) {
    out.text(text)
    return
  }
  evaluation.noteUnresolved({
    frame: currentFrame(scope),
    bind: sourceName(insert.params),
    reason: found?.state === 'known' ? 'no_value' : 'unknown_name',
    ...insert.at,
  })
}
