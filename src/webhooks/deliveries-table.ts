import type { Database, Db } from '../db/database.ts'
import { readRows, runStatement } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import type { MessageType, WebhookMessage } from './webhook-message.ts'
import type { Attempt } from './webhook-sender.ts'
import { timeText, webhooksTable } from './webhooks-table.ts'

/** Tries of each webhook that are kept, and for how many days. */
export const KEPT_DELIVERIES = 500
/** Rows that one statement deletes. */
const PRUNED_AT_ONCE = 1000

/** A try to deliver a message. */
export type Delivery = {
  readonly id: number
  readonly message_id: string
  readonly type: MessageType
  readonly since: string
  readonly message_end: string
  readonly events: number
  readonly status: 'delivered' | 'failed'
  readonly http_status: number | null
  /** 1 for the first try of the message; 0 if a client has asked for it. */
  readonly try: number
  readonly ms: number
  readonly error: string | null
  readonly created_at: string
}

export const deliveriesTable = ({ basePrefix }: Pick<GlobalTables, 'basePrefix'>): string =>
  `${basePrefix}svc_deliveries`

/** Records a try. @returns its id */
export async function insertDelivery(
  tx: Tx,
  globals: GlobalTables,
  webhookId: number,
  message: WebhookMessage,
  attempt: Attempt & { readonly try: number; readonly at: Date },
): Promise<number> {
  const [id] = await tx.sql(deliveriesTable(globals)).insert({
    webhook_id: webhookId,
    message_id: message.id,
    type: message.type,
    since: message.since,
    message_end: message.end,
    events: message.eventsTotal,
    status: attempt.outcome === 'delivered' ? 'delivered' : 'failed',
    http_status: attempt.status,
    try: attempt.try,
    ms: attempt.ms,
    error: attempt.error,
    created_at: timeText(attempt.at),
  })
  return Number(id)
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
  { now, signal }: { readonly now: Date; readonly signal: AbortSignal },
): Promise<number> {
  const tables = { deliveries: deliveriesTable(globals), webhooks: webhooksTable(globals) }
  const oldest = timeText(
    new Date(now.getTime() - db.timings.webhooks.keptDeliveryDays * 86_400_000),
  )
  const known = await readRows<{ id: number }>(db, 'SELECT id FROM :webhooks:', tables)
  const ids = known.map(({ id }) => id)
  const ofOthers = ids.length === 0 ? 'TRUE' : 'webhook_id NOT IN (:ids)'
  let deleted = await pruneWhere(db, signal, `created_at < :oldest OR ${ofOthers}`, {
    ...tables,
    oldest,
    ids,
  })
  for (const id of ids) {
    const [last] = await readRows<{ id: number }>(
      db,
      `SELECT id FROM :deliveries: WHERE webhook_id = :id ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_DELIVERIES}`,
      { ...tables, id },
    )
    if (last)
      deleted += await pruneWhere(db, signal, 'webhook_id = :id AND id <= :last', {
        ...tables,
        id,
        last: last.id,
      })
  }
  return deleted
}

async function pruneWhere(
  db: Database,
  signal: AbortSignal,
  condition: string,
  values: Parameters<typeof runStatement>[2],
): Promise<number> {
  let deleted = 0
  for (let step = PRUNED_AT_ONCE; step === PRUNED_AT_ONCE && !signal.aborted; deleted += step) {
    step = await db.write({ isWork: true, isStatement: true }, async (tx) => {
      const text = `DELETE FROM :deliveries: WHERE ${condition} LIMIT ${PRUNED_AT_ONCE}`
      return (await runStatement(tx, text, values)).affectedRows
    })
  }
  return deleted
}
