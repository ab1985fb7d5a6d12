import { z } from 'zod'
import { networkHistory } from '../../history/history-row.ts'
import { readEntries } from '../../history/read-history.ts'
import { entryNotFound } from '../../restore/choose-targets.ts'
import { defineEndpoint } from '../endpoint.ts'
import { idsOf } from '../history/entry-schema.ts'
import {
  EntryParamsSchema,
  entryDetails,
  presentEntryDetails,
} from '../history/get-entry.endpoint.ts'
import { historyPage, historyQuery, readHistoryPage } from '../history/list-history.endpoint.ts'
import { NetworkNamesSchema, readNetworkNames } from '../names.ts'

export const listNetworkHistoryEndpoint = defineEndpoint({
  on: 'network',
  name: 'listNetworkHistory',
  method: 'get',
  path: '/history',
  scope: 'read',
  summary: 'List what was written to all sites, and which tokens were issued and revoked',
  query: z.object(historyQuery),
  response: z.object({ ...historyPage, names: NetworkNamesSchema }),
  mcpLeavesOut: ['entries.exists', 'entries.token_id'],
  async read({ db, globals, query }) {
    const page = await readHistoryPage(db, globals, undefined, query)
    return { ...page, names: await readNetworkNames(db, globals, idsOf(page.entries)) }
  },
})

export const getNetworkEntryEndpoint = defineEndpoint({
  on: 'network',
  name: 'getNetworkHistoryEntry',
  method: 'get',
  path: '/history/:entry',
  scope: 'read',
  summary: 'Read one entry of the history of any site, with its states and their difference',
  params: EntryParamsSchema,
  response: z.object(entryDetails),
  errors: ['entry_not_found'],
  async read({ db, globals, params }) {
    const { entry: id } = params
    const [entry] = await readEntries(db, globals, 'id = :id', { id })
    if (!entry) throw entryNotFound(id)
    const site = { ...networkHistory(globals), blogId: entry.blog_id }
    return presentEntryDetails(db, site, entry)
  },
})
