/** References to headers of every answer, by their names. */
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

/** Headers of answers. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': textHeader(
    'Names this request in the log.',
    '1c0f7d0a-6a43-4a9e-9df1-2f6a4f5e1b7c',
  ),
  'X-RateLimit-Remaining': countHeader('Requests that are left in this minute.', 119),
  RateLimit: textHeader(
    'The same and the seconds until it is full again, as the draft standard has it.',
    '"default";r=119;t=60',
  ),
  'RateLimit-Policy': textHeader(
    'Requests a minute, as the draft standard has it.',
    '"default";q=120;w=60',
  ),
  'Server-Timing': textHeader(
    'Where the time of a request to a site went, in milliseconds.',
    'auth;dur=1.2, work;dur=4.4, total;dur=6.1',
  ),
  ETag: textHeader(
    'Of what was read; or of the frame or menu that a write has left. Send it in `If-Match` with the next write.',
    '"Yh3Qw0bXrV1c2Zk9LmNpSa"',
  ),
  'Retry-After': countHeader('Seconds to wait.', 42),
  'X-Svc-Blog-Source': {
    description: 'By what the site was chosen, where it was.',
    schema: { type: 'string' as const, enum: ['blog_id', 'header', 'domain', 'default'] },
  },
}

/** References to these headers. */
export function headerReferences(...names: (keyof typeof RESPONSE_HEADERS)[]): HeaderReferences {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
