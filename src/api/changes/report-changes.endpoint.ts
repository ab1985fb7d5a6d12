import { z } from 'zod'
import { MAX_OPTIONS_PER_SITE, MAX_POSTS_PER_SITE } from '../../feed/changed-sites.ts'
import { ALL_ROWS, type ChangedRows } from '../../seen/changed-rows.ts'
import { defineEndpoint } from '../endpoint.ts'
import { effectFields, flag, objectBody, presentEffects, siteId } from '../fields.ts'
import { buildEdits } from './build-edits.ts'

const ChangesBodySchema = objectBody({
  posts: z
    .array(z.int().positive(), { error: 'must be a list of ids of posts' })
    .max(MAX_POSTS_PER_SITE)
    .optional()
    .meta({
      description: 'Ids of pages, menu items or other posts that were written or deleted.',
      examples: [[12, 45]],
    }),
  options: z
    .array(z.string().min(1).max(191), { error: 'must be a list of names of options' })
    .max(MAX_OPTIONS_PER_SITE)
    .optional()
    .meta({ description: 'Names of options.', examples: [['blogname']] }),
  terms: flag(false, 'Whether terms were written: menus, languages, translations, categories.'),
})

/** The body says where to look, not what to build: the comparison finds that. */
export const reportChangesEndpoint = defineEndpoint({
  name: 'reportChanges',
  method: 'post',
  path: '/changed',
  summary: 'Report edits that were made without this service, and wait until the pages show them',
  description:
    "For scripts and hooks that write WordPress's tables. The site is compared with what the service has seen of it last; what differs is built like a write of this API, and the response is sent when the pages show it, or when `EFFECTS_BUDGET_MS` has passed. Without a body the whole site is compared. A body names where to look, which is faster on a large site; edits elsewhere are found by the poll or the feed as usual. Commit the edits before the request.",
  body: ChangesBodySchema,
  example: { posts: [12] },
  response: z.object({
    site_id: siteId,
    edited: z
      .boolean()
      .describe('Whether there were edits that had not been found before and that pages may show.'),
    ...effectFields,
  }),
  repeatable: true,
  mcpRunsDirectly: 'builds',
  errors: ['internal_unavailable'],
  async act({ db, executor, site, body, effectsBudgetMs }) {
    const { edited, effects } = await buildEdits(
      { db, globals: site.globals, executor, effectsBudgetMs },
      site.blogId,
      rowsOf(body),
    )
    return { site_id: site.blogId, edited, ...presentEffects(site, effects) }
  },
})

function rowsOf({ posts, options, terms }: z.output<typeof ChangesBodySchema>): ChangedRows {
  if (posts === undefined && options === undefined && !terms) return ALL_ROWS
  return { posts: new Set(posts), options: new Set(options), terms, network: false }
}
