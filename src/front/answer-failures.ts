import type { ErrorRequestHandler } from 'express'
import { isDatabaseUnavailable } from '../db/database-error.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { sendErrorPage } from './error-page.ts'

/** Seconds after which a visitor may try again. */
const RETRY_AFTER = 5

/** The page for what went wrong: 503 where the database or the executor is away or too busy, else 500. The reason is in the log only. */
export function errorHandler(log: Log): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    log.error({ err: error, method: request.method, path: request.path }, 'page failed')
    if (response.headersSent) return next(error)
    if (!isUnavailable(error)) return sendErrorPage(response, 500)
    response.set('Retry-After', String(RETRY_AFTER))
    sendErrorPage(response, 503)
  }
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof AppError)
    return error.code === 'internal_unavailable' || error.code === 'service_busy'
  return isDatabaseUnavailable(error)
}
