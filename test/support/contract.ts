import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { oas31 } from 'zod-openapi'
import { openApiDocument } from '../../src/api/docs/openapi-document.ts'

/** A response as it is sent. */
export type SentResponse = {
  readonly method: string
  /** Without the base path, with or without a query. */
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** Undefined or empty if the response has none. */
  readonly body: string | undefined
}

/** Codes of responses to requests that match no operation. */
const CODES_WITHOUT_OPERATION = new Set([
  'rest_no_route',
  'missing_token',
  'invalid_token',
  'too_many_requests',
  'too_many_auth_failures',
  'rest_invalid_json',
  'rest_body_too_large',
  'rest_unsupported_media_type',
  'database_unavailable',
  'service_busy',
  'internal_error',
])

const document = await openApiDocument('0.0.0', '')

/** Compares responses with the OpenAPI document. Everything that it does not describe is a fault. */
export class Contract {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  readonly #validators = new Map<string, ValidateFunction>()
  /** Paths with the fewest parameters first: `/frames/defaults` before `/frames/{ref}`. */
  readonly #paths = Object.entries(document.paths ?? {})
    .map(([template, operations]) => ({
      template,
      operations,
      parameters: template.split('{').length,
      pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
    }))
    .sort((a, b) => a.parameters - b.parameters)

  constructor() {
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(closed(document), 'document')
  }

  /** The differences of a response from the document, each with its method, path and status. */
  faultsOf(answer: SentResponse): string[] {
    const [path = ''] = answer.path.split('?', 1)
    const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase()
    const found = this.#paths.find(
      ({ pattern, operations }) => pattern.test(path) && Object.hasOwn(operations, method),
    )
    const faults = found
      ? this.#faultsOf(answer, found.template, method, Reflect.get(found.operations, method))
      : faultsOutside(answer)
    return faults.map((fault) => `${answer.method} ${answer.path} ${answer.status}: ${fault}`)
  }

  #faultsOf(
    answer: SentResponse,
    template: string,
    method: string,
    operation: oas31.OperationObject,
  ): string[] {
    const { status, headers, body } = answer
    const response: oas31.ResponseObject | undefined = operation.responses?.[`${status}`]
    if (!response) return ['no such status is documented']
    const at = ['paths', template, method, 'responses', `${status}`]
    const missing = ['x-request-id'].filter((name) => headers[name] === undefined)
    const known = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()))
    const unknown = Object.keys(headers).filter((name) => isOurs(name) && !known.has(name))
    return [
      ...missing.map((name) => `the header ${name} is missing`),
      ...unknown.map((name) => `the header ${name} is not documented`),
      ...(body === undefined || body === ''
        ? []
        : this.#faultsOfBody(pointerOf(response, at), body)),
    ]
  }

  #faultsOfBody(pointer: string, body: string): string[] {
    const validate =
      this.#validators.get(pointer) ?? this.#ajv.compile({ $ref: `document${pointer}` })
    this.#validators.set(pointer, validate)
    if (validate(JSON.parse(body))) return []
    return [`${this.#ajv.errorsText(validate.errors)} in ${body.slice(0, 2000)}`]
  }
}

/** The schema of a response's body: a shared one is compiled once for all operations. */
function pointerOf({ content }: oas31.ResponseObject, at: readonly string[]): string {
  const { $ref: shared, ...more } = { $ref: undefined, ...content?.['application/json']?.schema }
  if (typeof shared === 'string' && Object.keys(more).length === 0) return shared
  const keys = [...at, 'content', 'application/json', 'schema']
  return `#/${encodeURI(keys.map((key) => key.replace(/~/g, '~0').replace(/\//g, '~1')).join('/'))}`
}

/** Headers that the API defines. */
const isOurs = (name: string): boolean =>
  /^(?:x-svc-|x-ratelimit|x-request-id|ratelimit|retry-after|etag|server-timing|idempotency)/.test(
    name,
  )

function faultsOutside({ status, body = '{}' }: SentResponse): string[] {
  const { code, message, data } = JSON.parse(body)
  return CODES_WITHOUT_OPERATION.has(code) && typeof message === 'string' && data?.status === status
    ? []
    : [`no operation sends this: ${body}`]
}

/** The same document, in which objects of a response may have no undocumented fields. */
function closed(document: object): object {
  return JSON.parse(JSON.stringify(document), (_key, value) =>
    value?.type === 'object' && value.properties && value.additionalProperties === undefined
      ? { ...value, additionalProperties: false }
      : value,
  )
}
