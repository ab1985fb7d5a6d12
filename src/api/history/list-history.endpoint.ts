import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { HISTORY_ACTIONS, HISTORY_KINDS } from '../../history/history-row.ts'
import { listEntries } from '../../history/read-history.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { defineEndpoint } from '../endpoint.ts'
import { siteId } from '../fields.ts'
import { NamesSchema, readNamesForCaller } from '../names.ts'
import { EntrySchema, idsOf, presentEntry, timeField } from './entry-schema.ts'

/** Entries on a page, at most and by default. */
export const MAX_PAGE_ENTRIES = 500
const PAGE_ENTRIES = 50

const number = (description: string) =>
  z.coerce.number().int().positive().optional().meta({ description })

/** The filters of the history, of a site or of the network. */
export const historyQuery = {
  kind: z.enum(HISTORY_KINDS).optional().describe('Only entries of this kind.'),
  ref: z
    .string()
    .optional()
    .describe('Only entries of the thing with this id, or with this name at the time.'),
  action: z.enum(HISTORY_ACTIONS).optional().describe('Only entries with this action.'),
  user: number('Only what this user wrote.'),
  token: number('Only what was written with the token with this id.'),
  request: z.string().max(36).optional().describe('Only what the request with this id wrote.'),
  since: timeField('Only entries from this time on.'),
  until: timeField('Only entries up to this time.'),
  cursor: number('`next_cursor` of the page before.'),
  limit: number(`Entries on a page, at most ${MAX_PAGE_ENTRIES}; by default ${PAGE_ENTRIES}.`),
}

/** A page of entries. */
export const historyPage = {
  entries: z.array(EntrySchema).describe('Newest first.'),
  next_cursor: z.int().nullable().describe('`cursor` of the next page; null on the last one.'),
}

/** A page of the entries of a site, or of the network. */
export async function readHistoryPage(
  db: Db,
  globals: GlobalTables,
  blogId: number | undefined,
  query: z.output<z.ZodObject<typeof historyQuery>>,
) {
  const { user, token, request, cursor, limit: wanted = PAGE_ENTRIES, ...others } = query
  const limit = Math.min(wanted, MAX_PAGE_ENTRIES)
  const filter = { ...others, userId: user, tokenId: token, requestId: request, after: cursor }
  const found = await listEntries(db, globals, blogId, { ...filter, limit: limit + 1 })
  const page = found.slice(0, limit)
  const next = found.length > limit ? (page.at(-1)?.id ?? null) : null
  return { entries: page.map(presentEntry), next_cursor: next }
}

/** The history of a site. */
export const listHistoryEndpoint = defineEndpoint({
  name: 'listHistory',
  method: 'get',
  path: '/history',
  summary: 'List what was written to the site, by whom, newest first',
  query: z.object(historyQuery),
  response: z.object({ site_id: siteId, ...historyPage, names: NamesSchema }),
  mcpLeavesOut: ['entries.site_id', 'entries.exists', 'entries.token_id'],
  async read(call) {
    const { db, site, query } = call
    const page = await readHistoryPage(db, site.globals, site.blogId, query)
    const names = await readNamesForCaller(call, idsOf(page.entries))
    return { site_id: site.blogId, ...page, names }
  },
})
