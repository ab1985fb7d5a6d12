import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { presentDiff } from '../../diff/entry-diff.ts'
import { StateDiffs } from '../../diff/state-diffs.ts'
import type { EntryRow, HistorySite } from '../../history/history-row.ts'
import { findEntry, findPreviousEntry } from '../../history/read-history.ts'
import { entryNotFound } from '../../restore/choose-targets.ts'
import { readState } from '../../restore/thing-at.ts'
import { defineEndpoint } from '../endpoint.ts'
import { pathId, siteId } from '../fields.ts'
import { withLinkTitles } from '../link-titles.ts'
import { NamesSchema, readNamesForCaller } from '../names.ts'
import { EntrySchema, idsOf, presentEntry, presentState, StateSchema } from './entry-schema.ts'

export const EntryParamsSchema = z.object({
  entry: pathId('The id of an entry.', '1207'),
})

const ItemChangeSchema = z
  .object({
    change: z.enum(['added', 'removed', 'moved', 'renamed', 'relinked', 'edited']),
    id: z.int().describe('Id of the item after the change; before it for a removed item.'),
    path: z.array(z.string()).describe('Labels from the top level to the item.'),
    from: z.string().optional(),
    to: z.string().optional(),
  })
  .meta({ id: 'MenuItemChange' })

/** The difference of two states. */
export const diffFields = {
  diff: z.string().describe('A unified diff of markup; for other things one line for each change.'),
  items: z.array(ItemChangeSchema).optional().describe('The changes of the items of a menu.'),
  titles: z
    .record(z.string(), z.string())
    .optional()
    .meta({
      description:
        'Titles of what the difference names by type and id: the page whose frame it is, and what items without a label link, which show its title. As stored, HTML. Deleted things and unpublished posts have none.',
      examples: [{ 'page 13': 'Legal' }],
    }),
  shortened: z
    .literal(true)
    .optional()
    .describe('Something of the difference was left out, because it is too large.'),
}

/** What an entry changed. */
export const entryDetails = {
  entry: EntrySchema,
  before: StateSchema.nullable().describe(
    'The state before; null if it did not exist, or if the history no longer has it.',
  ),
  after: StateSchema.nullable().describe('The state after; null if it does not exist.'),
  ...diffFields,
}

export async function presentEntryDetails(db: Db, site: HistorySite, entry: EntryRow) {
  const previous = await findPreviousEntry(db, site, entry)
  const before = previous && (await readState(db, site, previous))
  const after = await readState(db, site, entry)
  const diff = await new StateDiffs(site).diff(entry.kind, before, after)
  return {
    entry: presentEntry(entry),
    before: before ? await presentState(entry.kind, before) : null,
    after: after ? await presentState(entry.kind, after) : null,
    ...presentDiff(diff),
  }
}

/** One entry of the history of a site, with the states before and after. */
export const getEntryEndpoint = defineEndpoint({
  name: 'getHistoryEntry',
  method: 'get',
  path: '/history/:entry',
  summary: 'Read one entry of the history with its states and their difference',
  params: EntryParamsSchema,
  response: z.object({ site_id: siteId, ...entryDetails, names: NamesSchema }),
  errors: ['entry_not_found'],
  async read(call) {
    const { db, site, params } = call
    const entry = await findEntry(db, site, params.entry)
    if (!entry) throw entryNotFound(params.entry)
    const details = await presentEntryDetails(db, site, entry)
    const names = await readNamesForCaller(call, idsOf([details.entry]))
    const [titled] = await withLinkTitles(db, site, [details])
    return { site_id: site.blogId, ...details, ...titled, names }
  },
})
