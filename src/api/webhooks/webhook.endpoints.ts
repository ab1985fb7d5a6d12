import { z } from 'zod'
import { DUE_NOW } from '../../db/lease.ts'
import { AppError } from '../../errors.ts'
import { TIMINGS } from '../../timings.ts'
import { receiverAddress } from '../../webhooks/receivers.ts'
import { generateSecret, secretText } from '../../webhooks/sign-message.ts'
import {
  countWebhooks,
  deleteWebhook,
  insertWebhook,
  listWebhooks,
  MAX_NETWORK_WEBHOOKS,
  MAX_SITE_WEBHOOKS,
  timeText,
  updateWebhook,
  type Webhook,
} from '../../webhooks/webhooks-table.ts'
import {
  defineWebhookEndpoint,
  getWebhook,
  ofNetwork,
  ofOwner,
  ofSite,
  type WebhookContext,
} from './webhook-endpoint.ts'
import {
  assertPossible,
  presentWebhook,
  secretField,
  settingFields,
  sinceField,
  WebhookSchema,
} from './webhook-schema.ts'

const { url, types, kinds, sites, quiet_seconds } = settingFields
const optionalFields = {
  types: types.optional(),
  kinds: kinds.optional(),
  sites: sites.optional(),
  quiet_seconds: quiet_seconds.optional(),
  since: sinceField.optional(),
}

export const params = z.object({
  id: z.string().meta({ description: 'Id of the webhook.', examples: ['3'] }),
})

const list = defineWebhookEndpoint({
  name: 'listWebhooks',
  method: 'get',
  path: '/webhooks',
  scope: 'all',
  summary: 'List the webhooks of the site, with their failures',
  response: z.object({ webhooks: z.array(WebhookSchema) }),
  async handle({ db, globals, blogId }) {
    const webhooks = await listWebhooks(db, globals, 'blog_id = :blogId ORDER BY id', { blogId })
    return { webhooks: webhooks.map(presentWebhook) }
  },
})

const get = defineWebhookEndpoint({
  name: 'getWebhook',
  method: 'get',
  path: '/webhooks/:id',
  scope: 'all',
  summary: 'Read one webhook of the site',
  params,
  response: z.object({ webhook: WebhookSchema }),
  errors: ['webhook_not_found'],
  async handle(call) {
    return { webhook: presentWebhook(await getWebhook(call.db, call, call.params.id)) }
  },
})

const create = defineWebhookEndpoint({
  name: 'createWebhook',
  method: 'post',
  path: '/webhooks',
  scope: 'all',
  summary: 'Create a webhook of the site; the only response that contains its secret',
  description:
    'Messages follow the specification of Standard Webhooks, and repeat what the feed of changes has. See docs/events.md.',
  body: z.object({ url, ...optionalFields }),
  example: { url: 'https://example.com/hooks/wp-frames', types: ['published'], quiet_seconds: 5 },
  response: z.object({ webhook: WebhookSchema, secret: secretField }),
  errors: ['too_many_webhooks'],
  async handle(call) {
    const { db, globals, blogId, body, now } = call
    assertPossible(call.webhookSender.receivers, blogId, body)
    const { url, types = null, kinds = null, sites = null, quiet_seconds = 0 } = body
    const secret = generateSecret()
    const since = await cursorOf(call, body.since ?? 'now')
    const settings = {
      url: receiverAddress(url),
      filter: { types, kinds, sites },
      quietSeconds: quiet_seconds,
      secret,
      since,
    }
    const webhook = await db.write(ofOwner(call), async (tx) => {
      const most = blogId === 0 ? MAX_NETWORK_WEBHOOKS : MAX_SITE_WEBHOOKS
      if ((await countWebhooks(tx, globals, blogId)) >= most) throw tooMany(most)
      const id = await insertWebhook(tx, globals, blogId, settings, now())
      return getWebhook(tx, call, String(id))
    })
    return { webhook: presentWebhook(webhook), secret: secretText(secret) }
  },
})

const tooMany = (most: number): AppError =>
  new AppError(
    'too_many_webhooks',
    `There are ${most} webhooks already, as many as there can be. Delete one, or let its receiver pass messages on.`,
    { limit: most },
  )

/** A cursor that is stored. @throws AppError `rest_invalid_param` */
const cursorOf = async ({ changes, blogId }: WebhookContext, since: string): Promise<string> => {
  const { cursor } = await changes.read(blogId === 0 ? undefined : blogId, since, 1)
  return since === 'now' ? cursor : since
}

const update = defineWebhookEndpoint({
  name: 'updateWebhook',
  method: 'patch',
  path: '/webhooks/:id',
  scope: 'all',
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
  async handle(call) {
    const { db, globals, blogId, body, now } = call
    assertPossible(call.webhookSender.receivers, blogId, body)
    const since = body.since === undefined ? undefined : await cursorOf(call, body.since)
    const webhook = await db.write(ofOwner(call), async (tx) => {
      const before = await getWebhook(tx, call, call.params.id, { lock: true })
      await updateWebhook(tx, globals, before, changesOf(before, { ...body, since }, now()))
      return getWebhook(tx, call, call.params.id)
    })
    return { webhook: presentWebhook(webhook) }
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

const rotate = defineWebhookEndpoint({
  name: 'rotateWebhookSecret',
  method: 'post',
  path: '/webhooks/:id/rotate',
  scope: 'all',
  summary: 'Give a webhook of the site a new secret; the only response that contains it',
  description: `For ${TIMINGS.webhooks.rotationHours} hours, messages have a signature with each of the two, so that receivers can change theirs meanwhile.`,
  params,
  response: z.object({ webhook: WebhookSchema, secret: secretField }),
  errors: ['webhook_not_found'],
  async handle(call) {
    const { db, globals, now } = call
    const secret = generateSecret()
    const until = new Date(now().getTime() + db.timings.webhooks.rotationHours * 3_600_000)
    const webhook = await db.write(ofOwner(call), async (tx) => {
      const before = await getWebhook(tx, call, call.params.id, { lock: true })
      const rotated = { secret, previousSecret: before.secret, previousUntil: timeText(until) }
      await updateWebhook(tx, globals, before, rotated)
      return getWebhook(tx, call, call.params.id)
    })
    return { webhook: presentWebhook(webhook), secret: secretText(secret) }
  },
})

const remove = defineWebhookEndpoint({
  name: 'deleteWebhook',
  method: 'delete',
  path: '/webhooks/:id',
  scope: 'all',
  summary: 'Delete a webhook of the site',
  params,
  response: z.object({ id: z.int() }),
  errors: ['webhook_not_found'],
  async handle(call) {
    return call.db.write(ofOwner(call), async (tx) => {
      const webhook = await getWebhook(tx, call, call.params.id, { lock: true })
      await deleteWebhook(tx, call.globals, webhook)
      return { id: webhook.id }
    })
  },
})

export const listWebhooksEndpoint = ofSite(list)
export const getWebhookEndpoint = ofSite(get)
export const createWebhookEndpoint = ofSite(create)
export const updateWebhookEndpoint = ofSite(update)
export const rotateWebhookSecretEndpoint = ofSite(rotate)
export const deleteWebhookEndpoint = ofSite(remove)

export const listNetworkWebhooksEndpoint = ofNetwork(list, 'listNetworkWebhooks')
export const getNetworkWebhookEndpoint = ofNetwork(get, 'getNetworkWebhook')
export const createNetworkWebhookEndpoint = ofNetwork(create, 'createNetworkWebhook')
export const updateNetworkWebhookEndpoint = ofNetwork(update, 'updateNetworkWebhook')
export const rotateNetworkWebhookSecretEndpoint = ofNetwork(rotate, 'rotateNetworkWebhookSecret')
export const deleteNetworkWebhookEndpoint = ofNetwork(remove, 'deleteNetworkWebhook')
