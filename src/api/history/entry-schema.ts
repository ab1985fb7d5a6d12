import { z } from 'zod'
import { forEachYielding } from '../../concurrency/for-each.ts'
import { inTimeSlice } from '../../concurrency/time-slices.ts'
import type { StateText } from '../../diff/state-text.ts'
import {
  type EntryRow,
  HISTORY_ACTIONS,
  HISTORY_KINDS,
  type HistoryKind,
} from '../../history/history-row.ts'
import type { Moment } from '../../history/read-history.ts'
import type { MenuItemContent } from '../../menus/menu-history.ts'
import { parseMoment, parseTime } from '../../restore/moment.ts'
import { itemClasses } from '../../wordpress/nav-menus/menu-item.ts'
import { idIn } from '../../wordpress/serialized/stored-value.ts'
import type { ResponseOf } from '../endpoint.ts'
import type { NamedIds } from '../names.ts'
import { pick } from '../pick.ts'

const TIME_EXAMPLE = '2026-03-01 09:30:00.250'

/** An entry of the history. */
export const EntrySchema = z
  .object({
    id: z.int().meta({ description: 'Increases with time.', examples: [1207] }),
    site_id: z
      .int()
      .meta({ description: '0 for a token, and for a webhook of the network.', examples: [2] }),
    at: z.string().meta({ description: 'GMT.', examples: [TIME_EXAMPLE] }),
    kind: z.enum(HISTORY_KINDS),
    ref: z.string().meta({
      description:
        'Id of the frame, menu, token or webhook; `theme/location`, with `/language` for the map of Polylang; for an assignment the id of the page.',
      examples: ['4f1c2d3e4b5a6978'],
    }),
    name: z.string().meta({ description: 'Its slug or name.', examples: ['site-header'] }),
    action: z.enum(HISTORY_ACTIONS).meta({
      description:
        '`found`: it existed before its first entry. `edited`: another program changed it; noticed before the next write. Both have no author.',
    }),
    exists: z.boolean().describe('Whether it exists after this.'),
    user_id: z
      .int()
      .nullable()
      .meta({ examples: [2] }),
    token_id: z
      .int()
      .nullable()
      .meta({ examples: [5] }),
    label: z
      .string()
      .nullable()
      .meta({ description: 'Label of the token; `cli` for a command.', examples: ['deploy'] }),
    request_id: z.string().nullable().meta({ description: '`X-Request-Id` of the request.' }),
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
    target: z.string(),
    classes: z.string().describe('Separated by spaces.'),
    xfn: z.string().describe('Link relations, separated by spaces.'),
    attr_title: z.string(),
    description: z.string(),
  })
  .meta({ id: 'StoredMenuItem', description: 'An item of a menu as it is stored.' })

/** A state of a thing. */
export const StateSchema = z
  .object({
    fields: z
      .record(z.string(), z.unknown())
      .describe('The small fields: names, dates, the menu at a location, the frame of a page.'),
    html: z.string().optional().describe('The markup of a frame.'),
    items: z.array(StoredItemSchema).optional().describe('The items of a menu, in order.'),
    content_pruned: z
      .literal(true)
      .optional()
      .describe('The markup or the items are no longer in the history.'),
  })
  .meta({ id: 'HistoryState' })

export async function presentState(
  kind: HistoryKind,
  { fields, content }: StateText,
): Promise<ResponseOf<typeof StateSchema>> {
  if (kind !== 'frame' && kind !== 'menu') return { fields: { ...fields } }
  if (content === undefined) return { fields: { ...fields }, content_pruned: true }
  if (kind === 'frame') return { fields: { ...fields }, html: content }
  return {
    fields: { ...fields },
    items: await presentItemsOf(content),
  }
}

/** The items of a menu, from its content in the history. */
export async function presentItemsOf(
  content: string,
): Promise<ResponseOf<typeof StoredItemSchema>[]> {
  const items = await inTimeSlice((): MenuItemContent[] => JSON.parse(content))
  return presentItems(items, (item) => item)
}

/** @param contentOf the content of an item of the list */
export async function presentItems<Item>(
  items: readonly Item[],
  contentOf: (item: Item) => MenuItemContent,
): Promise<ResponseOf<typeof StoredItemSchema>[]> {
  const presented: ResponseOf<typeof StoredItemSchema>[] = []
  const add = (item: Item) => void presented.push(presentItem(contentOf(item)))
  await forEachYielding(items, add, CLOCK_EVERY)
  return presented
}

function presentItem(item: MenuItemContent): ResponseOf<typeof StoredItemSchema> {
  const text = (name: string): string => item.meta[`_menu_item_${name}`] ?? ''
  return {
    id: item.id,
    parent: idIn(text('menu_item_parent')),
    order: item.order,
    status: item.status,
    title: item.title,
    type: text('type'),
    object: text('object'),
    object_id: idIn(text('object_id')),
    url: text('url'),
    target: text('target'),
    classes: itemClasses(new Map(Object.entries(item.meta))).join(' '),
    xfn: text('xfn'),
    attr_title: item.excerpt,
    description: item.content,
  }
}

/** An item takes a microsecond. */
const CLOCK_EVERY = 100

/** `at` of reads: a moment of the history. */
export const atField = z
  .string()
  .optional()
  .transform((text, context): Moment | undefined => {
    const moment = text === undefined ? undefined : parseMoment(text)
    if (text !== undefined && !moment) {
      context.addIssue({ code: 'custom', message: 'must be a time or the id of an entry' })
    }
    return moment
  })
  .meta({
    description:
      'Reads the state at this moment: a time in ISO 8601 (GMT unless it has a zone), or the id of an entry of the history.',
    examples: ['2026-03-01T09:30:00Z'],
  })

/** A time in a query or a body. */
export const timeField = (description: string) =>
  z
    .string()
    .optional()
    .transform((text, context): string | undefined => {
      const time = text === undefined ? undefined : parseTime(text)
      if (text !== undefined && time === undefined)
        context.addIssue({ code: 'custom', message: 'must be a time such as 2026-03-01T09:30:00Z' })
      return time
    })
    .meta({ description, examples: ['2026-03-01T09:30:00Z'] })
