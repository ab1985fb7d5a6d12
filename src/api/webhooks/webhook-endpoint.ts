import type { Caller } from '../../auth/authenticate.ts'
import type { Database } from '../../db/database.ts'
import type { WriteOptions } from '../../db/transaction.ts'
import { AppError } from '../../errors.ts'
import type { ChangeWatch } from '../../events/change-watch.ts'
import type { WebhookSender } from '../../webhooks/webhook-sender.ts'
import { findWebhook, type Webhook } from '../../webhooks/webhooks-table.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import {
  type Endpoint,
  type EndpointWith,
  endpointsWith,
  type RespondsWith,
  type ResponseSchema,
} from '../endpoint.ts'
import type { NetworkEndpoint } from '../network/network-endpoint.ts'

/** What an endpoint of webhooks gets besides its input: those of a site, or of the network. */
export type WebhookContext = {
  readonly db: Database
  readonly globals: GlobalTables
  /** 0 for the network. */
  readonly blogId: number
  readonly caller: Caller
  readonly now: () => Date
  readonly changes: ChangeWatch
  readonly webhookSender: WebhookSender
}

/**
 * Defines an endpoint of webhooks, for `ofSite` and `ofNetwork`. None is a tool of MCP clients: a text that misleads a model could have it send
 * changes elsewhere, and secrets are not for its context.
 */
export const defineWebhookEndpoint = endpointsWith<WebhookContext>()

type Defined<Response extends ResponseSchema> = EndpointWith<WebhookContext> &
  RespondsWith<Response>

/** The endpoint for the webhooks of a site. */
export const ofSite = <Response extends ResponseSchema>(
  endpoint: Defined<Response>,
): Endpoint & RespondsWith<Response> => ({
  ...endpoint,
  isTool: false,
  feed: undefined,
  handle: (call) => {
    const { blogId, globals } = call.site
    return endpoint.handle({ ...call, blogId, globals })
  },
})

/** The endpoint for the webhooks of the network. @param name its own, as `listNetworkWebhooks` */
export const ofNetwork = <Response extends ResponseSchema>(
  endpoint: Defined<Response>,
  name: string,
): NetworkEndpoint & RespondsWith<Response> => ({
  ...endpoint,
  isTool: false,
  name,
  summary: endpoint.summary.replace('the site', 'the network'),
  feed: undefined,
  handle: (call) => endpoint.handle({ ...call, blogId: 0 }),
})

/** The options of a write: it waits for the other writes of the site. */
export const ofOwner = ({ blogId }: Pick<WebhookContext, 'blogId'>): WriteOptions =>
  blogId === 0 ? {} : { site: { blogId } }

/** @throws AppError `webhook_not_found` */
export async function getWebhook(
  db: Parameters<typeof findWebhook>[0],
  { globals, blogId }: Pick<WebhookContext, 'globals' | 'blogId'>,
  id: string,
  options: Parameters<typeof findWebhook>[4] = {},
): Promise<Webhook> {
  const known = /^[1-9]\d{0,8}$/.test(id) ? Number(id) : 0
  const webhook = await findWebhook(db, globals, blogId, known, options)
  if (webhook) return webhook
  throw new AppError('webhook_not_found', 'There is no webhook with this id. List the webhooks.')
}
