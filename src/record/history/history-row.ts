/** The site of an entry. Blog id 0 is the network: tokens, and the webhooks of all sites, belong to no site. */
export type HistorySite = {
  readonly blogId: number
  readonly globals: { readonly basePrefix: string }
}

/** The kinds of things whose writes are recorded. `pruning` records the deletion of old entries. */
export const HISTORY_KINDS = [
  'frame',
  'menu',
  'location',
  'assignment',
  'dataset',
  'token',
  'webhook',
  'pruning',
] as const

export type HistoryKind = (typeof HISTORY_KINDS)[number]

/** The kind of the rows that hold contents. */
export const CONTENT_KIND = 'content'

/** The kind of the rows that only the list of events shows: no write of this service, and no state that can be restored. */
export const EVENT_KIND = 'event'

/** What a row of the kind `event` names: a page, or a thing without entries that another program has edited. */
export type EventThing = {
  readonly kind: HistoryKind | 'page'
  readonly ref: string
  readonly action: EventAction
}

/** `removed`: the page has no static copy any more. The others are edits of another program. */
export type EventAction = 'published' | 'removed' | 'created' | 'edited' | 'deleted'

/** The state of a row of the kind `event`, in JSON: ids of pages by action, and other things that were edited or deleted. */
export type EventState = {
  readonly pages: { readonly [Action in EventAction]?: readonly number[] }
  readonly edited: readonly EventThing[]
  readonly total: number
}

/** A thing of a site: a frame by its id, a menu by its id, a location by theme, name and language, an assignment by its page, a data set by its name, a token or webhook by its id. */
export type Thing = { readonly kind: HistoryKind; readonly ref: string }

export const thingKey = ({ kind, ref }: Thing): string => `${kind} ${ref}`

/** What happened to a thing. `found`: it existed before its first entry; `edited`: another program changed it. Both have no author. */
export const HISTORY_ACTIONS = [
  'created',
  'replaced',
  'renamed',
  'deleted',
  'assigned',
  'cleared',
  'issued',
  'imported',
  'accepted',
  'refused',
  'revoked',
  'pruned',
  'found',
  'edited',
] as const

export type HistoryAction = (typeof HISTORY_ACTIONS)[number]

/** The fields of a thing that are small; the markup or the items are the content. */
export type StateFields = Readonly<Record<string, unknown>>

/** A row of `<base_prefix>svc_history` that is an entry. Hashes are hexadecimal; `created_at` is GMT with milliseconds. */
export type EntryRow = {
  readonly id: number
  readonly blog_id: number
  readonly kind: HistoryKind
  readonly ref: string
  /** Slug of a frame or name of a menu, for lists. */
  readonly name: string
  readonly action: HistoryAction
  /** JSON of the state after the write; null if the thing does not exist. */
  readonly state: string | null
  /** Hash of the content after the write. */
  readonly content: string | null
  /** Identifies the stored form of the thing after the write, to notice edits of other programs; null if the thing does not exist. */
  readonly version: string | null
  /** The version before: that of the previous entry of the thing; null if there is none, or if the thing did not exist. */
  readonly previous: string | null
  readonly user_id: number | null
  readonly token_id: number | null
  /** Label of the token; `cli deploy@web1` for a command. */
  readonly label: string | null
  readonly request_id: string | null
  readonly created_at: string
}

export const historyTable = ({ basePrefix }: HistorySite['globals']): string =>
  `${basePrefix}svc_history`

/** The tokens and webhooks of the network. */
export const networkHistory = (globals: HistorySite['globals']): HistorySite => ({
  blogId: 0,
  globals,
})
