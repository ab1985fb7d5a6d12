import { z } from 'zod'
import {
  type Delivery,
  findDelivery,
  insertDelivery,
  KEPT_DELIVERIES,
  listDeliveries,
} from '../../changes/webhooks/deliveries-table.ts'
import {
  readNextMessage,
  testMessage,
  type WebhookMessage,
} from '../../changes/webhooks/webhook-message.ts'
import type { Webhook } from '../../changes/webhooks/webhooks-table.ts'
import { AppError } from '../../host/errors.ts'
import { TIMINGS } from '../../host/timings.ts'
import { field, nullable, optional } from '../described.ts'
import { defineForBoth, type Endpoint, type OwnerContext, type ResponseOf } from '../endpoint.ts'
import { limitField } from '../paging.ts'
import { pick } from '../pick.ts'
import { getWebhook, ofWebhook, ownerOf } from './webhooks.ts'

/** Deliveries on a page. */
export const DELIVERIES_PER_PAGE = { max: 100, byDefault: 20 }

const DeliverySchema = z
  .object({
    id: z.int(),
    message_id: field(
      z.string(),
      '`webhook-id` of the message: the same for each try.',
      'msg_3_1204_1207-4f1c2d3e',
    ),
    type: z.string().meta({ examples: ['changes.published'] }),
    since: z.string().describe('The cursor before the changes of the message.'),
    cursor: z.string().describe('The cursor behind them.'),
    events: z.int().describe('Number of changes.'),
    status: z.enum(['delivered', 'failed']),
    http_status: nullable(z.int(), 'What the receiver answered; null without an answer.'),
    try: z.int().describe('1 for the first try; 0 for one that a client has asked for.'),
    ms: z.int(),
    error: z.string().nullable(),
    at: field(z.string(), 'GMT.', '2026-03-01 09:30:00.250'),
  })
  .meta({ id: 'WebhookDelivery', description: 'A try to deliver a message.' })

const presentDelivery = (delivery: Delivery): ResponseOf<typeof DeliverySchema> =>
  pick(DeliverySchema, { ...delivery, cursor: delivery.message_end, at: delivery.created_at })

const listDeliveriesEndpoints = defineForBoth({
  ...ofWebhook,
  name: 'listDeliveries',
  method: 'get',
  path: '/webhooks/:id/deliveries',
  summary: 'List what was sent to a webhook of the site, newest first',
  command: {
    name: 'webhooks deliveries',
    summary: 'list what was sent to a webhook, newest first',
    args: ['id'],
    options: { before: false },
    list: {
      rows: 'deliveries',
      noun: 'delivery',
      id: 'id',
      shown: ['id', 'at', 'type', 'status', 'http_status', 'try', 'ms', 'error'],
      limit: 20,
    },
    examples: ['wp-frames webhooks deliveries 3 --site 2'],
  },
  description: `The last ${KEPT_DELIVERIES} tries are kept for ${TIMINGS.webhooks.keptDeliveryDays} days.`,
  query: z.object({
    before: optional(z.coerce.number().int().min(1), '`next` of the page before.'),
    limit: limitField('Deliveries', DELIVERIES_PER_PAGE),
  }),
  response: z.object({
    deliveries: z.array(DeliverySchema),
    next: nullable(z.int(), '`before` of the next page; null on the last one.'),
  }),
  async read(call) {
    const { db, globals, query } = call
    const { before, limit = DELIVERIES_PER_PAGE.byDefault } = query
    const { id } = await getWebhook(db, call, call.params.id)
    const found = await listDeliveries(db, globals, id, { before, limit: limit + 1 })
    const shown = found.slice(0, limit)
    return {
      deliveries: shown.map(presentDelivery),
      next: found.length > limit ? (shown.at(-1)?.id ?? null) : null,
    }
  },
})

const sent = {
  method: 'post',
  response: z.object({ delivery: DeliverySchema }),
  // Receivers know the message by its id.
  repeatable: true,
} as const

/** What the commands print of a try. */
const REPORT = [
  '{delivery.status} after {delivery.ms} ms.',
  'The receiver answers {delivery.http_status}.',
  '{delivery.error}',
]

const testWebhookEndpoints = defineForBoth({
  ...ofWebhook,
  name: 'testWebhook',
  path: '/webhooks/:id/test',
  summary: 'Send a message of the type `test` to a webhook of the site, and report the answer',
  command: {
    name: 'webhooks test',
    summary: 'send a test message to a webhook, and report the answer',
    args: ['id'],
    text: REPORT,
    examples: ['wp-frames webhooks test 3 --site 2'],
  },
  description: 'It is sent once, also if the webhook is disabled, and has no changes.',
  ...sent,
  async act(call) {
    const webhook = await getWebhook(call.db, call, call.params.id)
    return { delivery: await sendNow(call, webhook, testMessage(webhook)) }
  },
})

const replayDeliveryEndpoints = defineForBoth({
  ...ofWebhook,
  name: 'replayDelivery',
  path: '/webhooks/:id/replay',
  summary: 'Send a message again to a webhook of the site, and report the answer',
  command: {
    name: 'webhooks replay',
    summary: 'send a message again to a webhook, and report the answer',
    args: ['id', 'delivery'],
    text: REPORT,
    examples: ['wp-frames webhooks replay 3 120 --site 2'],
  },
  description:
    'It is sent once, with its `webhook-id`, and the webhook goes on where it is. To send all changes again from a cursor on, set `since` of the webhook.',
  ...sent,
  body: z.object({ delivery: z.int().positive().describe('Id of a delivery.') }),
  example: { delivery: 120 },
  errors: ['webhook_not_found', 'delivery_not_found'],
  async act(call) {
    const { db, globals, changes, body } = call
    const webhook = await getWebhook(db, call, call.params.id)
    const delivery = await findDelivery(db, globals, webhook.id, body.delivery)
    if (!delivery) throw notFound('There is no such delivery, or it is not kept any more.')
    const { message_id, type, since, message_end } = delivery
    const { message } = await readNextMessage(changes, { ...webhook, since, message_end })
    if (message?.message_id !== message_id || message.type !== type)
      throw notFound(
        'The message cannot be sent as it was: the webhook has another filter now, or the changes are not kept any more.',
      )
    return { delivery: await sendNow(call, webhook, message) }
  },
})

const notFound = (message: string): AppError => new AppError('delivery_not_found', message)

/** Sends a message once, and records it. */
async function sendNow(
  call: OwnerContext,
  webhook: Webhook,
  message: WebhookMessage,
): Promise<ResponseOf<typeof DeliverySchema>> {
  const { db, globals, now, webhookSender } = call
  const at = now()
  const attempt = await webhookSender.byHand(ownerOf(call), call.caller.user.id, () =>
    webhookSender.deliver(webhook, message, at),
  )
  return db.write({ site: call.site && { blogId: call.site.blogId } }, async (tx) => {
    const id = await insertDelivery(tx, globals, webhook.id, message, attempt, { number: 0, at })
    const stored = await findDelivery(tx, globals, webhook.id, id)
    if (!stored) throw notFound('The webhook was deleted meanwhile.')
    return presentDelivery(stored)
  })
}

export const endpoints: readonly Endpoint[] = [
  ...listDeliveriesEndpoints,
  ...testWebhookEndpoints,
  ...replayDeliveryEndpoints,
]
