import {
  IDEMPOTENCY_KEY,
  IDEMPOTENCY_REPLAYED,
  IDEMPOTENCY_REQUEST_ID,
} from '../run/idempotency-key.ts'

/** References to response headers, by name. */
export type HeaderReferences = Readonly<Record<string, { readonly $ref: string }>>

const textHeader = (description: string, example: string) => ({
  description,
  schema: { type: 'string' as const },
  example,
})
const countHeader = (description: string, example: number) => ({
  description,
  schema: { type: 'integer' as const },
  example,
})

/** The headers of responses. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': textHeader(
    'Id of this request in the log.',
    '1c0f7d0a-6a43-4a9e-9df1-2f6a4f5e1b7c',
  ),
  'X-RateLimit-Remaining': countHeader('Remaining requests in this minute.', 119),
  RateLimit: textHeader(
    'Remaining requests and seconds until the limit is reset, in the form of the draft standard.',
    '"default";r=119;t=60',
  ),
  'RateLimit-Policy': textHeader(
    'Limit of requests per minute, in the form of the draft standard.',
    '"default";q=120;w=60',
  ),
  'Server-Timing': textHeader(
    'Time that the parts of the request took, in milliseconds.',
    'auth;dur=1.2, work;dur=4.4, total;dur=6.1',
  ),
  ETag: textHeader(
    'Version of the response of a read, or of the frame or menu that a write has stored. Send it in `If-Match` with the next write.',
    '"Yh3Qw0bXrV1c2Zk9LmNpSa"',
  ),
  [IDEMPOTENCY_REPLAYED]: {
    description: `Only in the answer to an earlier request with the same \`${IDEMPOTENCY_KEY}\`.`,
    schema: { type: 'string' as const, enum: ['true'] },
  },
  [IDEMPOTENCY_REQUEST_ID]: textHeader(
    `Id of that earlier request in the log and in the history, with \`${IDEMPOTENCY_REPLAYED}\`.`,
    '7b1e9a52-0c3d-4a55-b1b4-8a6f6a0e2d11',
  ),
  'Retry-After': countHeader('Seconds to wait before a retry.', 42),
  'X-Svc-Blog-Source': {
    description: 'The selector by which the site was chosen, in the legacy addressing.',
    schema: { type: 'string' as const, enum: ['blog_id', 'header', 'domain', 'default'] },
  },
}

/** References to the named headers. */
export function headerReferences(...names: (keyof typeof RESPONSE_HEADERS)[]): HeaderReferences {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
