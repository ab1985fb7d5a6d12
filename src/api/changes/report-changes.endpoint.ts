import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

import { recordEdits } from '../../edits/record-edits.ts'
import { skippedEffects } from '../../executor/executor.ts'
import { MAX_OPTIONS_PER_SITE, MAX_POSTS_PER_SITE } from '../../feed/changed-sites.ts'
import { ALL_ROWS, type ChangedRows } from '../../seen/changed-rows.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { countWork, isWorking } from '../../work/claims.ts'
import { defineEndpoint, type EndpointServices } from '../endpoint.ts'
import { effectFields, flag, objectBody, presentEffects, siteId } from '../fields.ts'

/** Pause between two looks at work that is still done, in milliseconds. */
const POLL_MS = 25

const ChangesBodySchema = objectBody(
  {
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
  },
  [],
  'reject',
)

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
  async handle({ db, executor, site, body, effectsBudgetMs }) {
    const startedAt = performance.now()
    const edits = await recordEdits({ db, globals: site.globals }, site.blogId, rowsOf(body))
    const effects = edits
      ? await executor.apply(site, edits.change)
      : skippedEffects({ bake: false })
    // Other work of the site may contain edits that were found just before.
    await waitForOthers(db, site, effectsBudgetMs - (performance.now() - startedAt))
    const pending = (await isWorking(db, site)) ? await countWork(db, site) : undefined
    return {
      site_id: site.blogId,
      edited: edits !== undefined,
      ...presentEffects(site, { ...effects, ...(pending ? { pending } : {}) }),
    }
  },
})

function rowsOf({ posts, options, terms }: z.output<typeof ChangesBodySchema>): ChangedRows {
  if (posts === undefined && options === undefined && !terms) return ALL_ROWS
  return { posts: new Set(posts), options: new Set(options), terms, network: false }
}

async function waitForOthers(
  db: EndpointServices['db'],
  site: Site,
  budgetMs: number,
): Promise<void> {
  const end = performance.now() + budgetMs
  while (performance.now() < end && (await isWorking(db, site))) await sleep(POLL_MS)
}
