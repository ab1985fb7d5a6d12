import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { DUE_NOW } from '../../db/lease.ts'
import { AppError } from '../../errors.ts'
import { EVENT_TYPES, THING_KINDS } from '../../events/event.ts'
import { TIMINGS } from '../../timings.ts'
import { deliverMessage } from '../../webhooks/deliver-message.ts'
import {
  type Delivery,
  findDelivery,
  insertDelivery,
  KEPT_DELIVERIES,
  listDeliveries,
} from '../../webhooks/deliveries-table.ts'
import { MAX_RECEIVER_LENGTH, type Receivers, receiverAddress } from '../../webhooks/receivers.ts'
import { generateSecret, secretText } from '../../webhooks/sign-message.ts'
import {
  MAX_QUIET_TIMES,
  readNextMessage,
  testMessage,
  type WebhookMessage,
} from '../../webhooks/webhook-message.ts'
import {
  countWebhooks,
  DISABLED_REASONS,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  MAX_NETWORK_WEBHOOKS,
  MAX_SITE_WEBHOOKS,
  timeText,
  updateWebhook,
  type Webhook,
} from '../../webhooks/webhooks-table.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { defineForBoth, type Endpoint, type OwnerContext, type ResponseOf } from '../endpoint.ts'
import { pathId } from '../fields.ts'
import { limitField } from '../paging.ts'
import { pick } from '../pick.ts'
import { invalidParam } from '../sent-fields.ts'

/** The site whose webhooks a call is about; 0 for those of the network. */
const ownerOf = ({ site }: Pick<OwnerContext, 'site'>): number => site?.blogId ?? 0

/** @throws AppError `webhook_not_found` */
async function getWebhook(
  db: Db,
  call: Pick<OwnerContext, 'site'> & { readonly globals: GlobalTables },
  id: number,
  options: Parameters<typeof findWebhook>[4] = {},
): Promise<Webhook> {
  const webhook = await findWebhook(db, call.globals, ownerOf(call), id, options)
  if (webhook) return webhook
  throw new AppError('webhook_not_found', 'There is no webhook with this id. List the webhooks.')
}

/** Sites in the filter of a webhook of the network. */
export const MAX_WEBHOOK_SITES = 1000

const SENT_TYPES = EVENT_TYPES.filter((type) => type !== 'reset')
const SENT_KINDS = THING_KINDS.filter((kind) => kind !== 'pruning')

/** What a client sets, in the order in which it is shown. */
const settingFields = {
  url: z
    .string()
    .max(MAX_RECEIVER_LENGTH)
    .meta({
      description: 'Where messages are sent with POST: a public address with https.',
      examples: ['https://example.com/hooks/wp-frames'],
    }),
  types: z
    .array(z.enum(SENT_TYPES))
    .min(1)
    .max(SENT_TYPES.length)
    .nullable()
    .meta({
      description: 'Only changes of these types; null for all. A `reset` is always sent.',
      examples: [['published']],
    }),
  kinds: z
    .array(z.enum(SENT_KINDS))
    .min(1)
    .max(SENT_KINDS.length)
    .nullable()
    .meta({
      description: 'Only things of these kinds; null for all except webhooks.',
      examples: [['page']],
    }),
  sites: z
    .array(z.int().positive())
    .min(1)
    .max(MAX_WEBHOOK_SITES)
    .nullable()
    .meta({
      description: 'Of a webhook of the network, only these sites; null for all.',
      examples: [[2, 5]],
    }),
  quiet_seconds: z
    .int()
    .min(0)
    .max(TIMINGS.webhooks.maxQuietSeconds)
    .describe(
      `Changes are collected into one message, which is sent when nothing more has changed for so many seconds, at the latest after ${MAX_QUIET_TIMES} times as long.`,
    ),
}

/** `since` of a body. */
const sinceField = z
  .string()
  .max(40)
  .meta({
    description:
      'A cursor of the feed: the changes after it are sent. `now` leaves out what was not sent yet, an older one sends changes again.',
    examples: ['1207-4f1c2d3e'],
  })

const time = z.string().nullable()

const WebhookSchema = z
  .object({
    id: z.int(),
    site_id: z.int().meta({ description: '0 for a webhook of the network.', examples: [2] }),
    ...settingFields,
    enabled: z.boolean(),
    disabled_reason: z
      .enum(DISABLED_REASONS)
      .nullable()
      .describe(
        '`failing`: no try was accepted. `gone`: the receiver answered 410. `request`: a client has disabled it. `copied`: the database is a copy.',
      ),
    disabled_at: time,
    since: z.string().meta({
      description: 'The cursor behind the last change that was delivered.',
      examples: ['1207-4f1c2d3e'],
    }),
    tries: z.int().describe('Failed tries of the message that is next.'),
    failing_since: time,
    next_try_at: time,
    last_error: z.string().nullable(),
    former_secret_until: time.describe(
      `Until then, messages have a second signature with the former secret: ${TIMINGS.webhooks.rotationHours} hours after a rotation.`,
    ),
    created_at: z
      .string()
      .meta({ description: 'GMT, as all times.', examples: ['2026-03-01 09:30:00.250'] }),
  })
  .meta({ id: 'Webhook', description: 'A receiver of changes, without its secret.' })

const presentWebhook = (webhook: Webhook): ResponseOf<typeof WebhookSchema> =>
  pick(WebhookSchema, {
    ...webhook,
    ...(webhook.filter as Pick<ResponseOf<typeof WebhookSchema>, 'types' | 'kinds' | 'sites'>),
    site_id: webhook.blogId,
    quiet_seconds: webhook.quietSeconds,
    enabled: webhook.state === 'enabled',
    disabled_reason: webhook.reason,
    disabled_at: webhook.disabledAt,
    failing_since: webhook.failingSince,
    next_try_at: webhook.tries > 0 && webhook.state === 'enabled' ? webhook.nextAt : null,
    last_error: webhook.error,
    former_secret_until: webhook.previousUntil,
    created_at: webhook.createdAt,
  })

/** `secret` of a response. */
const secretField = z.string().meta({
  description:
    'The key of the signatures, as receivers need it. It is in no other response: store it now.',
  examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
})

/** @throws AppError `rest_invalid_param` for settings that are not possible there */
function assertPossible(
  receivers: Receivers,
  blogId: number,
  { url, sites }: { readonly url?: string | undefined; readonly sites?: unknown },
): void {
  const fault = url === undefined ? undefined : receivers.findFault(url)
  if (fault !== undefined) throw invalidParam('url', fault)
  if (blogId !== 0 && sites != null)
    throw invalidParam(
      'sites',
      'must be left out: a webhook of a site sends changes of its own site',
    )
}

/** No tool of MCP clients: a text that misleads a model could have it send changes elsewhere, and secrets are not for its context. */
const ofWebhooks = { scope: 'all', isTool: false, isOfService: true } as const

const { url, types, kinds, sites, quiet_seconds } = settingFields
const optionalFields = {
  types: types.optional(),
  kinds: kinds.optional(),
  sites: sites.optional(),
  quiet_seconds: quiet_seconds.optional(),
  since: sinceField.optional(),
}

const params = z.object({ id: pathId('Id of the webhook.', '3') })

const listWebhooksEndpoints = defineForBoth({
  ...ofWebhooks,
  name: 'listWebhooks',
  method: 'get',
  path: '/webhooks',
  summary: 'List the webhooks of the site, with their failures',
  response: z.object({ webhooks: z.array(WebhookSchema) }),
  async read(call) {
    const { db, globals } = call
    const blogId = ownerOf(call)
    const webhooks = await listWebhooks(db, globals, 'blog_id = :blogId ORDER BY id', { blogId })
    return { webhooks: webhooks.map(presentWebhook) }
  },
})

const getWebhookEndpoints = defineForBoth({
  ...ofWebhooks,
  name: 'getWebhook',
  method: 'get',
  path: '/webhooks/:id',
  summary: 'Read one webhook of the site',
  params,
  response: z.object({ webhook: WebhookSchema }),
  errors: ['webhook_not_found'],
  async read(call) {
    return { webhook: presentWebhook(await getWebhook(call.db, call, call.params.id)) }
  },
})

const createWebhookEndpoints = defineForBoth({
  ...ofWebhooks,
  name: 'createWebhook',
  method: 'post',
  path: '/webhooks',
  summary: 'Create a webhook of the site; the only response that contains its secret',
  description:
    'Messages follow the specification of Standard Webhooks, and repeat what the feed of changes has. See docs/events.md.',
  body: z.object({ url, ...optionalFields }),
  example: { url: 'https://example.com/hooks/wp-frames', types: ['published'], quiet_seconds: 5 },
  response: z.object({ webhook: WebhookSchema, secret: secretField }),
  errors: ['too_many_webhooks'],
  async prepare(call) {
    const { webhookSender, body } = call
    assertPossible(webhookSender.receivers, ownerOf(call), body)
    return { since: await cursorOf(call, body.since ?? 'now'), secret: generateSecret() }
  },
  async write(tx, call, { since, secret }) {
    const { globals, body, now } = call
    const { url, types = null, kinds = null, sites = null, quiet_seconds = 0 } = body
    const blogId = ownerOf(call)
    const most = blogId === 0 ? MAX_NETWORK_WEBHOOKS : MAX_SITE_WEBHOOKS
    if ((await countWebhooks(tx, globals, blogId)) >= most) throw tooMany(most)
    const settings = {
      url: receiverAddress(url),
      filter: { types, kinds, sites },
      quietSeconds: quiet_seconds,
      secret,
      since,
    }
    const id = await insertWebhook(tx, globals, blogId, settings, now())
    const webhook = await getWebhook(tx, call, id)
    return { body: { webhook: presentWebhook(webhook), secret: secretText(secret) } }
  },
})

const tooMany = (most: number): AppError =>
  new AppError(
    'too_many_webhooks',
    `There are ${most} webhooks already, as many as there can be. Delete one, or let its receiver pass messages on.`,
    { limit: most },
  )

/** A cursor that is stored. @throws AppError `rest_invalid_param` */
const cursorOf = async (
  { changes, site }: Pick<OwnerContext, 'changes' | 'site'>,
  since: string,
): Promise<string> => {
  const { cursor } = await changes.read(site?.blogId, since, 1)
  return since === 'now' ? cursor : since
}

const updateWebhookEndpoints = defineForBoth({
  ...ofWebhooks,
  name: 'updateWebhook',
  method: 'patch',
  path: '/webhooks/:id',
  summary:
    'Change, enable or disable a webhook of the site, or send changes again from a cursor on',
  description:
    'Fields that are left out stay as they are. The next message is tried at once. A webhook that is enabled again goes on at its cursor; `since` sets another one.',
  params,
  body: z.object({
    url: url.optional(),
    ...optionalFields,
    enabled: z.boolean().optional().describe('False: it keeps its cursor, and nothing is sent.'),
  }),
  example: { enabled: true, since: '1207-4f1c2d3e' },
  response: z.object({ webhook: WebhookSchema }),
  errors: ['webhook_not_found'],
  async prepare(call) {
    const { webhookSender, body } = call
    assertPossible(webhookSender.receivers, ownerOf(call), body)
    return body.since === undefined ? undefined : cursorOf(call, body.since)
  },
  async write(tx, call, since) {
    const { globals, params, body, now } = call
    const before = await getWebhook(tx, call, params.id, { lock: true })
    await updateWebhook(tx, globals, before, changesOf(before, { ...body, since }, now()))
    return { body: { webhook: presentWebhook(await getWebhook(tx, call, params.id)) } }
  },
})

function changesOf(
  { filter, ...before }: Webhook,
  body: {
    readonly [Name in 'url' | 'types' | 'kinds' | 'sites' | 'quiet_seconds']?: unknown
  } & { readonly enabled?: boolean | undefined; readonly since?: string | undefined },
  now: Date,
): Partial<Webhook> {
  const { url, types, kinds, sites, quiet_seconds, enabled, since } = body
  const filters = Object.entries({ types, kinds, sites }).filter(([, value]) => value !== undefined)
  const isOther = filters.length > 0 || quiet_seconds !== undefined || since !== undefined
  return {
    ...(url === undefined ? {} : { url: receiverAddress(url as string) }),
    ...(filters.length === 0 ? {} : { filter: { ...filter, ...Object.fromEntries(filters) } }),
    ...(quiet_seconds === undefined ? {} : { quietSeconds: quiet_seconds as number }),
    ...(since === undefined ? {} : { since }),
    // Another filter makes another message of the same changes.
    ...(isOther ? { messageEnd: null } : {}),
    ...(enabled === true && before.state === 'disabled' ? ENABLED : {}),
    ...(enabled === false && before.state === 'enabled'
      ? { state: 'disabled', reason: 'request', disabledAt: timeText(now) }
      : {}),
    tries: 0,
    nextAt: DUE_NOW,
  }
}

const ENABLED = { state: 'enabled', reason: null, disabledAt: null } as const

const rotateWebhookSecretEndpoints = defineForBoth({
  ...ofWebhooks,
  name: 'rotateWebhookSecret',
  method: 'post',
  path: '/webhooks/:id/rotate',
  summary: 'Give a webhook of the site a new secret; the only response that contains it',
  description: `For ${TIMINGS.webhooks.rotationHours} hours, messages have a signature with each of the two, so that receivers can change theirs meanwhile.`,
  params,
  response: z.object({ webhook: WebhookSchema, secret: secretField }),
  errors: ['webhook_not_found'],
  async write(tx, call) {
    const { globals, params, now } = call
    const secret = generateSecret()
    const until = new Date(now().getTime() + tx.timings.webhooks.rotationHours * 3_600_000)
    const before = await getWebhook(tx, call, params.id, { lock: true })
    const rotated = { secret, previousSecret: before.secret, previousUntil: timeText(until) }
    await updateWebhook(tx, globals, before, rotated)
    const webhook = await getWebhook(tx, call, params.id)
    return { body: { webhook: presentWebhook(webhook), secret: secretText(secret) } }
  },
})

const deleteWebhookEndpoints = defineForBoth({
  ...ofWebhooks,
  name: 'deleteWebhook',
  method: 'delete',
  path: '/webhooks/:id',
  summary: 'Delete a webhook of the site',
  params,
  response: z.object({ id: z.int() }),
  errors: ['webhook_not_found'],
  async write(tx, call) {
    const webhook = await getWebhook(tx, call, call.params.id, { lock: true })
    await deleteWebhook(tx, call.globals, webhook)
    return { body: { id: webhook.id } }
  },
})

/** Deliveries on a page. */
export const DELIVERIES_PER_PAGE = { max: 100, byDefault: 20 }

const DeliverySchema = z
  .object({
    id: z.int(),
    message_id: z.string().meta({
      description: '`webhook-id` of the message: the same for each try.',
      examples: ['msg_3_1204_1207-4f1c2d3e'],
    }),
    type: z.string().meta({ examples: ['changes.published'] }),
    since: z.string().describe('The cursor before the changes of the message.'),
    cursor: z.string().describe('The cursor behind them.'),
    events: z.int().describe('Number of changes.'),
    status: z.enum(['delivered', 'failed']),
    http_status: z.int().nullable().describe('What the receiver answered; null without an answer.'),
    try: z.int().describe('1 for the first try; 0 for one that a client has asked for.'),
    ms: z.int(),
    error: z.string().nullable(),
    at: z.string().meta({ description: 'GMT.', examples: ['2026-03-01 09:30:00.250'] }),
  })
  .meta({ id: 'WebhookDelivery', description: 'A try to deliver a message.' })

const presentDelivery = (delivery: Delivery): ResponseOf<typeof DeliverySchema> =>
  pick(DeliverySchema, { ...delivery, cursor: delivery.message_end, at: delivery.created_at })

const listDeliveriesEndpoints = defineForBoth({
  ...ofWebhooks,
  name: 'listDeliveries',
  method: 'get',
  path: '/webhooks/:id/deliveries',
  summary: 'List what was sent to a webhook of the site, newest first',
  description: `The last ${KEPT_DELIVERIES} tries are kept for ${TIMINGS.webhooks.keptDeliveryDays} days.`,
  params,
  query: z.object({
    before: z.coerce.number().int().min(1).optional().describe('`next` of the page before.'),
    limit: limitField('Deliveries', DELIVERIES_PER_PAGE),
  }),
  response: z.object({
    deliveries: z.array(DeliverySchema),
    next: z.int().nullable().describe('`before` of the next page; null on the last one.'),
  }),
  errors: ['webhook_not_found'],
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

const testWebhookEndpoints = defineForBoth({
  ...ofWebhooks,
  name: 'testWebhook',
  path: '/webhooks/:id/test',
  summary: 'Send a message of the type `test` to a webhook of the site, and report the answer',
  description: 'It is sent once, also if the webhook is disabled, and has no changes.',
  ...sent,
  params,
  errors: ['webhook_not_found'],
  async act(call) {
    const webhook = await getWebhook(call.db, call, call.params.id)
    return { delivery: await sendNow(call, webhook, testMessage(webhook)) }
  },
})

const replayDeliveryEndpoints = defineForBoth({
  ...ofWebhooks,
  name: 'replayDelivery',
  path: '/webhooks/:id/replay',
  summary: 'Send a message again to a webhook of the site, and report the answer',
  description:
    'It is sent once, with its `webhook-id`, and the webhook goes on where it is. To send all changes again from a cursor on, set `since` of the webhook.',
  ...sent,
  params,
  body: z.object({ delivery: z.int().positive().describe('Id of a delivery.') }),
  example: { delivery: 120 },
  errors: ['webhook_not_found', 'delivery_not_found'],
  async act(call) {
    const { db, globals, changes, now, body } = call
    const webhook = await getWebhook(db, call, call.params.id)
    const delivery = await findDelivery(db, globals, webhook.id, body.delivery)
    if (!delivery) throw notFound('There is no such delivery, or it is not kept any more.')
    const { message_id, type, since, message_end: messageEnd } = delivery
    const found = await readNextMessage(changes, { ...webhook, since, messageEnd }, now())
    const message = found.next === 'message' ? found.message : undefined
    if (message?.id !== message_id || message.type !== type)
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
    deliverMessage(webhookSender, webhook, message, at),
  )
  return db.write({ site: call.site && { blogId: call.site.blogId } }, async (tx) => {
    const id = await insertDelivery(tx, globals, webhook.id, message, { ...attempt, try: 0, at })
    const stored = await findDelivery(tx, globals, webhook.id, id)
    if (!stored) throw notFound('The webhook was deleted meanwhile.')
    return presentDelivery(stored)
  })
}

/** Of two paths that fit a request, the first is taken. */
export const endpoints: readonly Endpoint[] = [
  ...listWebhooksEndpoints,
  ...createWebhookEndpoints,
  ...getWebhookEndpoints,
  ...updateWebhookEndpoints,
  ...rotateWebhookSecretEndpoints,
  ...deleteWebhookEndpoints,
  ...listDeliveriesEndpoints,
  ...testWebhookEndpoints,
  ...replayDeliveryEndpoints,
]
