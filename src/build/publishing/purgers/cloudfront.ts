import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { CloudFrontSetting } from '../../../host/config/cache-purge.ts'
import type { TaggedCache } from './tag-purger.ts'

/** The version of the API, a part of its paths. */
const API = '2020-05-31'

/** CloudFront, by tag: an invalidation whose items are tags. Each counts as one path, also on the bill. */
export function cloudFront(setting: CloudFrontSetting): TaggedCache {
  const { id, endpoint = 'https://cloudfront.amazonaws.com' } = setting
  const url = new URL(`${endpoint}/${API}/distribution/${id}/invalidation`)
  return {
    name: 'CloudFront',
    // 3,000 items may be in progress, each for about 25 seconds.
    limits: { tagsPerRequest: 100, pagesPerSite: 10, burst: 5, perSecond: 1 },
    hint: 'Check the distribution in CACHE_PURGE, that it has a CacheTagConfig, and that AWS_ACCESS_KEY_ID has the right cloudfront:CreateInvalidation.',
    request: (tags) => {
      const body = invalidation(tags)
      const headers = signedHeaders(setting, url, body, new Date())
      return { url: url.href, method: 'POST', headers, body }
    },
  }
}

/** The body of CreateInvalidation. Tags need no escaping. */
function invalidation(tags: readonly string[]): string {
  const items = tags.map((tag) => `<Path>#${tag}</Path>`).join('')
  return `<?xml version="1.0" encoding="UTF-8"?><InvalidationBatch xmlns="http://cloudfront.amazonaws.com/doc/${API}/"><Paths><Quantity>${tags.length}</Quantity><Items>${items}</Items></Paths><CallerReference>${randomUUID()}</CallerReference></InvalidationBatch>`
}

/** The headers of a `POST` without a query, signed with AWS's Signature Version 4. CloudFront is in the region us-east-1. */
function signedHeaders(
  { accessKeyId, secretAccessKey, sessionToken }: CloudFrontSetting,
  { host, pathname }: URL,
  body: string,
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const scope = [time.slice(0, 8), 'us-east-1', 'cloudfront', 'aws4_request']
  const signed: Record<string, string> = {
    'content-type': 'application/xml',
    host,
    'x-amz-content-sha256': sha256(body),
    'x-amz-date': time,
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(signed).sort()
  const canonical = [
    'POST',
    pathname,
    '',
    ...names.map((name) => `${name}:${signed[name]}`),
    '',
    names.join(';'),
    sha256(body),
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical)].join('\n')
  const key = scope.reduce<Buffer | string>(
    (key, part) => hmac(key, part),
    `AWS4${secretAccessKey}`,
  )
  const signature = hmac(key, text).toString('hex')
  const { host: _, ...headers } = signed
  return {
    ...headers,
    Authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope.join('/')}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const hmac = (key: Buffer | string, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()
