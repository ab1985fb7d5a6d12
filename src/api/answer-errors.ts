import type { ErrorRequestHandler } from 'express'
import { isDatabaseUnavailable } from '../db/database-error.ts'
import { AppError } from '../errors.ts'
import { entityTag } from './entity-tag.ts'
import { errorBodyOf, expressErrorOf, statusOf } from './errors.ts'

/** Seconds after which a caller may try a database that is away again. */
const RETRY_DATABASE_AFTER = 5

/** Turns whatever was thrown into an answer of the contract; what is not a refusal is logged and not told. */
export function handleErrors(): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const refusal = appErrorOf(error)
    if (refusal.code === 'internal_error' || refusal.code === 'database_unavailable') {
      request.log.error({ err: error }, 'request failed')
    }
    // Too late for an answer: Express closes the connection.
    if (response.headersSent) return next(error)
    const { retry_after: wait, version } = refusal.fields
    if (wait !== undefined) response.set('Retry-After', String(wait))
    const tag = version === undefined ? undefined : entityTag(String(version))
    if (tag !== undefined) response.set('ETag', tag)
    const more = {
      ...(refusal.code === 'internal_error' ? { request_id: request.id } : {}),
      ...(tag === undefined ? {} : { version: undefined, etag: tag }),
    }
    response.status(statusOf(refusal)).json(errorBodyOf(refusal, more))
  }
}

function appErrorOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isDatabaseUnavailable(error)) {
    return new AppError(
      'database_unavailable',
      "The database can't be reached right now. Try again in a few seconds.",
      { retry_after: RETRY_DATABASE_AFTER },
    )
  }
  return (
    expressErrorOf(error) ??
    new AppError(
      'internal_error',
      'Something unforeseen happened here. Try again; if it stays, give the operator the request id.',
    )
  )
}
