import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './listen.ts'

/** A request that a CDN got. */
export type CdnRequest = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What a CDN answers. */
export type CdnAnswer = {
  readonly status: number
  readonly body?: string
  readonly headers?: Record<string, string>
}

/**
 * The API of a CDN, which records the requests.
 * Starts a server instead of a CDN's API. @param api what it answers, in the documented shape
 */
export async function startCdn(api: (request: CdnRequest) => CdnAnswer) {
  const requests: CdnRequest[] = []
  let replaced: ((request: CdnRequest) => CdnAnswer | undefined) | undefined
  const server = await listen(async (request, response) => {
    const { method = '', url = '', headers } = request
    const received = { method, path: url, headers, body: await text(request) }
    requests.push(received)
    const { status, body, headers: sent } = replaced?.(received) ?? api(received)
    response.writeHead(status, sent).end(body)
  })
  return {
    endpoint: `http://127.0.0.1:${server.port}`,
    requests,
    /** Replaces the answers, until it is called without any. */
    answer: (next?: (request: CdnRequest) => CdnAnswer | undefined) => {
      replaced = next
    },
    stop: () => server.close(),
  }
}

const json = (status: number, value: unknown): CdnAnswer => ({
  status,
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json' },
})

/** https://www.fastly.com/documentation/reference/api/purging/ */
export function fastlyApi({ method, path, headers, body }: CdnRequest): CdnAnswer {
  if (headers['fastly-key'] !== 'fastly-secret')
    return json(401, { msg: 'Provided credentials are missing or invalid' })
  if (method !== 'POST' || path !== '/service/SU1Z0isxPaozGVKXdv0eY/purge')
    return json(404, { msg: 'Record not found' })
  const keys: readonly string[] = JSON.parse(body).surrogate_keys
  if (keys.length > 256) return json(400, { msg: 'Too many surrogate keys' })
  return json(200, Object.fromEntries(keys.map((key, id) => [key, `108-1391560174-${id}`])))
}

/** https://developers.cloudflare.com/api/resources/cache/methods/purge/ */
export function cloudflareApi({ method, path, headers, body }: CdnRequest): CdnAnswer {
  const fail = (status: number, code: number, message: string) =>
    json(status, { success: false, errors: [{ code, message }], messages: [], result: null })
  if (headers.authorization !== 'Bearer cloudflare-secret')
    return fail(403, 10_000, 'Authentication error')
  if (method !== 'POST' || path !== '/zones/023e105f4ecef8ad9ca31a8372d0c353/purge_cache')
    return fail(404, 7003, 'Could not route to the zone')
  const { tags } = JSON.parse(body)
  if (tags.length > 100) return fail(400, 1094, 'Too many tags')
  const result = { id: '023e105f4ecef8ad9ca31a8372d0c353' }
  return json(200, { success: true, errors: [], messages: [], result })
}

/** https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_CreateInvalidation.html */
export function cloudFrontApi(request: CdnRequest): CdnAnswer {
  const { method, path, body } = request
  if (signatureOf(request) !== /Signature=(\w+)$/.exec(request.headers.authorization ?? '')?.[1])
    return awsError(403, 'SignatureDoesNotMatch')
  if (method !== 'POST' || path !== '/2020-05-31/distribution/E2QWRUHAPOMQZL/invalidation')
    return awsError(404, 'NoSuchDistribution')
  const items = [...body.matchAll(/<Path>(.*?)<\/Path>/g)]
  const quantity = Number(/<Quantity>(\d+)</.exec(body)?.[1])
  if (items.length !== quantity) return awsError(400, 'InconsistentQuantities')
  return {
    status: 201,
    body: `<?xml version="1.0"?><Invalidation xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Id>I2J0I21PCUYOIK</Id><Status>InProgress</Status></Invalidation>`,
  }
}

export const awsError = (status: number, code: string): CdnAnswer => ({
  status,
  body: `<?xml version="1.0"?><ErrorResponse xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Error><Type>Sender</Type><Code>${code}</Code><Message>it failed</Message></Error><RequestId>1</RequestId></ErrorResponse>`,
})

/** The signature that a request must have (Signature Version 4), for the secret key `aws-secret`. */
function signatureOf({ method, path, headers, body }: CdnRequest): string {
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? []
  const sha256 = (value: string) => createHash('sha256').update(value).digest('hex')
  const lines = names.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('')
  const canonical = `${method}\n${path}\n\n${lines}\n${names.join(';')}\n${sha256(body)}`
  const time = String(headers['x-amz-date'])
  const day = time.slice(0, 8)
  const sign = (key: string | Buffer, value: string) =>
    createHmac('sha256', key).update(value).digest()
  const ofDay = sign('AWS4aws-secret', day)
  const key = sign(sign(sign(ofDay, 'us-east-1'), 'cloudfront'), 'aws4_request')
  const scope = `${day}/us-east-1/cloudfront/aws4_request`
  return sign(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`).toString('hex')
}
