import { z } from 'zod'
import { EventSchema } from '../../events/event.ts'
import { MAX_EVENTS } from '../../events/read-events.ts'
import { TIMINGS } from '../../timings.ts'
import { defineEndpoint, type SiteContext } from '../endpoint.ts'
import { siteId } from '../fields.ts'
import { limitField } from '../paging.ts'
import type { Feed } from './feed.ts'

const query = z.object({
  since: z
    .string()
    .max(40)
    .optional()
    .meta({
      description:
        '`cursor` of an earlier answer, `id` of an event, or `now`. Without it: from behind the last event that was deleted.',
      examples: ['1207-4f1c2d3e'],
    }),
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

/** A part of the feed. */
const eventsPage = {
  events: z.array(EventSchema).max(MAX_EVENTS).describe('Oldest first.'),
  cursor: z.string().meta({
    description: '`since` of the next request.',
    examples: ['1207-4f1c2d3e'],
  }),
  more: z.boolean().describe('Whether there are more events already.'),
}

const description =
  'One event for each transaction, edit of another program, and publication of pages. A reader that goes on from its cursor misses none.'

/** What a request asks for. */
const feedOf = (blogId: number | undefined, { since, wait = 0 }: z.output<typeof query>): Feed => ({
  blogId,
  since,
  waitMs: wait * 1000,
})

async function readPage(
  { blogId, since, waitMs: ms }: Feed,
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

/** The feed of a site. */
export const listChangesEndpoint = defineEndpoint({
  name: 'listChanges',
  method: 'get',
  path: '/changes',
  summary: 'Read what changed on the site since a cursor, oldest first, or wait for it',
  description,
  query,
  response: z.object({ site_id: siteId, ...eventsPage }),
  mcpLeavesOut: ['events.site_id', 'events.token_id'],
  feed: ({ site, query }) => feedOf(site.blogId, query),
  async read({ site, ...call }) {
    return { site_id: site.blogId, ...(await readPage(feedOf(site.blogId, call.query), call)) }
  },
})

/** The feed of all sites and of the tokens. */
export const listNetworkChangesEndpoint = defineEndpoint({
  on: 'network',
  name: 'listNetworkChanges',
  method: 'get',
  path: '/changes',
  scope: 'read',
  summary: 'Read what changed on all sites since a cursor, oldest first, or wait for it',
  description,
  query,
  response: z.object(eventsPage),
  mcpLeavesOut: ['events.token_id'],
  feed: ({ query }) => feedOf(undefined, query),
  read: (call) => readPage(feedOf(undefined, call.query), call),
})
