import { parseGmt } from '../db/gmt.ts'
import { signMessage } from './sign-message.ts'
import type { WebhookMessage } from './webhook-message.ts'
import type { Attempt, WebhookSender } from './webhook-sender.ts'
import type { Webhook } from './webhooks-table.ts'

/** Signs a message and sends it once. */
export function deliverMessage(
  sender: WebhookSender,
  { blogId, url, secret, previousSecret, previousUntil }: Webhook,
  { id, body }: WebhookMessage,
  now: Date,
  signal?: AbortSignal,
): Promise<Attempt> {
  const isRotating = previousUntil !== null && parseGmt(previousUntil) > now
  const secrets = previousSecret !== null && isRotating ? [secret, previousSecret] : [secret]
  return sender.send(url, signMessage(id, body, secrets, now), { blogId, signal })
}
