import { z } from 'zod'
import { EVENT_TYPES, THING_KINDS } from '../../events/event.ts'
import { TIMINGS } from '../../timings.ts'
import type { Receivers } from '../../webhooks/receivers.ts'
import { MAX_RECEIVER_LENGTH } from '../../webhooks/receivers.ts'
import { MAX_QUIET_TIMES } from '../../webhooks/webhook-message.ts'
import { DISABLED_REASONS, type Webhook } from '../../webhooks/webhooks-table.ts'
import type { ResponseOf } from '../endpoint.ts'
import { pick } from '../pick.ts'
import { invalidParam } from '../sent-fields.ts'

/** Sites in the filter of a webhook of the network. */
export const MAX_WEBHOOK_SITES = 1000

const SENT_TYPES = EVENT_TYPES.filter((type) => type !== 'reset')
const SENT_KINDS = THING_KINDS.filter((kind) => kind !== 'pruning')

/** What a client sets, in the order in which it is shown. */
export const settingFields = {
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
export const sinceField = z
  .string()
  .max(40)
  .meta({
    description:
      'A cursor of the feed: the changes after it are sent. `now` leaves out what was not sent yet, an older one sends changes again.',
    examples: ['1207-4f1c2d3e'],
  })

const time = z.string().nullable()

export const WebhookSchema = z
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

export const presentWebhook = (webhook: Webhook): ResponseOf<typeof WebhookSchema> =>
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
export const secretField = z.string().meta({
  description:
    'The key of the signatures, as receivers need it. It is in no other response: store it now.',
  examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
})

/** @throws AppError `rest_invalid_param` for settings that are not possible there */
export function assertPossible(
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
