import { timeText } from '../../db/gmt.ts'
import { storeRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { sha256Hex } from '../../host/hash.ts'
import { compressContent } from './content.ts'
import {
  CONTENT_KIND,
  type EntryRow,
  type HistoryAction,
  type HistorySite,
  historyTable,
  type StateFields,
  type Thing,
  thingKey,
} from './history-row.ts'
import {
  type LastEntries,
  type LastEntry,
  readLastEntries,
  type StoredTexts,
} from './read-last-entries.ts'

/** The state of a thing: what is needed to restore it. */
export type ThingState = {
  /** Slug of a frame or name of a menu, for lists. */
  readonly name: string
  readonly fields: StateFields
  /** The markup or the items; called if the content is not stored yet. */
  readonly content?: { readonly hash: string; text(): string }
  /** SHA-256 of the stored form. Equal versions are equal states [derived from the fields and the content]. */
  readonly version?: string
}

/** A write of one thing. */
export type ThingWrite = Thing & {
  /** `edited`: nothing is written; another program's edit was found. */
  readonly action: HistoryAction
  /** Undefined if the thing does not exist. */
  readonly before: ThingState | undefined
  readonly after: ThingState | undefined
  /** The thing cannot have entries, because its id is new. */
  readonly isNew?: boolean
}

/**
 * Records a write of a thing in the history; stored as the last step before the commit, together with all other writes of the transaction.
 * Several writes of a thing in a transaction become one entry. A write that changes nothing has none. The caller has locked the thing.
 */
export function recordHistory(tx: Tx, site: HistorySite, write: ThingWrite): void {
  pendingHistory(tx, site).add(write)
}

/**
 * Reads the last entries of these things, and of those that are recorded already, ahead of the commit: together with the digests of stored
 * texts, in one statement.
 * @param texts [none]
 * @returns the digests of the texts by name, and the last entry of each thing
 */
export function readHistoryAhead(
  tx: Tx,
  site: HistorySite,
  things: readonly Thing[],
  texts?: StoredTexts,
): Promise<LastEntries> {
  return pendingHistory(tx, site).readLast(things, texts)
}

/** What the transaction has written to things of the site so far: what changes their state, in the order of the first write of each. */
export function recordedWrites(tx: Tx, site: HistorySite): readonly ThingWrite[] {
  return pendingHistory(tx, site).writes.filter(({ action }) => action !== 'edited')
}

function pendingHistory(tx: Tx, site: HistorySite): PendingHistory {
  const key = `history ${site.blogId}`
  const known = tx.local.get(key)
  if (known) return known as PendingHistory
  const pending = new PendingHistory(tx, site)
  tx.local.set(key, pending)
  tx.beforeCommit(() => pending.store())
  return pending
}

/** The writes of one transaction to the things of a site. */
class PendingHistory {
  readonly #tx: Tx
  readonly #site: HistorySite
  readonly #writes = new Map<string, ThingWrite>()
  readonly #last = new Map<string, LastEntry | null>()

  constructor(tx: Tx, site: HistorySite) {
    this.#tx = tx
    this.#site = site
  }

  /** Those that will have an entry. */
  get writes(): ThingWrite[] {
    return [...this.#writes.values()].filter(
      (write) => write.action === 'edited' || changesState(write),
    )
  }

  add(write: ThingWrite): void {
    const key = thingKey(write)
    const first = this.#writes.get(key)
    if (!first) this.#writes.set(key, write)
    else {
      const { before, isNew = false } = first
      this.#writes.set(key, { ...write, before, isNew, action: mergedAction(first, write) })
    }
  }

  /** Those of these things, and of the written ones, whose last entries are not known. */
  #withoutEntries(things: readonly Thing[]): Thing[] {
    return [...things, ...[...this.#writes.values()].filter(({ isNew }) => !isNew)]
      .filter((thing) => !this.#last.has(thingKey(thing)))
      .map(({ kind, ref }) => ({ kind, ref }))
  }

  async readLast(things: readonly Thing[], texts?: StoredTexts): Promise<LastEntries> {
    const unknown = this.#withoutEntries(things)
    if (unknown.length === 0 && !texts) return { entries: this.#last, stored: new Map() }
    const { entries, stored } = await readLastEntries(this.#tx, this.#site, unknown, texts)
    for (const [key, last] of entries) this.#last.set(key, last)
    return { entries: this.#last, stored }
  }

  async store(): Promise<void> {
    const { writes } = this
    if (writes.length === 0) return
    await this.readLast([])
    const entries: NewEntry[] = []
    const contents = new Map<string, () => string>()
    const createdAt = timeOf(this.#tx)
    for (const write of writes) {
      let last: LastEntry | null = this.#last.get(thingKey(write)) ?? null
      const append = (action: HistoryAction, state: ThingState | undefined, isOwn: boolean) => {
        const entry = this.#entryOf(write, { action, state, previous: last, createdAt, isOwn })
        const { content } = entry
        if (state?.content && content !== null && last?.content !== content)
          contents.set(content, state.content.text)
        last = entry
        entries.push(entry)
      }
      const before = write.before && versionOfState(write.before)
      if ((before ?? null) !== (last?.version ?? null))
        append(last ? 'edited' : 'found', write.before, false)
      if (write.action !== 'edited') append(write.action, write.after, true)
    }
    if (entries.length > 0) await this.#insert(entries, contents)
  }

  #entryOf(
    { kind, ref, before, after }: ThingWrite,
    { action, state, previous, createdAt, isOwn }: EntryParts,
  ): NewEntry {
    const { userId = null, tokenId = null, label = null, requestId = null } = this.#tx.author ?? {}
    return {
      blog_id: this.#site.blogId,
      kind,
      ref,
      name: cut((state ?? after ?? before)?.name ?? ''),
      action,
      state: state ? JSON.stringify(state.fields) : null,
      content: state?.content?.hash ?? null,
      version: state ? versionOfState(state) : null,
      previous: previous?.version ?? null,
      // Another program has made an edit. The author of the write that found it is on the next entry.
      user_id: isOwn ? userId : null,
      token_id: isOwn ? tokenId : null,
      label: isOwn ? label : null,
      request_id: isOwn ? requestId : null,
      created_at: createdAt,
    }
  }

  async #insert(
    entries: readonly NewEntry[],
    contents: ReadonlyMap<string, () => string>,
  ): Promise<void> {
    const { blogId, globals } = this.#site
    const { created_at = '' } = entries[0] ?? {}
    const rows = []
    for (const [hash, text] of contents) {
      const data = await compressContent(text())
      const content = { ...NO_ENTRY, blog_id: blogId, kind: CONTENT_KIND, created_at }
      rows.push({ ...content, hash: bytesOf(hash), bytes: data.length + ROW_BYTES, data })
    }
    for (const entry of entries) {
      rows.push({
        ...NO_ENTRY,
        ...entry,
        content: bytesOf(entry.content),
        version: bytesOf(entry.version),
        previous: bytesOf(entry.previous),
        position: null,
        bytes: (entry.state?.length ?? 0) + ENTRY_BYTES,
      })
    }
    // A content that is stored already stays. Its row is locked, so that it is not pruned before the commit.
    await storeRows(this.#tx, [{ table: historyTable(globals), rows, onDuplicate: 'id = id' }])
    this.#tx.grow(
      blogId,
      rows.reduce((sum, { bytes }) => sum + bytes, 0),
    )
  }
}

/** The time of what a transaction records, GMT with milliseconds: the same for all of it, because it is one change. */
export function timeOf(tx: Tx): string {
  const key = 'time of the history'
  const time = (tx.local.get(key) ?? new Date()) as Date
  tx.local.set(key, time)
  return timeText(time)
}

type NewEntry = Omit<EntryRow, 'id'>

type EntryParts = {
  readonly action: HistoryAction
  readonly state: ThingState | undefined
  readonly previous: LastEntry | null
  readonly createdAt: string
  readonly isOwn: boolean
}

/** All columns, in the order in which they are inserted. `position` is null in what `numberChanges` is to number. */
export const NO_ENTRY = {
  blog_id: 0,
  hash: null as Buffer | null,
  kind: '',
  ref: '',
  name: '',
  action: '',
  state: null as string | null,
  content: null as Buffer | null,
  version: null as Buffer | null,
  previous: null as Buffer | null,
  user_id: null as number | null,
  token_id: null as number | null,
  label: null as string | null,
  request_id: null as string | null,
  created_at: '',
  bytes: 0,
  data: null as Buffer | null,
  position: 0 as number | null,
}

/** Approximate size of a row of a content without its data, and of an entry without its state, with their index entries, in bytes. */
const ROW_BYTES = 150
const ENTRY_BYTES = 650

const MAX_NAME_LENGTH = 255

const cut = (name: string): string => [...name].slice(0, MAX_NAME_LENGTH).join('')

const bytesOf = (hex: string | null): Buffer | null =>
  hex === null ? null : Buffer.from(hex, 'hex')

/** Identifies a state: equal versions are equal states. */
export function versionOfState({ fields, content, version }: ThingState): string {
  return version ?? sha256Hex(JSON.stringify([fields, content?.hash ?? null]))
}

function changesState({ before, after }: ThingWrite): boolean {
  if (!before || !after) return before !== after
  return versionOfState(before) !== versionOfState(after)
}

/** The action of two writes of a thing in one transaction. */
function mergedAction(first: ThingWrite, second: ThingWrite): HistoryAction {
  return first.action === 'created' && second.after ? 'created' : second.action
}
