import type { ErrorRequestHandler, Request } from 'express'
import { isDatabaseUnavailable, isDenied } from '../db/database-error.ts'
import { AppError, type ErrorCode, errorRow } from '../host/errors.ts'
import type { Log } from '../host/log.ts'
import { tableErrorOf } from '../wordpress/health/table-knowledge.ts'
import { entityTag } from './entity-tag.ts'

/** The HTTP status of an error. */
export function statusOf(error: AppError): number {
  return errorRow(error.code).status
}

/**
 * The body of an error in one of the contract's two shapes.
 * @param isOneShape for an endpoint that the contract does not have: every error has the shape of an endpoint's. An error of what runs before the endpoint,
 * such as the authentication, has the fields of the other shape too, which clients may read.
 */
function errorBodyOf(error: AppError, more: object = {}, isOneShape = false): object {
  const { status, early } = errorRow(error.code)
  const { code, message } = error
  const fields = { ...error.fields, ...more }
  const ofEndpoint = { success: false, error: code, message, ...fields }
  if (!early) return ofEndpoint
  const before = { code, message, data: { status, ...fields } }
  return isOneShape ? { ...ofEndpoint, ...before } : before
}

/** The status and the body of an error. */
export const errorResponseOf = (error: AppError) => ({
  status: statusOf(error),
  body: errorBodyOf(error),
})

/** The API's error for an error of Express itself; undefined for any other error. */
function expressErrorOf(error: unknown): AppError | undefined {
  const isUndecodablePath = error instanceof URIError && Reflect.get(error, 'status') === 400
  if (!isUndecodablePath) return undefined
  return new AppError(
    'rest_no_route',
    'The path of this request is malformed. Percent-encode it in UTF-8.',
  )
}

/** Seconds after which a client may retry when the database is unreachable. */
const RETRY_DATABASE_AFTER = 5

/** The errors that an operator must know of. */
const LOGGED: ReadonlySet<ErrorCode> = new Set([
  'internal_error',
  'database_unavailable',
  'table_unsupported',
])

/**
 * Sends every error in a shape of the contract. Unexpected errors are logged, and the response does not describe them.
 * @param isOfContract whether the contract has the endpoint of a request
 */
export function handleErrors(
  log: Log,
  isOfContract: (request: Request) => boolean,
): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const appError = appErrorOf(error)
    if (LOGGED.has(appError.code)) {
      const hint = isDenied(error)
        ? ': the database user lacks a right. Run "wp-frames doctor", which prints the statements that grant what is missing'
        : ''
      log.error({ req: { id: request.id }, err: error }, `request failed${hint}`)
    }
    // The response has begun, so Express can only close the connection.
    if (response.headersSent) return next(error)
    const { retry_after: wait, version } = appError.fields
    if (wait !== undefined) response.set('Retry-After', String(wait))
    // RFC 6750, section 3: no error is named if no token was sent.
    if (statusOf(appError) === 401)
      response.set(
        'WWW-Authenticate',
        `Bearer realm="wp-frames"${appError.code === 'invalid_token' ? ', error="invalid_token"' : ''}`,
      )
    const tag = version === undefined ? undefined : entityTag(String(version))
    if (tag !== undefined) response.set('ETag', tag)
    const more = {
      ...(appError.code === 'internal_error' ? { request_id: request.id } : {}),
      ...(tag === undefined ? {} : { version: undefined, etag: tag }),
    }
    response.status(statusOf(appError)).json(errorBodyOf(appError, more, !isOfContract(request)))
  }
}

/** The error of the API for one that a client can handle by its code; undefined for any other error. */
export function knownErrorOf(error: unknown): AppError | undefined {
  return error instanceof AppError ? error : tableErrorOf(error)
}

/**
 * Runs a part of a request.
 * @param sentence which part it is; appended to the message of an error
 * @throws AppError the error of the part, with `fields` that name it
 */
export async function asPart<T>(
  work: () => T | Promise<T>,
  { sentence, fields }: { readonly sentence: string; readonly fields: Record<string, unknown> },
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const known = knownErrorOf(error)
    if (!known) throw error
    throw new AppError(known.code, `${known.message} ${sentence}`, { ...known.fields, ...fields })
  }
}

/** The error of the API for any error: what is unexpected is not described. */
export function appErrorOf(error: unknown): AppError {
  const known = knownErrorOf(error)
  if (known) return known
  if (isDatabaseUnavailable(error)) {
    return new AppError(
      'database_unavailable',
      'The database is unreachable. Retry in a few seconds.',
      { retry_after: RETRY_DATABASE_AFTER },
    )
  }
  // Only what a client has sent is so deep: code that reads it by recursion, such as JSON.stringify, has no more stack.
  if (error instanceof RangeError && /call stack/.test(error.message))
    return new AppError(
      'rest_invalid_json',
      'The body has lists or objects within each other that are thousands of levels deep. Send fewer levels.',
    )
  return (
    expressErrorOf(error) ??
    new AppError(
      'internal_error',
      'Unexpected server error. Retry; if it persists, report this request id to the operator.',
    )
  )
}

/** @throws AppError `rest_no_route` */
export function noRoute({ method, originalUrl }: Pick<Request, 'method' | 'originalUrl'>): never {
  throw new AppError(
    'rest_no_route',
    `There is no endpoint ${method} ${originalUrl.split('?', 1)[0]}. Check the method and the path.`,
  )
}
