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
import { defineForBoth, type OwnerContext } from '../endpoint.ts'
import { pathId } from '../fields.ts'
import { getWebhook, ownerOf } from './webhook-endpoint.ts'
import {
  assertPossible,
  presentWebhook,
  secretField,
  settingFields,
  sinceField,
  WebhookSchema,
} from './webhook-schema.ts'

/** No tool of MCP clients: a text that misleads a model could have it send changes elsewhere, and secrets are not for its context. */
export const ofWebhooks = { scope: 'all', isTool: false, isOfService: true } as const

const { url, types, kinds, sites, quiet_seconds } = settingFields
const optionalFields = {
  types: types.optional(),
  kinds: kinds.optional(),
  sites: sites.optional(),
  quiet_seconds: quiet_seconds.optional(),
  since: sinceField.optional(),
}

export const params = z.object({ id: pathId('Id of the webhook.', '3') })

export const [listWebhooksEndpoint, listNetworkWebhooksEndpoint] = defineForBoth({
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

export const [getWebhookEndpoint, getNetworkWebhookEndpoint] = defineForBoth({
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

export const [createWebhookEndpoint, createNetworkWebhookEndpoint] = defineForBoth({
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

export const [updateWebhookEndpoint, updateNetworkWebhookEndpoint] = defineForBoth({
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

export const [rotateWebhookSecretEndpoint, rotateNetworkWebhookSecretEndpoint] = defineForBoth({
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

export const [deleteWebhookEndpoint, deleteNetworkWebhookEndpoint] = defineForBoth({
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
