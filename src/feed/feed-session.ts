import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import {
  type BinlogListener,
  BinlogStream,
  type RowChange,
  type TableColumn,
} from './binlog-stream.ts'
import { addRows, addTable, hasWholeTable } from './changed-rows.ts'
import { ChangedSites, type FeedChanges } from './changed-sites.ts'
import { addStatement, type FollowedNetwork } from './changed-statements.ts'
import { StreamError } from './feed-failure.ts'
import { FEED_LEASE_SECONDS, type FeedPosition, renewFeed } from './feed-table.ts'

export type FeedSessionOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly log: Log
  readonly metrics?: Metrics | undefined
  /** Records the work that follows from changes. It may be called again with the same changes. */
  readonly onChanges: (changes: FeedChanges) => Promise<void>
  readonly feedUrl: string
  /** See `BinlogStreamOptions`. */
  readonly silenceMs?: number | undefined
  /** The owner that took the feed: an id of this session only. */
  readonly owner: string
  readonly network: FollowedNetwork
  /** Where the stream starts. */
  readonly start: FeedPosition
  /** Whether the changes before the start are not known. */
  readonly comparesEverything: boolean
}

const RENEW_MS = (FEED_LEASE_SECONDS * 1000) / 3
/** The second renewal reports that the first one has arrived through the feed. */
const FIRST_RENEW_MS = 250
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000
/** A feed that has not delivered its own writes for so long is reported. */
const MAX_UNSEEN_MS = 60_000

/**
 * The time in which a process has the feed: from taking it until the stream fails, or another process takes it.
 *
 * An event can arrive before its row is visible to other connections: the server sends it when the binlog is written, and makes the
 * transaction visible afterwards, which takes the time of a disk sync or, with semi-synchronous replication, of a network round trip. So
 * changes are never compared when their events arrive. First the session renews its lease, which is a transaction too. Transactions become
 * visible in the order of the binlog. So when the renewal returns, the changes are visible. This needs no privilege, and no comparison of
 * positions.
 *
 * The renewals come back through the stream. That shows how far it is behind, and that it carries the writes of this database at all.
 */
export class FeedSession {
  readonly #options: FeedSessionOptions
  readonly #changes = new ChangedSites()
  readonly #stream: BinlogStream
  /** Up to where all changes are recorded. */
  #recorded: FeedPosition | undefined
  #isRecording = false
  #isDue: boolean
  #wake: () => void = () => {}
  #beat = 0
  /** Renewals that have not come back, the oldest first, and when they were sent. */
  #unseen: { readonly beat: number; readonly sentAt: number }[] = []
  #wasSeen = false

  /** Connects at once. */
  constructor(options: FeedSessionOptions) {
    this.#options = options
    const { feedUrl, silenceMs, start, comparesEverything } = options
    if (comparesEverything) this.#changes.addEverything()
    this.#isDue = comparesEverything
    this.#stream = new BinlogStream({
      ...{ url: feedUrl, position: start.position, silenceMs },
      listener: this.#listener(),
    })
  }

  /** Milliseconds that the oldest renewal has been on its way; 0 if the stream is up to date, undefined before the first one arrived. */
  get lagMs(): number | undefined {
    if (!this.#wasSeen) return undefined
    return this.#oldestUnseenMs()
  }

  /**
   * Follows the feed until `signal`, or until another process has it.
   * @throws StreamError if the stream failed
   */
  async run(signal: AbortSignal): Promise<void> {
    const ended = new AbortController()
    const tasks = [this.#keepRenewing(ended.signal), this.#keepRecording(ended.signal)]
    const stop = (): void => ended.abort()
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    try {
      const error = await Promise.race([this.#stream.ended, ...tasks])
      if (error) throw new StreamError('the change feed failed', { cause: error })
    } finally {
      signal.removeEventListener('abort', stop)
      stop()
      this.#stream.stop()
      this.#wake()
      await Promise.all(tasks)
    }
  }

  /** Resolves when the lease is lost or `signal` is aborted. */
  async #keepRenewing(signal: AbortSignal): Promise<void> {
    const { log } = this.#options
    let isReported = false
    while (!signal.aborted) {
      try {
        if (!(await this.#renew())) return
      } catch (error) {
        // If it goes on failing, the lease ends, and any process may take the feed.
        log.debug({ err: error }, 'the lease of the change feed was not renewed')
      }
      if (!isReported && this.#oldestUnseenMs() > MAX_UNSEEN_MS) {
        isReported = true
        log.warn(
          'the change feed is behind, or does not carry the writes of this database; FEED_DATABASE_URL must be the server of DATABASE_URL, whose binlog includes its database',
        )
      }
      const pause = this.#beat < 2 ? FIRST_RENEW_MS : RENEW_MS
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
  }

  /** @returns false if another process has the feed */
  async #renew(): Promise<boolean> {
    const { db, globals, owner, start } = this.#options
    if (!this.#isRecording && this.#changes.isEmpty)
      this.#recorded = { server: start.server, position: this.#stream.position }
    this.#beat += 1
    const beat = this.#beat
    const renewal = { beat, lagMs: this.lagMs, position: this.#recorded }
    this.#unseen.push({ beat, sentAt: performance.now() })
    try {
      return await renewFeed(db, globals, owner, renewal)
    } catch (error) {
      this.#unseen = this.#unseen.filter((renewal) => renewal.beat !== beat)
      throw error
    }
  }

  #oldestUnseenMs(): number {
    const [oldest] = this.#unseen
    return oldest ? performance.now() - oldest.sentAt : 0
  }

  /** Resolves when the lease is lost or `signal` is aborted. */
  async #keepRecording(signal: AbortSignal): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      if (!this.#isDue) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
        continue
      }
      try {
        if (!(await this.#record())) return
        failures = 0
      } catch (error) {
        failures += 1
        const level = failures === 1 ? 'warn' : 'debug'
        this.#options.log[level](
          { err: error },
          'changes from the feed were not recorded; retrying',
        )
        const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS)
        await sleep(pause, undefined, { signal }).catch(() => {})
      }
    }
  }

  /** Records what was collected. @returns false if another process has the feed */
  async #record(): Promise<boolean> {
    const { onChanges, start } = this.#options
    this.#isRecording = true
    this.#isDue = false
    const position = this.#stream.position
    const changes = this.#changes.take()
    try {
      if (!(await this.#renew())) return false
      await onChanges(changes)
      this.#recorded = { server: start.server, position }
      return true
    } catch (error) {
      this.#changes.merge(changes)
      this.#isDue = true
      throw error
    } finally {
      this.#isRecording = false
    }
  }

  #listener(): BinlogListener {
    const { network, metrics } = this.#options
    const { database, findTable } = network
    const changes = this.#changes
    const isOwn = (schema: string): boolean => schema.toLowerCase() === database.toLowerCase()
    return {
      isFollowed: (schema, name) => {
        const table = isOwn(schema) ? findTable(name) : undefined
        return table !== undefined && !hasWholeTable(changes, table)
      },
      onRows: (name, rows) => {
        const table = findTable(name)
        if (!table) return false
        if (table.kind === 'feed') this.#seeRows(rows)
        else metrics?.countFeedEvent()
        addRows(changes, table, rows)
        // Transactions do not overlap in the binlog, so what is compared after a part of one includes the rest.
        return !hasWholeTable(changes, table)
      },
      onUnknownRows: (name) => {
        const table = findTable(name)
        if (table) addTable(changes, table)
      },
      onStatement: ({ sql, schema }) => {
        if (sql.includes(this.#options.owner)) this.#seeStatement(sql)
        else if (addStatement(changes, { sql, schema }, network)) metrics?.countFeedEvent()
      },
      onCommit: () => {
        if (changes.isEmpty || this.#isDue) return
        this.#isDue = true
        this.#wake()
      },
      readColumns: (name) => readColumns(this.#options.db, name),
    }
  }

  #seeRows(rows: readonly RowChange[]): void {
    for (const { after } of rows)
      if (after?.owner === this.#options.owner) this.#seeBeat(Number(after.beat))
  }

  /** With `binlog_format=MIXED`, a renewal is a statement. */
  #seeStatement(sql: string): void {
    const [, beat] = /\bbeat = (\d+)/.exec(sql) ?? []
    if (beat !== undefined) this.#seeBeat(Number(beat))
  }

  #seeBeat(seen: number): void {
    this.#wasSeen = true
    this.#unseen = this.#unseen.filter(({ beat }) => beat > seen)
  }
}

/** Long texts are not decoded: only ids and names are read. */
function readColumns(db: Database, table: string): Promise<TableColumn[]> {
  return readRows<TableColumn>(
    db,
    `SELECT COLUMN_NAME, COLUMN_TYPE, IF(DATA_TYPE LIKE '%text', NULL, CHARACTER_SET_NAME) AS CHARACTER_SET_NAME
      FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = :table
      ORDER BY ORDINAL_POSITION`,
    { table },
  )
}
