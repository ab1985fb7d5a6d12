import type { Request, Response } from 'express'
import { AppError } from '../../errors.ts'
import { pendingEffects } from '../../executor/followed-change.ts'
import { type KeyedRequest, keyedRequest } from '../../idempotency/keyed-request.ts'
import type { Answer } from '../../idempotency/sealed-answer.ts'
import type { DoneWrite } from '../../idempotency/write-once.ts'
import { type DocumentedEndpoint, type SiteContext, WithEffects } from '../endpoint.ts'
import { sendTagged, type TaggedResponse, tagResponse } from '../entity-tag.ts'
import { tokenOf } from '../token-of-request.ts'

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
 * The request with its key; undefined without one, and for an endpoint that ignores it.
 * @param input everything that the endpoint gets from the request
 * @throws AppError `rest_invalid_param`
 */
export function keyedRequestOf(
  request: Request,
  { name, repeatable }: DocumentedEndpoint,
  input: readonly unknown[],
): KeyedRequest | undefined {
  const key = request.get(IDEMPOTENCY_KEY)
  if (key === undefined || repeatable) return undefined
  if (!KEY.test(key)) {
    const rule = `must be 1 to ${MAX_KEY_LENGTH} visible ASCII characters without spaces, such as a UUID`
    throw new AppError(
      'rest_invalid_param',
      `Invalid parameter(s): ${IDEMPOTENCY_KEY}. It ${rule}.`,
      { params: { [IDEMPOTENCY_KEY]: rule } },
    )
  }
  return keyedRequest(tokenOf(request) ?? '', key, [name, ...input])
}

/** What a handler has written, with the answer that is kept if the process ends before the effects of the write are known. */
export async function doneWrite(
  handled: object,
  version: string | undefined,
  { executor, site, requestId }: Pick<SiteContext, 'executor' | 'site'> & Pick<Answer, 'requestId'>,
): Promise<DoneWrite> {
  const answerOf = async (body: object): Promise<Answer> => ({
    ...(await tagResponse(body, version, { isRead: false })),
    requestId,
  })
  if (!(handled instanceof WithEffects))
    return { answer: await answerOf(handled), complete: undefined }
  return {
    answer: await answerOf(handled.present(pendingEffects(site, handled.change))),
    complete: async () => answerOf(await handled.apply(executor, site)),
  }
}

/** Sends the answer of `writeOnce`. */
export function sendOnce(
  response: Response,
  { answer, replayOf }: { readonly answer: TaggedResponse; readonly replayOf: string | undefined },
): void {
  if (replayOf !== undefined) {
    response.setHeader(IDEMPOTENCY_REPLAYED, 'true')
    response.setHeader(IDEMPOTENCY_REQUEST_ID, replayOf)
  }
  sendTagged(response, answer)
}
