import { z } from 'zod'
import { THING_KINDS } from '../../changes/events/event.ts'
import { EVENT_TYPES } from '../../changes/events/event-types.ts'
import { generateSecret, secretText } from '../../changes/webhooks/sign-message.ts'
import {
  DISABLED_REASONS,
  deleteWebhook,
  insertWebhook,
  listWebhooks,
  MAX_NETWORK_WEBHOOKS,
  MAX_SITE_WEBHOOKS,
  updateWebhook,
  type Webhook,
} from '../../changes/webhooks/webhooks-table.ts'
import type { Db } from '../../db/database.ts'
import { timeText } from '../../db/gmt.ts'
import { DUE_NOW } from '../../db/lease.ts'
import { AppError } from '../../host/errors.ts'
import {
  MAX_RECEIVER_LENGTH,
  type Receivers,
  receiverAddress,
} from '../../host/receivers/receivers.ts'
import { TIMINGS } from '../../host/timings.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { field, nullable, optional } from '../described.ts'
import { defineForBoth, type Endpoint, type OwnerContext, type ResponseOf } from '../endpoint.ts'
import { pathId } from '../fields.ts'
import { pick } from '../pick.ts'
import { invalidParam } from '../sent-fields.ts'

/** The site whose webhooks a call is about; 0 for those of the network. */
export const ownerOf = ({ site }: Pick<OwnerContext, 'site'>): number => site?.blogId ?? 0

/** @throws AppError `webhook_not_found` */
export async function getWebhook(
  db: Db,
  call: Pick<OwnerContext, 'site'> & { readonly globals: GlobalTables },
  id: number,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<Webhook> {
  const condition = `id = :id AND blog_id = :blogId${lock ? ' FOR UPDATE' : ''}`
  const values = { id, blogId: ownerOf(call) }
  const [webhook] = await listWebhooks(db, call.globals, condition, values)
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
  types: nullable(
    z.array(z.enum(SENT_TYPES)).min(1).max(SENT_TYPES.length),
    'Only changes of these types; null for all. A `reset` is always sent.',
    ['published'],
  ),
  kinds: nullable(
    z.array(z.enum(SENT_KINDS)).min(1).max(SENT_KINDS.length),
    'Only things of these kinds; null for all except webhooks.',
    ['page'],
  ),
  sites: nullable(
    z.array(z.int().positive()).min(1).max(MAX_WEBHOOK_SITES),
    'Of a webhook of the network, only these sites; null for all.',
    [2, 5],
  ),
}

/** `since` of a body. */
const sinceField = field(
  z.string().max(40),
  'A cursor of the events: the changes after it are sent. `now` leaves out what was not sent yet, an older one sends changes again.',
  '1207-4f1c2d3e',
)

const time = z.string().nullable()

const WebhookSchema = z
  .object({
    id: z.int(),
    site_id: field(z.int(), '0 for a webhook of the network.', 2),
    ...settingFields,
    enabled: z.boolean(),
    disabled_reason: nullable(
      z.enum(DISABLED_REASONS),
      '`failing`: no try was accepted. `gone`: the receiver answered 410. `request`: a client has disabled it. `copied`: the database is a copy.',
    ),
    disabled_at: time,
    since: field(
      z.string(),
      'The cursor behind the last change that was delivered.',
      '1207-4f1c2d3e',
    ),
    tries: z.int().describe('Failed tries of the message that is next.'),
    failing_since: time,
    next_try_at: time,
    last_error: z.string().nullable(),
    former_secret_until: time.describe(
      `Until then, messages have a second signature with the former secret: ${TIMINGS.webhooks.rotationHours} hours after a rotation.`,
    ),
    created_at: field(z.string(), 'GMT, as all times.', '2026-03-01 09:30:00.250'),
  })
  .meta({ id: 'Webhook', description: 'A receiver of changes, without its secret.' })

const presentWebhook = (webhook: Webhook): ResponseOf<typeof WebhookSchema> =>
  pick(WebhookSchema, {
    ...webhook,
    ...(webhook.filter as Pick<ResponseOf<typeof WebhookSchema>, 'types' | 'kinds' | 'sites'>),
    site_id: webhook.blog_id,
    enabled: webhook.state === 'enabled',
    disabled_reason: webhook.reason,
    next_try_at: webhook.tries > 0 && webhook.state === 'enabled' ? webhook.next_at : null,
    last_error: webhook.error,
    former_secret_until: webhook.previous_until,
  })

/** `secret` of a response. */
const secretField = field(
  z.string(),
  'The key of the signatures, as receivers need it. It is in no other response: store it now.',
  'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
)

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

const { url, ...filterFields } = settingFields
const optionalFields = z.object({ ...filterFields, since: sinceField }).partial().shape

/** What the endpoints of one webhook have in common. */
export const ofWebhook = {
  ...ofWebhooks,
  params: z.object({ id: pathId('Id of the webhook.', '3') }),
  errors: ['webhook_not_found'],
} as const

const listWebhooksEndpoints = defineForBoth({
  ...ofWebhooks,
  name: 'listWebhooks',
  method: 'get',
  path: '/webhooks',
  summary: 'List the webhooks of the site, with their failures',
  command: {
    name: 'webhooks list',
    summary: 'list the webhooks of a site or of the network, with their failures',
    list: {
      rows: 'webhooks',
      noun: 'webhook',
      id: 'id',
      shown: ['id', 'url', 'types=all', 'enabled', 'failing_since=-', 'last_error'],
    },
    examples: [
      'wp-frames webhooks list',
      'wp-frames webhooks list --site 2 --fields id,url,enabled',
    ],
  },
  response: z.object({ webhooks: z.array(WebhookSchema) }),
  async read(call) {
    const { db, globals } = call
    const blogId = ownerOf(call)
    const webhooks = await listWebhooks(db, globals, 'blog_id = :blogId ORDER BY id', { blogId })
    return { webhooks: webhooks.map(presentWebhook) }
  },
})

const getWebhookEndpoints = defineForBoth({
  ...ofWebhook,
  name: 'getWebhook',
  method: 'get',
  path: '/webhooks/:id',
  summary: 'Read one webhook of the site',
  command: {
    name: 'webhooks show',
    summary: 'print a webhook as JSON',
    args: ['id'],
    examples: ['wp-frames webhooks show 3 --site 2'],
  },
  response: z.object({ webhook: WebhookSchema }),
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
  command: {
    name: 'webhooks create',
    summary: 'create a webhook and print its secret once',
    args: ['url'],
    options: { sites: 'sites' },
    text: ['{secret}'],
    note: ['This is webhook {webhook.id}. To delete it: wp-frames webhooks delete {webhook.id}'],
    examples: [
      'wp-frames webhooks create https://example.com/hooks/wp-frames --site 2 --types published',
    ],
  },
  description:
    'Messages follow the specification of Standard Webhooks, and repeat the events of `GET …/changes`. See docs/events.md.',
  body: z.object({ url, ...optionalFields }),
  example: { url: 'https://example.com/hooks/wp-frames', types: ['published'] },
  response: z.object({ webhook: WebhookSchema, secret: secretField }),
  errors: ['too_many_webhooks'],
  async prepare(call) {
    const { webhookSender, body } = call
    assertPossible(webhookSender.receivers, ownerOf(call), body)
    return { since: await cursorOf(call, body.since ?? 'now'), secret: generateSecret() }
  },
  async write(tx, call, { since, secret }) {
    const { globals, body, now } = call
    const { url, types = null, kinds = null, sites = null } = body
    const blogId = ownerOf(call)
    const most = blogId === 0 ? MAX_NETWORK_WEBHOOKS : MAX_SITE_WEBHOOKS
    // They are locked, so that transactions which add one come one after the other.
    const others = await listWebhooks(tx, globals, 'blog_id = :blogId FOR UPDATE', { blogId })
    if (others.length >= most) throw tooMany(most)
    const settings = {
      url: receiverAddress(url),
      filter: { types, kinds, sites },
      secret,
      since,
    }
    const id = await insertWebhook(tx, globals, blogId, settings, timeText(now()))
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
  const { cursor } = await changes.read(site?.blogId, since, { limit: 1, urls: false })
  return since === 'now' ? cursor : since
}

const updateWebhookEndpoints = defineForBoth({
  ...ofWebhook,
  name: 'updateWebhook',
  method: 'patch',
  path: '/webhooks/:id',
  summary:
    'Change, enable or disable a webhook of the site, or send changes again from a cursor on',
  command: {
    name: 'webhooks update',
    summary: 'change a webhook, or send changes again from a cursor on',
    args: ['id'],
    text: ['The webhook {webhook.id} sends to {webhook.url}.'],
    examples: ['wp-frames webhooks update 3 --site 2 --since 1207-4f1c2d3e'],
  },
  description:
    'Fields that are left out stay as they are. The next message is tried at once. A webhook that is enabled again goes on at its cursor; `since` sets another one.',
  body: z.object({
    url: url.optional(),
    ...optionalFields,
    enabled: optional(z.boolean(), 'False: it keeps its cursor, and nothing is sent.'),
  }),
  example: { enabled: true, since: '1207-4f1c2d3e' },
  response: z.object({ webhook: WebhookSchema }),
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
    readonly [Name in 'url' | 'types' | 'kinds' | 'sites']?: unknown
  } & { readonly enabled?: boolean | undefined; readonly since?: string | undefined },
  now: Date,
): Partial<Webhook> {
  const { url, types, kinds, sites, enabled, since } = body
  const filters = Object.entries({ types, kinds, sites }).filter(([, value]) => value !== undefined)
  const isOther = filters.length > 0 || since !== undefined
  return {
    ...(url === undefined ? {} : { url: receiverAddress(url as string) }),
    ...(filters.length === 0 ? {} : { filter: { ...filter, ...Object.fromEntries(filters) } }),
    ...(since === undefined ? {} : { since }),
    // Another filter makes another message of the same changes.
    ...(isOther ? { message_end: null } : {}),
    ...(enabled === true && before.state === 'disabled' ? ENABLED : {}),
    ...(enabled === false && before.state === 'enabled'
      ? { state: 'disabled', reason: 'request', disabled_at: timeText(now) }
      : {}),
    tries: 0,
    next_at: DUE_NOW,
  }
}

const ENABLED = { state: 'enabled', reason: null, disabled_at: null } as const

const rotateWebhookSecretEndpoints = defineForBoth({
  ...ofWebhook,
  name: 'rotateWebhookSecret',
  method: 'post',
  path: '/webhooks/:id/rotate',
  summary: 'Give a webhook of the site a new secret; the only response that contains it',
  command: {
    name: 'webhooks rotate',
    summary: 'give a webhook a new secret and print it once',
    args: ['id'],
    text: ['{secret}'],
    examples: ['wp-frames webhooks rotate 3 --site 2'],
  },
  description: `For ${TIMINGS.webhooks.rotationHours} hours, messages have a signature with each of the two, so that receivers can change theirs meanwhile.`,
  response: z.object({ webhook: WebhookSchema, secret: secretField }),
  async write(tx, call) {
    const { globals, params, now } = call
    const secret = generateSecret()
    const until = new Date(now().getTime() + tx.timings.webhooks.rotationHours * 3_600_000)
    const before = await getWebhook(tx, call, params.id, { lock: true })
    const rotated = {
      secret,
      previous_secret: before.secret,
      previous_until: timeText(until),
    }
    await updateWebhook(tx, globals, before, rotated)
    const webhook = await getWebhook(tx, call, params.id)
    return { body: { webhook: presentWebhook(webhook), secret: secretText(secret) } }
  },
})

const deleteWebhookEndpoints = defineForBoth({
  ...ofWebhook,
  name: 'deleteWebhook',
  method: 'delete',
  path: '/webhooks/:id',
  summary: 'Delete a webhook of the site',
  command: {
    name: 'webhooks delete',
    summary: 'delete a webhook; asks on a terminal',
    args: ['id'],
    question: 'Delete the webhook {id}?',
    text: ['The webhook {id} was deleted.'],
    examples: ['wp-frames webhooks delete 3 --site 2'],
  },
  response: z.object({ id: z.int() }),
  async write(tx, call) {
    const webhook = await getWebhook(tx, call, call.params.id, { lock: true })
    await deleteWebhook(tx, call.globals, webhook)
    return { body: { id: webhook.id } }
  },
})

export const endpoints: readonly Endpoint[] = [
  ...listWebhooksEndpoints,
  ...createWebhookEndpoints,
  ...getWebhookEndpoints,
  ...updateWebhookEndpoints,
  ...rotateWebhookSecretEndpoints,
  ...deleteWebhookEndpoints,
]
