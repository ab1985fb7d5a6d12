import { createHmac, randomBytes } from 'node:crypto'
import type { PostedMessage } from '../../host/receivers/receiver-client.ts'

// Signatures of the Standard Webhooks specification (standardwebhooks.com), version v1: HMAC-SHA256 with a secret that both sides know.

/** The specification wants 24 to 64. */
const SECRET_BYTES = 32

export const generateSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** A secret as its receiver stores it. */
export const secretText = (secret: Buffer): string => `whsec_${secret.toString('base64')}`

/**
 * Signs a message for one try.
 * @param id the same for each try; contains no full stop
 * @param secrets while a secret is being replaced, the new one and the old one
 */
export function signMessage(
  id: string,
  body: string,
  secrets: readonly Buffer[],
  now: Date,
): PostedMessage {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
    body,
  }
}
