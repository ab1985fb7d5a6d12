import type { Database, Db } from '../db/database.ts'
import { isMissingTable } from '../db/database-error.ts'
import { timeText } from '../db/gmt.ts'
import { readRows, runStatement } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import { sha256Hex } from '../hash.ts'
import { type HistoryAction, historyTable } from '../history/history-row.ts'
import { changesTable } from '../history/number-changes.ts'
import { recordHistory, type ThingState } from '../history/record-history.ts'
import { parseUrl } from '../parse-url.ts'
import { pruneRows } from '../tasks/prune-task.ts'
import { isFree, latestTimes, tasksTable, withdrawTasks } from '../tasks/tasks-table.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
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
  readonly blogId: number
  readonly url: string
  readonly filter: WebhookFilter
  readonly secret: Buffer
  /** The former secret, which signs as well until `previousUntil`. */
  readonly previousSecret: Buffer | null
  readonly previousUntil: string | null
  /** The cursor behind the last delivered change. */
  readonly since: string
  /** The end of the message that has failed. */
  readonly messageEnd: string | null
  readonly state: 'enabled' | 'disabled'
  readonly reason: (typeof DISABLED_REASONS)[number] | null
  readonly disabledAt: string | null
  /** Failed tries of the message. */
  readonly tries: number
  readonly failingSince: string | null
  /** It is not tried before. */
  readonly nextAt: string
  readonly error: string | null
  readonly createdAt: string
}

/** The task that sends to a webhook. It has a row while a process does so, or pauses after an error. */
export const nameOfWebhookTask = (id: number | '%'): string => `webhook:${id}`

export const webhooksTable = ({ basePrefix }: Pick<GlobalTables, 'basePrefix'>): string =>
  `${basePrefix}svc_webhooks`

const COLUMNS =
  'id, blog_id AS blogId, url, filter, secret, previous_secret AS previousSecret, previous_until AS previousUntil, since, message_end AS messageEnd, state, reason, disabled_at AS disabledAt, tries, failing_since AS failingSince, next_at AS nextAt, error, created_at AS createdAt'

/** The webhooks that meet an SQL condition, by id. */
export async function listWebhooks(
  db: Db,
  globals: GlobalTables,
  condition: string,
  values: Readonly<Record<string, number | string>> = {},
): Promise<Webhook[]> {
  const rows = await readRows<Omit<Webhook, 'filter'> & { readonly filter: string }>(
    db,
    `SELECT ${COLUMNS} FROM :webhooks: WHERE ${condition}`,
    { webhooks: webhooksTable(globals), ...values },
  )
  return rows.map((row) => ({ ...row, filter: JSON.parse(row.filter) }))
}

/** The webhook of a site with this id; undefined if the site has none. */
export async function findWebhook(
  db: Db,
  globals: GlobalTables,
  blogId: number,
  id: number,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<Webhook | undefined> {
  const condition = `id = :id AND blog_id = :blogId${lock ? ' FOR UPDATE' : ''}`
  return (await listWebhooks(db, globals, condition, { id, blogId }))[0]
}

/** The number of webhooks of a site. They are locked, so that transactions which add one to them come one after the other. */
export async function countWebhooks(
  tx: Tx,
  globals: GlobalTables,
  blogId: number,
): Promise<number> {
  const rows = await readRows(tx, 'SELECT id FROM :webhooks: WHERE blog_id = :blogId FOR UPDATE', {
    webhooks: webhooksTable(globals),
    blogId,
  })
  return rows.length
}

/** What a client sets. */
export type WebhookSettings = Pick<Webhook, 'url' | 'filter' | 'secret' | 'since'>

/** @returns its id */
export async function insertWebhook(
  tx: Tx,
  globals: GlobalTables,
  blogId: number,
  settings: WebhookSettings,
  now: Date,
): Promise<number> {
  const { url, filter, secret, since } = settings
  const [id] = await tx.sql(webhooksTable(globals)).insert({
    blog_id: blogId,
    url,
    filter: JSON.stringify(filter),
    secret,
    since,
    created_at: timeText(now),
  })
  const after = { id: Number(id), blogId, state: 'enabled', ...settings } as const
  recordWebhook(tx, globals, 'created', undefined, after)
  return Number(id)
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
  const { id } = before
  const columns = Object.fromEntries(
    Object.entries(changed).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      name === 'filter' ? JSON.stringify(value) : value,
    ]),
  )
  await tx.sql(webhooksTable(globals)).where({ id }).update(columns)
  withdrawTasks(tx, globals, nameOfWebhookTask(id))
  recordWebhook(tx, globals, 'replaced', before, { ...before, ...changed })
}

/** Deletes a webhook whose row the caller has locked, with its deliveries. */
export async function deleteWebhook(
  tx: Tx,
  globals: GlobalTables,
  webhook: Webhook,
): Promise<void> {
  await tx.sql(webhooksTable(globals)).where({ id: webhook.id }).delete()
  withdrawTasks(tx, globals, nameOfWebhookTask(webhook.id))
  recordWebhook(tx, globals, 'deleted', webhook, undefined)
}

type RecordedWebhook = Pick<Webhook, 'id' | 'blogId' | 'url' | 'filter' | 'secret' | 'state'>

function recordWebhook(
  tx: Tx,
  globals: GlobalTables,
  action: HistoryAction,
  before: RecordedWebhook | undefined,
  after: RecordedWebhook | undefined,
): void {
  const { id = 0, blogId = 0 } = after ?? before ?? {}
  recordHistory(
    tx,
    { blogId, globals },
    {
      kind: 'webhook',
      ref: String(id),
      action,
      before: before && stateOf(before),
      after: after && stateOf(after),
      isNew: before === undefined,
    },
  )
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

/** The number at the begin of a webhook's cursor, in SQL. */
export const SINCE_POSITION = `CAST(SUBSTRING_INDEX(w.since, '-', 1) AS UNSIGNED)`

/** A webhook whose changes can be sent now. */
export type DueWebhook = { readonly id: number; readonly tries: number }

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
    `SELECT w.id, w.tries FROM :webhooks: w WHERE w.state = 'enabled' AND w.next_at <= NOW(6) AND ${isFree("CONCAT('webhook:', w.id)")}
      AND (w.blog_id = 0 OR EXISTS (SELECT 1 FROM :blogs: b WHERE b.blog_id = w.blog_id AND b.deleted = 0))
      AND (${SINCE_POSITION} > :last OR IF(w.blog_id = 0,
        ${has(':history: h WHERE h.position')} OR ${has(':changes: c WHERE c.pruned')},
        ${has(':history: h WHERE h.blog_id = w.blog_id AND h.position')} OR ${has(':changes: c WHERE c.blog_id = w.blog_id AND c.pruned')}))
      ORDER BY w.tries > 0, w.next_at, w.id LIMIT :limit`,
    {
      ...latestTimes(db),
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

/** A cursor that no database reaches. */
const UNKNOWN_CURSOR = '999999999999999-00000000'

/** Lets each webhook send a reset: the database is older than what the receivers know. A process that sends loses the task. */
export async function resetWebhooks(tx: Tx, globals: GlobalTables): Promise<void> {
  withdrawTasks(tx, globals, nameOfWebhookTask('%'))
  await tx
    .sql(webhooksTable(globals))
    .update({ since: UNKNOWN_CURSOR, message_end: null })
    .catch((error: unknown) => {
      // A backup of a former version.
      if (!isMissingTable(error)) throw error
    })
}

/** Disables all webhooks of a copied network: their receivers know the original. */
export async function disableCopiedWebhooks(tx: Tx, globals: GlobalTables, now: Date) {
  await tx
    .sql(webhooksTable(globals))
    .where({ state: 'enabled' })
    .update({ state: 'disabled', reason: 'copied', disabled_at: timeText(now) })
  withdrawTasks(tx, globals, nameOfWebhookTask('%'))
}

/** Whether any webhook is enabled. */
export async function hasEnabledWebhooks(db: Db, globals: GlobalTables): Promise<boolean> {
  const rows = await readRows(db, `SELECT 1 FROM :webhooks: WHERE state = 'enabled' LIMIT 1`, {
    webhooks: webhooksTable(globals),
  })
  return rows.length > 0
}

/** Deletes the former secrets that sign no more. @returns their number */
export async function deleteFormerSecrets(
  db: Database,
  globals: GlobalTables,
  now: Date,
): Promise<number> {
  const { affectedRows } = await db.write({ isWork: true, isStatement: true }, (tx) =>
    runStatement(
      tx,
      'UPDATE :webhooks: SET previous_secret = NULL, previous_until = NULL WHERE previous_until <= :now',
      { webhooks: webhooksTable(globals), now: timeText(now) },
    ),
  )
  return affectedRows
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
