import { z } from 'zod'
import { presentDiff, type StateText } from '../../content/diff/entry-diff.ts'
import { StateDiffs } from '../../content/diff/state-diffs.ts'
import { type MenuItemContent, storedItemOf } from '../../content/menus/menu-history.ts'
import { entryNotFound } from '../../content/restore/choose-targets.ts'
import { parseMoment, parseTime } from '../../content/restore/moment.ts'
import { readState } from '../../content/restore/thing-at.ts'
import type { Db } from '../../db/database.ts'
import { mapYielding } from '../../host/concurrency/for-each.ts'
import { inTimeSlice } from '../../host/concurrency/time-slices.ts'
import { readRunTitles } from '../../network/plan/runs-table.ts'
import {
  type EntryRow,
  HISTORY_ACTIONS,
  HISTORY_KINDS,
  type HistoryKind,
  type HistorySite,
  networkHistory,
} from '../../record/history/history-row.ts'
import {
  findEntry,
  findPreviousEntry,
  listEntries,
  readEntries,
} from '../../record/history/read-history.ts'
import { eachText, type StoredItem, storedTexts } from '../../wordpress/nav-menus/menu-item.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { idIn } from '../../wordpress/stored-value.ts'
import { exampled, field, nullable, optional } from '../described.ts'
import {
  defineEndpoint,
  type Endpoint,
  type EndpointCommand,
  type ResponseOf,
} from '../endpoint.ts'
import { pathId } from '../fields.ts'
import { withLinkTitles } from '../link-titles.ts'
import {
  type NamedIds,
  NamesSchema,
  NetworkNamesSchema,
  readNamesForCaller,
  readNetworkNames,
} from '../names.ts'
import { pick } from '../pick.ts'
import { ITEM_TEXT_FIELDS } from './menu-fields.ts'

const TIME_EXAMPLE = '2026-03-01 09:30:00.250'

/** An entry of the history. */
export const EntrySchema = z
  .object({
    id: field(z.int(), 'Increases with time.', 1207),
    site_id: field(z.int(), '0 for a token, and for a webhook of the network.', 2),
    at: field(z.string(), 'GMT.', TIME_EXAMPLE),
    kind: z.enum(HISTORY_KINDS),
    ref: field(
      z.string(),
      'Id of the frame, menu, token or webhook; `theme/location`, with `/language` for the map of Polylang; for an assignment the id of the page.',
      '4f1c2d3e4b5a6978',
    ),
    name: field(z.string(), 'Its slug or name.', 'site-header'),
    action: z.enum(HISTORY_ACTIONS).meta({
      description:
        '`found`: it existed before its first entry. `edited`: another program changed it; noticed before the next write. Both have no author.',
    }),
    exists: z.boolean().describe('Whether it exists after this.'),
    user_id: exampled(z.int().nullable(), 2),
    token_id: exampled(z.int().nullable(), 5),
    label: nullable(z.string(), 'Label of the token; `cli deploy@web1` for a command.', 'deploy'),
    request_id: nullable(z.string(), '`X-Request-Id` of the request.'),
  })
  .meta({ id: 'HistoryEntry' })

export const presentEntry = (entry: EntryRow): ResponseOf<typeof EntrySchema> =>
  pick(EntrySchema, {
    ...entry,
    site_id: entry.blog_id,
    at: entry.created_at,
    exists: entry.state !== null,
  })

/** The ids in entries that have names. */
export const idsOf = (entries: readonly ResponseOf<typeof EntrySchema>[]): NamedIds => ({
  users: entries.map(({ user_id }) => user_id),
  pages: entries.flatMap(({ kind, ref, site_id: siteId }) =>
    kind === 'assignment' ? [{ siteId, id: Number(ref) }] : [],
  ),
})

export const StoredItemSchema = z
  .object({
    id: z.int(),
    parent: z.int().describe('Id of the parent item; 0 at the top level.'),
    order: z.int(),
    status: z.string().meta({ examples: ['publish'] }),
    title: z.string().describe('Empty if the item shows the title of what it links.'),
    type: z.string().meta({ examples: ['post_type'] }),
    object: z.string().meta({ examples: ['page'] }),
    object_id: z.int().describe('Id of the linked page or term.'),
    url: z.string().describe('Only of a custom link.'),
    ...eachText((name) => z.string().describe(ITEM_TEXT_FIELDS[name].description)),
  })
  .meta({ id: 'StoredMenuItem', description: 'An item of a menu as it is stored.' })

/** A state of a thing. */
const StateSchema = z
  .object({
    fields: z
      .record(z.string(), z.unknown())
      .describe('The small fields: names, dates, the menu at a location, the frame of a page.'),
    html: optional(z.string(), 'The markup of a frame.'),
    items: optional(z.array(StoredItemSchema), 'The items of a menu, in order.'),
    content_pruned: optional(
      z.literal(true),
      'The markup or the items are no longer in the history.',
    ),
  })
  .meta({ id: 'HistoryState' })

async function presentState(
  kind: HistoryKind,
  { fields, content }: StateText,
): Promise<ResponseOf<typeof StateSchema>> {
  if (kind !== 'frame' && kind !== 'menu') return { fields: { ...fields } }
  if (content === undefined) return { fields: { ...fields }, content_pruned: true }
  if (kind === 'frame') return { fields: { ...fields }, html: content }
  return { fields: { ...fields }, items: await presentItemsOf(content) }
}

/** The items of a menu, from its content in the history. */
export async function presentItemsOf(
  content: string,
): Promise<ResponseOf<typeof StoredItemSchema>[]> {
  const items = await inTimeSlice((): MenuItemContent[] => JSON.parse(content))
  return mapYielding(items, (item) => presentItem(storedItemOf(item)))
}

export function presentItem(item: StoredItem): ResponseOf<typeof StoredItemSchema> {
  const { row, meta } = item
  const text = (name: string): string => meta.get(`_menu_item_${name}`) ?? ''
  return {
    id: row.ID,
    parent: idIn(text('menu_item_parent')),
    order: row.menu_order,
    status: row.post_status,
    title: row.post_title,
    type: text('type'),
    object: text('object'),
    object_id: idIn(text('object_id')),
    url: text('url'),
    ...storedTexts(item),
    description: row.post_content,
  }
}

/** A text that is read as something else. @param rule for a text that cannot be read */
const parsedText = <Value>(parse: (text: string) => Value | undefined, rule: string) =>
  z
    .string()
    .optional()
    .transform((text, context): Value | undefined => {
      const value = text === undefined ? undefined : parse(text)
      if (text !== undefined && value === undefined)
        context.addIssue({ code: 'custom', message: rule })
      return value
    })

const TIME = '2026-03-01T09:30:00Z'

/** `at` of reads: a moment of the history. */
export const atField = field(
  parsedText(parseMoment, 'must be a time or the id of an entry'),
  'Reads the state at this moment: a time in ISO 8601 (GMT unless it has a zone), or the id of an entry of the history.',
  TIME,
)

/** A time in a query or a body. */
export const timeField = (description: string) =>
  field(parsedText(parseTime, `must be a time such as ${TIME}`), description, TIME)

/** Entries on a page, at most and by default. */
export const MAX_PAGE_ENTRIES = 500
const PAGE_ENTRIES = 50

const number = (description: string) => optional(z.coerce.number().int().positive(), description)

/** The filters of the history, of a site or of the network. */
const historyQuery = {
  kind: optional(z.enum(HISTORY_KINDS), 'Only entries of this kind.'),
  ref: optional(
    z.string(),
    'Only entries of the thing with this id, or with this name at the time.',
  ),
  action: optional(z.enum(HISTORY_ACTIONS), 'Only entries with this action.'),
  user: number('Only what this user wrote.'),
  token: number('Only what was written with the token with this id.'),
  request: optional(z.string().max(36), 'Only what the request with this id wrote.'),
  since: timeField('Only entries from this time on.'),
  until: timeField('Only entries up to this time.'),
  cursor: number('`next_cursor` of the page before.'),
  limit: number(`Entries on a page, at most ${MAX_PAGE_ENTRIES}; by default ${PAGE_ENTRIES}.`),
}

const ListedEntrySchema = EntrySchema.extend({
  run: nullable(z.string(), 'What the run did that wrote it.', 'Push of frames'),
}).meta({ id: 'ListedHistoryEntry' })

/** A page of entries. */
const historyPage = {
  entries: z.array(ListedEntrySchema).describe('Newest first.'),
  next_cursor: nullable(z.int(), '`cursor` of the next page; null on the last one.'),
}

/** A page of the entries of a site, or of the network. */
async function readHistoryPage(
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
  const requests = page.flatMap(({ request_id }) => request_id ?? [])
  const runs = await readRunTitles(db, globals, [...new Set(requests)])
  const entries = page.map((entry) => ({
    ...presentEntry(entry),
    run: runs.get(entry.request_id ?? '') ?? null,
  }))
  return { entries, next_cursor: next }
}

const historyCommand: EndpointCommand = {
  name: 'history',
  summary: 'list what was written to a site or to the network, by whom, newest first',
  list: {
    rows: 'entries',
    noun: 'entry',
    id: 'id',
    shown: [
      'id',
      'at',
      'site_id:site',
      'kind',
      'name|ref',
      'action',
      'user_id=-',
      'token_id=-',
      'label',
      'run=-',
      'request_id=-',
    ],
    limit: 50,
  },
  examples: [
    'wp-frames history --site 2',
    'wp-frames history --request 5b0c1f2e-7d1a-4c39-9a52-6f0e8b7f0c11',
    'wp-frames history --since 2026-03-01 --format csv --fields at,site_id,kind,name,action,label',
  ],
}

const listHistoryEndpoint = defineEndpoint({
  name: 'listHistory',
  method: 'get',
  path: '/history',
  summary: 'List what was written to the site, by whom, newest first',
  command: historyCommand,
  query: z.object(historyQuery),
  response: z.object({ ...historyPage, names: NamesSchema }),
  mcpLeavesOut: ['entries.site_id', 'entries.exists', 'entries.token_id'],
  async read(call) {
    const { db, site, query } = call
    const page = await readHistoryPage(db, site.globals, site.blogId, query)
    const names = await readNamesForCaller(call, idsOf(page.entries))
    return { ...page, names }
  },
})

const EntryParamsSchema = z.object({
  entry: pathId('The id of an entry.', '1207'),
})

const ItemTextSchema = z
  .object({
    text: z.string().describe('A label, a link, or other values; long ones are cut.'),
    link: optional(
      z.object({ object: z.string(), id: z.int().optional() }),
      'What the text names, if it is no label but a link: a type of posts or a taxonomy, and the id; an archive has none. Visitors see its title.',
    ),
  })
  .meta({ id: 'MenuItemText' })

const ItemValueSchema = ItemTextSchema.partial()
  .extend({
    position: optional(
      z.int(),
      'Only of a moved item: its position on its level, from 1. The text is the label of the item above; at the top level there is none.',
    ),
  })
  .meta({ id: 'MenuItemValue' })

const ItemChangeSchema = z
  .object({
    change: z.enum(['added', 'removed', 'moved', 'renamed', 'relinked', 'edited']),
    id: z.int().describe('Id of the item after the change; before it for a removed item.'),
    path: z.array(ItemTextSchema).describe('Labels from the top level to the item.'),
    from: ItemValueSchema.optional(),
    to: ItemValueSchema.optional(),
  })
  .meta({ id: 'MenuItemChange' })

/** The difference of two states. */
export const diffFields = {
  diff: z.string().describe('A unified diff of markup; for other things one line for each change.'),
  items: optional(z.array(ItemChangeSchema), 'The changes of the items of a menu.'),
  titles: optional(
    z.record(z.string(), z.string()),
    'Titles of what the difference names by type and id: the page whose frame it is, and what items without a label link, which show its title. As stored, HTML. Deleted things and unpublished posts have none.',
    { 'page 13': 'Legal' },
  ),
  shortened: optional(
    z.literal(true),
    'Something of the difference was left out, because it is too large.',
  ),
}

/** What an entry changed. */
const entryDetails = {
  entry: EntrySchema,
  before: StateSchema.nullable().describe(
    'The state before; null if it did not exist, or if the history no longer has it.',
  ),
  after: StateSchema.nullable().describe('The state after; null if it does not exist.'),
  ...diffFields,
}

async function presentEntryDetails(db: Db, site: HistorySite, entry: EntryRow) {
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

const getEntryEndpoint = defineEndpoint({
  name: 'getHistoryEntry',
  method: 'get',
  path: '/history/:entry',
  summary: 'Read one entry of the history with its states and their difference',
  params: EntryParamsSchema,
  response: z.object({ ...entryDetails, names: NamesSchema }),
  errors: ['entry_not_found'],
  async read(call) {
    const { db, site, params } = call
    const entry = await findEntry(db, site, params.entry)
    if (!entry) throw entryNotFound(params.entry)
    const details = await presentEntryDetails(db, site, entry)
    const names = await readNamesForCaller(call, idsOf([details.entry]))
    const [titled] = await withLinkTitles(db, site, [details])
    return { ...details, ...titled, names }
  },
})

/** What a write does to each thing, in responses. */
export const WrittenThingSchema = z
  .object({
    kind: z.enum(HISTORY_KINDS),
    ref: z.string().describe('Id of the thing. A dry run gives new things an id that is not kept.'),
    name: z.string(),
    action: z.enum(HISTORY_ACTIONS),
    ...diffFields,
  })
  .meta({ id: 'WrittenThing', description: 'What a write does to one thing.' })

const listNetworkHistoryEndpoint = defineEndpoint({
  on: 'network',
  name: 'listNetworkHistory',
  method: 'get',
  path: '/history',
  summary: 'List what was written to all sites, and which tokens were issued and revoked',
  command: historyCommand,
  query: z.object(historyQuery),
  response: z.object({ ...historyPage, names: NetworkNamesSchema }),
  mcpLeavesOut: ['entries.exists', 'entries.token_id'],
  async read({ db, globals, query }) {
    const page = await readHistoryPage(db, globals, undefined, query)
    const sites = page.entries.flatMap(({ site_id }) => site_id || [])
    return {
      ...page,
      names: await readNetworkNames(db, globals, { ...idsOf(page.entries), sites }),
    }
  },
})

const getNetworkEntryEndpoint = defineEndpoint({
  on: 'network',
  name: 'getNetworkHistoryEntry',
  method: 'get',
  path: '/history/:entry',
  summary: 'Read one entry of the history of any site, with its states and their difference',
  command: {
    name: 'diff',
    summary: 'show what an entry of the history changed',
    args: ['entry'],
    text: ['{diff}'],
    examples: ['wp-frames diff 1207'],
  },
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

export const endpoints: readonly Endpoint[] = [
  listHistoryEndpoint,
  getEntryEndpoint,
  listNetworkHistoryEndpoint,
  getNetworkEntryEndpoint,
]
