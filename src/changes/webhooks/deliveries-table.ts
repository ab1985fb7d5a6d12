import type { Database, Db } from '../../db/database.ts'
import { timeText } from '../../db/gmt.ts'
import { insertRow, readRows } from '../../db/sql.ts'
import { pruneRows } from '../../db/tasks/prune-task.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Attempt } from '../../host/receivers/receiver-client.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import type { WebhookMessage } from './webhook-message.ts'
import { webhooksTable } from './webhooks-table.ts'

/** Tries of each webhook that are kept, and for how many days. */
export const KEPT_DELIVERIES = 500

/** A try to deliver a message. */
export type Delivery = Omit<WebhookMessage, 'body'> &
  Omit<Attempt, 'retryAfterMs'> & {
    readonly id: number
    /** 1 for the first try of the message; 0 if a client has asked for it. */
    readonly try: number
    readonly created_at: string
  }

export const deliveriesTable = ({ basePrefix }: Pick<GlobalTables, 'basePrefix'>): string =>
  `${basePrefix}svc_deliveries`

/** Records a try. @param number 0 if a client has asked for it @returns its id */
export async function insertDelivery(
  tx: Tx,
  globals: GlobalTables,
  webhookId: number,
  { body: _body, ...message }: WebhookMessage,
  { retryAfterMs: _pause, ...attempt }: Attempt,
  { number, at }: { readonly number: number; readonly at: Date },
): Promise<number> {
  const row = {
    webhook_id: webhookId,
    ...message,
    ...attempt,
    try: number,
    created_at: timeText(at),
  }
  return insertRow(tx, deliveriesTable(globals), row)
}

/** The tries of a webhook, newest first. @param before only those with smaller ids */
export function listDeliveries(
  db: Db,
  globals: GlobalTables,
  webhookId: number,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<Delivery[]> {
  return readRows(
    db,
    `SELECT id, message_id, type, since, message_end, events, status, http_status, \`try\`, ms, error, created_at
      FROM :deliveries: WHERE webhook_id = :webhookId${before === undefined ? '' : ' AND id < :before'}
      ORDER BY id DESC LIMIT :limit`,
    { deliveries: deliveriesTable(globals), webhookId, before: before ?? 0, limit },
  )
}

/** A try of a webhook; undefined if it is not kept. */
export async function findDelivery(
  db: Db,
  globals: GlobalTables,
  webhookId: number,
  id: number,
): Promise<Delivery | undefined> {
  const [found] = await listDeliveries(db, globals, webhookId, { before: id + 1, limit: 1 })
  return found?.id === id ? found : undefined
}

/** Deletes tries that are no longer kept, and those of deleted webhooks. @returns their number */
export async function pruneDeliveries(
  db: Database,
  globals: GlobalTables,
  signal: AbortSignal,
): Promise<number> {
  const table = deliveriesTable(globals)
  const values = { webhooks: webhooksTable(globals), days: db.timings.webhooks.keptDeliveryDays }
  const isOld = `created_at < NOW() - INTERVAL :days DAY
    OR NOT EXISTS (SELECT 1 FROM :webhooks: w WHERE w.id = webhook_id) ORDER BY id`
  let deleted = await pruneRows(db, { table, where: isOld, values }, signal)
  // Of each webhook, the newest of those that are too many.
  const beyond = await readRows<{ webhook_id: number; last: number }>(
    db,
    `SELECT webhook_id, MAX(id) AS last FROM
        (SELECT webhook_id, id, ROW_NUMBER() OVER (PARTITION BY webhook_id ORDER BY id DESC) AS age FROM :table:) tries
      WHERE age > ${KEPT_DELIVERIES} GROUP BY webhook_id`,
    { table },
  )
  for (const { webhook_id: id, last } of beyond) {
    const where = 'webhook_id = :id AND id <= :last ORDER BY id'
    deleted += await pruneRows(db, { table, where, values: { id, last } }, signal)
  }
  return deleted
}
