import type { Db } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import type { WebhookFigures } from '../gauges.ts'
import { historyTable } from '../history/history-row.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { listWebhooks, SINCE_POSITION, type Webhook, webhooksTable } from './webhooks-table.ts'

/** Reads the figures of all webhooks. */
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

/** The webhooks of a site whose last try has failed, and those that the service has disabled, by id. */
export function listFailingWebhooks(
  db: Db,
  globals: GlobalTables,
  blogId: number,
): Promise<Webhook[]> {
  const fails = `((state = 'enabled' AND tries > 0) OR (reason IN ('failing', 'gone')))`
  return listWebhooks(db, globals, `blog_id = :blogId AND ${fails} ORDER BY id`, { blogId })
}
