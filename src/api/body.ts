import { isUtf8 } from 'node:buffer'
import express, { type RequestHandler, Router } from 'express'
import { AppError } from '../errors.ts'

/** Counted while reading, after decompression: a longer body is never held in memory. */
const MAX_BODY_BYTES = 16 * 1024 * 1024

/** Reads the JSON body, if there is one; the failures of reading are told apart in `errors.ts`. */
export function readBody(): RequestHandler {
  return Router().use(
    express.json({ limit: MAX_BODY_BYTES, strict: false, verify: assertUtf8 }),
    refuseOtherBodies,
  )
}

/** The JSON reader would turn bytes that are not UTF-8 into replacement characters, and they would be stored. */
function assertUtf8(_request: unknown, _response: unknown, bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new Error('the body is not UTF-8')
}

const refuseOtherBodies: RequestHandler = (request, _response, next) => {
  const { 'content-length': length, 'transfer-encoding': chunked } = request.headers
  const hasBody = chunked !== undefined || Number(length ?? 0) > 0
  if (hasBody && !request.is('application/json')) {
    throw new AppError(
      'rest_unsupported_media_type',
      'The body is not sent as JSON. Send it with the header Content-Type: application/json.',
    )
  }
  next()
}
