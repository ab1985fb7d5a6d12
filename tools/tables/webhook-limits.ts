import { DELIVERIES_PER_PAGE } from '../../src/api/endpoints/deliveries.ts'
import { MAX_WEBHOOK_SITES } from '../../src/api/endpoints/webhooks.ts'
import { KEPT_DELIVERIES } from '../../src/changes/webhooks/deliveries-table.ts'
import {
  MAX_MESSAGE_BYTES,
  MAX_MESSAGE_THINGS,
} from '../../src/changes/webhooks/webhook-message.ts'
import { MAX_SENDING, MAX_SENDING_FAILED } from '../../src/changes/webhooks/webhook-worker.ts'
import {
  MAX_NETWORK_WEBHOOKS,
  MAX_SITE_WEBHOOKS,
} from '../../src/changes/webhooks/webhooks-table.ts'
import { MAX_RECEIVER_LENGTH } from '../../src/host/receivers/receivers.ts'
import { TIMINGS } from '../../src/host/timings.ts'
import { characters, count, seconds } from './limit-texts.ts'

const { webhooks } = TIMINGS

/** What the code enforces, by the name of the limit in the table. */
export const WEBHOOK_LIMITS: Readonly<Record<string, string>> = {
  'webhooks of a site, of the network': `${MAX_SITE_WEBHOOKS}, ${MAX_NETWORK_WEBHOOKS}`,
  'address of a webhook': characters(MAX_RECEIVER_LENGTH),
  'sites in the filter of a webhook': count(MAX_WEBHOOK_SITES),
  'message to a webhook': `${count(MAX_MESSAGE_BYTES)} bytes, ${MAX_MESSAGE_THINGS} things`,
  'time of a try to deliver a message': seconds(webhooks.sendTimeoutMs),
  'tries of a message': `${webhooks.retrySeconds.length + 1}, in ${Math.floor(webhooks.retrySeconds.reduce((sum, pause) => sum + pause, 0) / 3600)} hours`,
  'pause that a receiver asks for (`Retry-After`)': `${webhooks.maxRetryAfterMs / 3_600_000} hours`,
  'messages that are sent at the same time': `${MAX_SENDING} in a process, ${MAX_SENDING_FAILED} of them to receivers that have failed or took more than ${webhooks.slowMs / 1000} seconds, 1 to each`,
  'kept tries of a webhook': `${KEPT_DELIVERIES}, for ${webhooks.keptDeliveryDays} days`,
  'deliveries in a list': count(DELIVERIES_PER_PAGE.max),
}
