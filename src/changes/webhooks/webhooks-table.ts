import type { Database, Db } from '../../db/database.ts'
import { isMissingTable } from '../../db/database-error.ts'
import { inMs } from '../../db/lease.ts'
import { assignmentsOf, insertRow, readRows, runStatement } from '../../db/sql.ts'
import type { NamedValues } from '../../db/statement-text.ts'
import { pruneRows } from '../../db/tasks/prune-task.ts'
import { isFree, latestTimes, tasksTable, withdrawTasks } from '../../db/tasks/tasks-table.ts'
import type { Tx } from '../../db/transaction.ts'
import { sha256Hex } from '../../host/hash.ts'
import { parseUrl } from '../../host/parse-url.ts'
import { type HistoryAction, historyTable } from '../../record/history/history-row.ts'
import { changesTable } from '../../record/history/number-changes.ts'
import { recordHistory, type ThingState } from '../../record/history/record-history.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import type { WebhookFilter } from './webhook-filter.ts'

/** Webhooks of a site, and of the network. */
export const MAX_SITE_WEBHOOKS = 10
export const MAX_NETWORK_WEBHOOKS = 50

/**
 * `failing`: no try of a message was accepted. `gone`: the receiver has answered 410. `request`: a client has disabled it. `copied`: the database is
 * a copy, and the receiver belongs to its original.
 */
export const DISABLED_REASONS = ['failing', 'gone', 'request', 'copied'] as const

/** A row of `<base_prefix>svc_webhooks`. Times are GMT. */
export type Webhook = {
  readonly id: number
  /** 0 for the network. */
  readonly blog_id: number
  readonly url: string
  /** JSON in the row. */
  readonly filter: WebhookFilter
  readonly secret: Buffer
  /** The former secret, which signs as well until `previous_until`. */
  readonly previous_secret: Buffer | null
  readonly previous_until: string | null
  /** The cursor behind the last delivered change. */
  readonly since: string
  /** The end of the message that has failed. */
  readonly message_end: string | null
  readonly state: 'enabled' | 'disabled'
  readonly reason: (typeof DISABLED_REASONS)[number] | null
  readonly disabled_at: string | null
  /** Failed tries of the message. */
  readonly tries: number
  readonly failing_since: string | null
  /** After a failed try it is not tried before. */
  readonly next_at: string
  readonly error: string | null
  readonly created_at: string
}

/** The task that sends to a webhook. It has a row while a process does so, or pauses after an error. */
export const nameOfWebhookTask = (id: number | '%'): string => `webhook:${id}`

export const webhooksTable = ({ basePrefix }: Pick<GlobalTables, 'basePrefix'>): string =>
  `${basePrefix}svc_webhooks`

/** The webhooks that meet an SQL condition, by id. */
export async function listWebhooks(
  db: Db,
  globals: GlobalTables,
  condition: string,
  values: NamedValues = {},
): Promise<Webhook[]> {
  const rows = await readRows<Omit<Webhook, 'filter'> & { readonly filter: string }>(
    db,
    `SELECT * FROM :webhooks: WHERE ${condition}`,
    { webhooks: webhooksTable(globals), ...values },
  )
  return rows.map((row) => ({ ...row, filter: JSON.parse(row.filter) }))
}

/** What a client sets. */
export type WebhookSettings = Pick<Webhook, 'url' | 'filter' | 'secret' | 'since'>

/** @returns its id */
export async function insertWebhook(
  tx: Tx,
  globals: GlobalTables,
  blogId: number,
  settings: WebhookSettings,
  createdAt: string,
): Promise<number> {
  const id = await insertRow(tx, webhooksTable(globals), {
    ...settings,
    blog_id: blogId,
    filter: JSON.stringify(settings.filter),
    created_at: createdAt,
  })
  const after = { ...settings, id, blog_id: blogId, state: 'enabled' } as const
  recordWebhook(tx, globals, 'created', undefined, after)
  return after.id
}

/**
 * Changes a webhook whose row the caller has locked. The process that delivers loses the task: another cursor or address counts from the next
 * message on.
 */
export async function updateWebhook(
  tx: Tx,
  globals: GlobalTables,
  before: Webhook,
  changed: Partial<Webhook>,
): Promise<void> {
  const after = { ...before, ...changed }
  await runStatement(tx, 'UPDATE :webhooks: SET :changed WHERE id = :id', {
    webhooks: webhooksTable(globals),
    id: before.id,
    changed: assignmentsOf({ ...changed, filter: JSON.stringify(after.filter) }),
  })
  withdrawTasks(tx, globals, nameOfWebhookTask(before.id))
  recordWebhook(tx, globals, 'replaced', before, after)
}

/** Deletes a webhook whose row the caller has locked. */
export async function deleteWebhook(
  tx: Tx,
  globals: GlobalTables,
  webhook: Webhook,
): Promise<void> {
  await runStatement(tx, 'DELETE FROM :webhooks: WHERE id = :id', {
    webhooks: webhooksTable(globals),
    id: webhook.id,
  })
  withdrawTasks(tx, globals, nameOfWebhookTask(webhook.id))
  recordWebhook(tx, globals, 'deleted', webhook, undefined)
}

type RecordedWebhook = Pick<Webhook, 'id' | 'blog_id' | 'url' | 'filter' | 'secret' | 'state'>

function recordWebhook(
  tx: Tx,
  globals: GlobalTables,
  action: HistoryAction,
  before: RecordedWebhook | undefined,
  after: RecordedWebhook | undefined,
): void {
  const { id = 0, blog_id: blogId = 0 } = after ?? before ?? {}
  const states = { before: before && stateOf(before), after: after && stateOf(after) }
  const write = { kind: 'webhook', ref: String(id), action, ...states, isNew: !before } as const
  recordHistory(tx, { blogId, globals }, write)
}

/** More clients read the history than may read addresses, whose paths are secrets of many receivers: a digest shows that one was changed. */
function stateOf({ url, filter, secret, state }: RecordedWebhook): ThingState {
  const fields = {
    origin: parseUrl(url)?.origin ?? '',
    url_digest: digestOf(url),
    ...filter,
    secret_digest: digestOf(secret.toString('base64')),
    state,
  }
  return { name: parseUrl(url)?.host ?? '', fields }
}

const digestOf = (text: string): string => sha256Hex(text).slice(0, 16)

/** Everything up to a cursor was delivered, or is not wanted. */
export function storeDelivered(tx: Tx, globals: GlobalTables, id: number, since: string): void {
  tx.later(
    `UPDATE :webhooks: SET since = :since, message_end = NULL, tries = 0, failing_since = NULL, error = NULL,
      next_at = NOW(6) WHERE id = :id`,
    { webhooks: webhooksTable(globals), id, since },
  )
}

/** A try has failed. @param pauseMs the next one begins after this time */
export function storeFailed(
  tx: Tx,
  globals: GlobalTables,
  id: number,
  { message_end, error, pauseMs }: Pick<Webhook, 'message_end' | 'error'> & { pauseMs: number },
): void {
  tx.later(
    `UPDATE :webhooks: SET message_end = :message_end, tries = tries + 1, failing_since = IFNULL(failing_since, NOW(3)),
      error = :error, next_at = :next WHERE id = :id`,
    { webhooks: webhooksTable(globals), id, message_end, error, next: inMs(pauseMs) },
  )
}

/** The number at the begin of a webhook's cursor, in SQL. */
const SINCE_POSITION = `CAST(SUBSTRING_INDEX(w.since, '-', 1) AS UNSIGNED)`

/**
 * The condition of the webhooks that may be tried now, in SQL. Only a failed try is followed by a pause. None is longer than until `:latestTry`, unless the
 * clock of the database was set back.
 */
export const IS_TRY_DUE = '(tries = 0 OR next_at <= NOW(6) OR next_at > :latestTry)'

/** The value of `IS_TRY_DUE`: a pause is longer by a part of it, see `WebhookWorker`. */
export const latestTry = ({ timings }: Pick<Db, 'timings'>) => ({
  latestTry: inMs(2 * timings.webhooks.maxRetryAfterMs),
})

/** A webhook whose changes can be sent now. */
export type DueWebhook = Pick<Webhook, 'id' | 'tries'>

/**
 * The enabled webhooks that no process has and that have something to send, if only a reset: the ones that fail at the end, of the others those that
 * wait longest. Deleted sites send nothing.
 * @param last the last number of a change
 */
export function listDueWebhooks(
  db: Db,
  globals: GlobalTables,
  last: number,
  limit: number,
): Promise<DueWebhook[]> {
  const has = (condition: string): string =>
    `EXISTS (SELECT 1 FROM ${condition} > ${SINCE_POSITION})`
  // Those of the network need other indexes than those of a site.
  return readRows(
    db,
    `SELECT w.id, w.tries FROM :webhooks: w WHERE w.state = 'enabled' AND ${IS_TRY_DUE} AND ${isFree("CONCAT('webhook:', w.id)")}
      AND (w.blog_id = 0 OR EXISTS (SELECT 1 FROM :blogs: b WHERE b.blog_id = w.blog_id AND b.deleted = 0))
      AND (${SINCE_POSITION} > :last OR IF(w.blog_id = 0,
        ${has(':history: h WHERE h.position')} OR ${has(':changes: c WHERE c.pruned')},
        ${has(':history: h WHERE h.blog_id = w.blog_id AND h.position')} OR ${has(':changes: c WHERE c.blog_id = w.blog_id AND c.pruned')}))
      ORDER BY w.tries > 0, w.next_at, w.id LIMIT :limit`,
    {
      ...latestTimes(db),
      ...latestTry(db),
      tasks: tasksTable(globals),
      webhooks: webhooksTable(globals),
      history: historyTable(globals),
      changes: changesTable(globals),
      blogs: globals.blogs,
      last,
      limit,
    },
  )
}

/** The webhooks of all sites and of the network. */
type WebhookFigures = {
  /** Enabled ones whose last try has failed. */
  readonly failing: number
  /** Those that the service has disabled. */
  readonly disabled: number
  /** Age of the oldest change that an enabled one has not received yet. */
  readonly oldestSeconds: number
}

export async function readWebhookFigures(db: Db, globals: GlobalTables): Promise<WebhookFigures> {
  const of = (site: string): string =>
    `(SELECT h.created_at FROM :history: h WHERE ${site}h.position > ${SINCE_POSITION} ORDER BY h.position LIMIT 1)`
  const [row] = await readRows<{ [Name in keyof WebhookFigures]: number | null }>(
    db,
    `SELECT SUM(state = 'enabled' AND tries > 0) AS failing, SUM(reason IN ('failing', 'gone')) AS disabled,
      MAX(IF(state = 'enabled', TIMESTAMPDIFF(MICROSECOND, IF(blog_id = 0, ${of('')}, ${of('h.blog_id = w.blog_id AND ')}), NOW(6)), 0)) / 1000000 AS oldestSeconds
      FROM :webhooks: w`,
    { webhooks: webhooksTable(globals), history: historyTable(globals) },
  )
  return {
    failing: Number(row?.failing ?? 0),
    disabled: Number(row?.disabled ?? 0),
    oldestSeconds: Math.max(0, Number(row?.oldestSeconds ?? 0)),
  }
}

/** A cursor that no database reaches. */
const UNKNOWN_CURSOR = '999999999999999-00000000'

/** Lets each webhook send a reset: the database is older than what the receivers know. A process that sends loses the task. */
export async function resetWebhooks(tx: Tx, globals: GlobalTables): Promise<void> {
  withdrawTasks(tx, globals, nameOfWebhookTask('%'))
  const reset = 'UPDATE :webhooks: SET since = :since, message_end = NULL'
  const values = { webhooks: webhooksTable(globals), since: UNKNOWN_CURSOR }
  await runStatement(tx, reset, values).catch((error: unknown) => {
    // A backup of a former version.
    if (!isMissingTable(error)) throw error
  })
}

/** Disables all webhooks of a copied network: their receivers know the original. */
export function disableCopiedWebhooks(tx: Tx, globals: GlobalTables): void {
  tx.later(
    "UPDATE :webhooks: SET state = 'disabled', reason = 'copied', disabled_at = NOW(3) WHERE state = 'enabled'",
    { webhooks: webhooksTable(globals) },
  )
  withdrawTasks(tx, globals, nameOfWebhookTask('%'))
}

/** Deletes the former secrets that sign no more. @returns their number */
export function deleteFormerSecrets(db: Database, globals: GlobalTables): Promise<number> {
  return db.write({ isWork: true, isStatement: true }, async (tx) => {
    const { affectedRows } = await runStatement(
      tx,
      'UPDATE :webhooks: SET previous_secret = NULL, previous_until = NULL WHERE previous_until <= NOW(3)',
      { webhooks: webhooksTable(globals) },
    )
    return affectedRows
  })
}

/** Deletes the webhooks of sites that are gone from the network. @returns their number */
export function deleteWebhooksOfGoneSites(
  db: Database,
  globals: GlobalTables,
  signal: AbortSignal,
): Promise<number> {
  const where =
    'blog_id > 0 AND NOT EXISTS (SELECT 1 FROM :blogs: b WHERE b.blog_id = :table:.blog_id) ORDER BY id'
  const old = { table: webhooksTable(globals), where, values: { blogs: globals.blogs } }
  return pruneRows(db, old, signal)
}
