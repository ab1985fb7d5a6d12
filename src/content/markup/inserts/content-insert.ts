import { parsePath } from '../value-path.ts'
import type { InsertDefinition } from './insert-definition.ts'

/** `svc/content`: the content of the page being rendered. */
export const contentInsert: InsertDefinition = {
  kinds: ['content'],
  parameters: [],
  embeds: null,
  path: () => parsePath('page.content'),
  missingInput: () => undefined,
  needs: ({ path }) => ({ path }),
  shows: ['pages', 'languages', 'settings'],
  liveReason: () => 'svc/content',
  print(insert, scope, evaluation, out) {
    if (evaluation.page) out.html(String(evaluation.page.content ?? ''))
    else out.defer({ node: insert, scope, pieces: [] })
  },
}
