import type { ErrorShape } from './endpoint-types.ts'

/** Errors of the client: no response arrived; the response is not one of the service, for example that of a proxy. */
type OwnShape =
  | { code: 'connection_failed'; status: 0; fields: Record<never, never> }
  | { code: 'unexpected_response'; status: number; fields: Record<never, never> }

type Shape = ErrorShape | OwnShape

/** The code of an error. */
export type ErrorCode = Shape['code']

/** What calls throw. `isServiceError` tells the compiler which status and fields an error with a code has. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  /** The HTTP status; 0 if no response arrived. */
  readonly status: number
  /** The fields of the error besides code and message, as the API reference describes them. */
  readonly fields: object
  /** The id of the request, by which the log of the service knows it. */
  readonly requestId: string | undefined
  readonly #reason: unknown

  /** @param reason what `fetch` has thrown, if no response arrived */
  constructor(
    { code, status, fields }: Shape,
    message: string,
    {
      requestId,
      reason,
    }: { readonly requestId?: string | undefined; readonly reason?: unknown } = {},
  ) {
    super(message)
    this.#reason = reason
    this.code = code
    this.status = status
    this.fields = fields
    this.requestId = requestId
    printShortly(this, `${this.name} [${code}]`)
  }

  /** What `fetch` has thrown; undefined if a response arrived. It is no `cause`, which Node.js would print. */
  get reason(): unknown {
    return this.#reason
  }
}

/**
 * Node.js prints an error that nobody catches with its stack, its properties and its cause: thirty lines, most of them about this client. The message and
 * the caller's own lines remain.
 */
export function printShortly<E extends Error>(error: E, title = error.name): E {
  const [, ...lines] = error.stack?.split(STACK_LINE) ?? []
  const own = lines.filter((line) => !/node_modules|node:/.test(line))
  if (lines.length > 0) error.stack = [`${title}: ${error.message}`, ...own].join(STACK_LINE)
  for (const name of Object.keys(error)) Object.defineProperty(error, name, { enumerable: false })
  return error
}

const STACK_LINE = '\n    at '

/** An error with one of these codes: a union, in which `code` selects status and fields. */
export type ServiceErrorWith<Code extends ErrorCode> = ServiceError & Extract<Shape, { code: Code }>

/** Whether a caught value is an error of a call, and has one of these codes, if any are named. */
export function isServiceError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is ServiceErrorWith<Code> {
  if (!(error instanceof ServiceError)) return false
  return codes.length === 0 || codes.includes(error.code as Code)
}

/** The error of a response that has no success. */
export function errorOfResponse(body: unknown, response: Response): ServiceError {
  const { status, headers } = response
  const { shape, message } = shapeOfBody(body, status) ?? {
    shape: { code: 'unexpected_response', status, fields: {} } as const,
    message: describe(response),
  }
  return new ServiceError(shape, message, { requestId: headers.get('X-Request-Id') ?? undefined })
}

/** Code, status and fields in one of the two shapes of the API; undefined for any other body. */
function shapeOfBody(body: unknown, status: number) {
  if (typeof body !== 'object' || body === null) return undefined
  const { success, error, code, message, data, ...rest } = body as Record<string, unknown>
  const isFlat = typeof error === 'string'
  if (typeof message !== 'string' || !(isFlat || typeof code === 'string')) return undefined
  const { status: _, ...nested } = (data ?? {}) as Record<string, unknown>
  // The service may be newer than this client, and return other codes.
  const shape = { code: isFlat ? error : code, status, fields: isFlat ? rest : nested } as Shape
  return { shape, message }
}

function describe({ status, headers }: Response): string {
  const target = headers.get('Location')
  if (status === 304)
    return 'The response 304 has no body. Read without If-None-Match, or with client.http.'
  return target === null
    ? `The response ${status} is not one of wp-frames. Check the address of the API, and proxies before it.`
    : `The address of the API redirects to ${target}. The token was not sent there. Use the address that answers itself.`
}
