import { createHmac } from 'node:crypto'

/** A request with an `Idempotency-Key`. */
export type KeyedRequest = {
  /** Identifies the key of this token, so that tokens do not share keys. */
  readonly id: Buffer
  /** A digest of the request. */
  readonly request: Buffer
  /** Encrypts the answer. Only a client with the token and the key has it. */
  readonly secret: Buffer
}

/**
 * @param token as the client sent it
 * @param request everything that makes it another request, in a form for JSON
 */
export function keyedRequest(
  token: string,
  key: string,
  request: readonly unknown[],
): KeyedRequest {
  const derive = (purpose: string, text: string): Buffer =>
    createHmac('sha256', token).update(`${purpose} ${text}`).digest()
  return {
    id: derive('id', key),
    request: derive('request', JSON.stringify(request)),
    secret: derive('secret', key),
  }
}
