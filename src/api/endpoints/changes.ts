import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { skippedEffects } from '../../build/executor/executor.ts'
import { ALL_ROWS, type ChangedRows } from '../../changes/changed-rows.ts'
import { EventSchema } from '../../changes/events/event.ts'
import { MAX_EVENTS } from '../../changes/events/read-events.ts'
import { MAX_OPTIONS_PER_SITE, MAX_POSTS_PER_SITE } from '../../changes/feed/changed-sites.ts'
import { recordEdits } from '../../changes/record-edits.ts'
import { countWork, isWorking } from '../../content/work/due-work.ts'
import type { Effects } from '../../host/effects.ts'
import { TIMINGS } from '../../host/timings.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { field, optional } from '../described.ts'
import {
  defineEndpoint,
  type Endpoint,
  type EndpointServices,
  type EventPosition,
  type SiteContext,
} from '../endpoint.ts'
import { effectFields, flag, objectBody, presentEffects } from '../fields.ts'
import { limitField } from '../paging.ts'

const query = z.object({
  since: optional(
    z.string().max(40),
    '`cursor` of an earlier answer, `id` of an event, or `now`. Without it: from behind the last event that was deleted.',
    '1207-4f1c2d3e',
  ),
  wait: z.coerce
    .number()
    .min(0)
    .max(TIMINGS.events.maxWaitSeconds)
    .optional()
    .meta({
      description: `Seconds to wait for the first event if there is none, at most ${TIMINGS.events.maxWaitSeconds}; by default 0.`,
      // An agent that waits does nothing else.
      'x-rare': true,
    }),
  limit: limitField('Events', { max: MAX_EVENTS, byDefault: MAX_EVENTS }).meta({ 'x-rare': true }),
})

/** A part of the events. */
const eventsPage = {
  events: z.array(EventSchema).max(MAX_EVENTS).describe('Oldest first.'),
  cursor: field(z.string(), '`since` of the next request.', '1207-4f1c2d3e'),
  more: z.boolean().describe('Whether there are more events already.'),
}

const description =
  'One event for each transaction, edit of another program, and publication of pages. A reader that goes on from its cursor misses none.'

/** What a request asks for. */
const positionOf = (
  blogId: number | undefined,
  { since, wait = 0 }: z.output<typeof query>,
): EventPosition => ({
  blogId,
  since,
  waitMs: wait * 1000,
})

async function readPage(
  { blogId, since, waitMs: ms }: EventPosition,
  {
    changes,
    signal,
    query: { limit },
  }: Pick<SiteContext, 'changes' | 'signal'> & { readonly query: z.output<typeof query> },
) {
  const found = await changes.readOrWait(blogId, since, { limit, ms, signal })
  const { events, cursor, more } = found
  return { events, cursor, more }
}

const listChangesEndpoint = defineEndpoint({
  name: 'listChanges',
  method: 'get',
  path: '/changes',
  summary: 'Read what changed on the site since a cursor, oldest first, or wait for it',
  description,
  query,
  response: z.object(eventsPage),
  mcpLeavesOut: ['events.site_id', 'events.token_id'],
  events: ({ site, query }) => positionOf(site.blogId, query),
  async read({ site, ...call }) {
    return readPage(positionOf(site.blogId, call.query), call)
  },
})

const listNetworkChangesEndpoint = defineEndpoint({
  on: 'network',
  name: 'listNetworkChanges',
  method: 'get',
  path: '/changes',
  summary: 'Read what changed on all sites since a cursor, oldest first, or wait for it',
  description,
  query,
  response: z.object(eventsPage),
  mcpLeavesOut: ['events.token_id'],
  events: ({ query }) => positionOf(undefined, query),
  read: (call) => readPage(positionOf(undefined, call.query), call),
})

/** The edits of a site by other programs, and what was built for them. */
type BuiltEdits = { readonly edited: boolean; readonly effects: Effects }

type BuildServices = Pick<EndpointServices, 'db' | 'executor' | 'effectsBudgetMs'> & {
  readonly globals: GlobalTables
}

/**
 * Compares a site with what was seen of it last, and waits until its pages show what differs, at most for the budget of effects.
 * @param rows where to look
 * @throws AppError `internal_unavailable`
 */
export async function buildEdits(
  { db, globals, executor, effectsBudgetMs }: BuildServices,
  blogId: number,
  rows: ChangedRows,
): Promise<BuiltEdits> {
  const startedAt = performance.now()
  const work = { blogId, globals }
  const edits = await recordEdits({ db, globals }, blogId, rows)
  const effects = edits
    ? await executor.apply(edits.site, edits.change)
    : skippedEffects({ bake: false })
  // Other work of the site may contain edits that were found just before.
  const end = startedAt + effectsBudgetMs
  while (performance.now() < end && (await isWorking(db, work)))
    await sleep(db.timings.api.buildPollMs)
  const pending = (await isWorking(db, work)) ? await countWork(db, work) : undefined
  return { edited: edits !== undefined, effects: { ...effects, ...(pending ? { pending } : {}) } }
}

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
const reportChangesEndpoint = defineEndpoint({
  name: 'reportChanges',
  method: 'post',
  path: '/changed',
  summary: 'Report edits that were made without this service, and wait until the pages show them',
  description:
    "For scripts and hooks that write WordPress's tables. The site is compared with what the service has seen of it last; what differs is built like a write of this API, and the response is sent when the pages show it, or when `EFFECTS_BUDGET_MS` has passed. Without a body the whole site is compared. A body names where to look, which is faster on a large site; edits elsewhere are found by the poll or the feed as usual. Commit the edits before the request.",
  body: ChangesBodySchema,
  example: { posts: [12] },
  response: z.object({
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
    return { edited, ...presentEffects(site, effects) }
  },
})

function rowsOf({ posts, options, terms }: z.output<typeof ChangesBodySchema>): ChangedRows {
  if (posts === undefined && options === undefined && !terms) return ALL_ROWS
  return { posts: new Set(posts), options: new Set(options), terms, network: false }
}

export const endpoints: readonly Endpoint[] = [
  listChangesEndpoint,
  reportChangesEndpoint,
  listNetworkChangesEndpoint,
]
