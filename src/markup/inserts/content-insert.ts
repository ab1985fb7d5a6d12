import { parsePath } from '../value-path.ts'
import type { InsertDefinition } from './insert-definition.ts'

/** `svc/content`: the content of the page being rendered. */
export const contentInsert: InsertDefinition = {
  kinds: ['content'],
  embeds: null,
  path: () => parsePath('page.content'),
  missingInput: () => undefined,
  needs: ({ path }) => ({ path }),
  shows: ['pages', 'languages', 'settings'],
  liveReason: () => 'svc/content',
  print(insert, scope, run, out) {
    if (run.page) out.html(String(run.page.content ?? ''))
    else out.defer({ node: insert, scope, pieces: [] })
  },
}
