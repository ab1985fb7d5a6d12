import type { Request, Response } from 'express'
import type { Endpoint } from '../endpoint.ts'
import { sendTagged } from '../entity-tag.ts'
import { invalidParam } from '../sent-fields.ts'
import { tokenOf } from '../token-of-request.ts'
import type { EndpointAnswer, OpenedRequest } from './run.ts'

export const IDEMPOTENCY_KEY = 'Idempotency-Key'
/** Marks the answer to an earlier request. */
export const IDEMPOTENCY_REPLAYED = 'Idempotency-Replayed'
/** The id of that earlier request, which the history has. */
export const IDEMPOTENCY_REQUEST_ID = 'Idempotency-Request-Id'

/** Longest key, in characters. */
export const MAX_KEY_LENGTH = 255

/** Visible ASCII characters. */
const KEY = new RegExp(`^[\\x21-\\x7e]{1,${MAX_KEY_LENGTH}}$`)

/**
 * The key of a request, and its token; undefined without one, and for an endpoint that ignores it.
 * @throws AppError `rest_invalid_param`
 */
export function keyOf(
  request: Request,
  { repeatable }: Pick<Endpoint, 'repeatable'>,
): OpenedRequest['key'] {
  const key = request.get(IDEMPOTENCY_KEY)
  if (key === undefined || repeatable) return undefined
  if (!KEY.test(key)) {
    const rule = `must be 1 to ${MAX_KEY_LENGTH} visible ASCII characters without spaces, such as a UUID`
    throw invalidParam(IDEMPOTENCY_KEY, rule)
  }
  return { token: tokenOf(request) ?? '', key }
}

/** Sends an answer. */
export function sendOnce(response: Response, { answer, replayOf }: EndpointAnswer): void {
  if (replayOf !== undefined) {
    response.setHeader(IDEMPOTENCY_REPLAYED, 'true')
    response.setHeader(IDEMPOTENCY_REQUEST_ID, replayOf)
  }
  sendTagged(response, answer)
}
