import { parseUrl } from '../parse-url.ts'

/** An S3-compatible store of static copies, as the setting STATIC_TARGET names it. */
export type StoreAddress = {
  readonly bucket: string
  /** `` for the whole bucket, else `like/this/` with a slash at the end. */
  readonly prefix: string
  readonly region: string
  /** Base URL of the requests for objects, with the bucket and a slash at the end. */
  readonly baseUrl: string
  /** `Cache-Control` of the copies. */
  readonly cacheControl: string
}

/** Caches must revalidate before reuse, because nobody gives them notice of changes. */
const REVALIDATE = 'public, max-age=0, must-revalidate'

const PARAMETERS = ['region', 'endpoint', 'cache-control']

/**
 * Parses `s3://bucket/prefix?region=...&endpoint=...&cache-control=...`. Without an endpoint the store is Amazon's.
 * @returns the address, or what is wrong with it
 */
export function parseStoreAddress(text: string): StoreAddress | string {
  const url = parseUrl(text)
  if (url?.protocol !== 's3:')
    return 'is not the address of a store; it must start with s3://, such as s3://bucket/prefix?region=eu-central-1'
  if (url.username + url.password !== '')
    return 'must not contain credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined)
    return `has the parameter "${unknown}", which is not known; known are ${PARAMETERS.join(', ')}`
  const bucket = url.hostname
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    return `names the bucket "${bucket}"; a bucket has 3 to 63 lower-case letters, digits, dots and hyphens`
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  if (!segments.every((segment) => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(segment)))
    return 'has a prefix with other characters than letters, digits, dots, hyphens, underscores and slashes'
  const region = url.searchParams.get('region') ?? 'us-east-1'
  if (!/^[a-z0-9-]{1,40}$/.test(region)) return `names the region "${region}", which is not valid`
  const endpoint = findEndpoint(url.searchParams.get('endpoint'), bucket, region)
  if (endpoint === undefined)
    return 'has an endpoint that is no address such as https://s3.example.net'
  return {
    bucket,
    prefix: segments.map((segment) => `${segment}/`).join(''),
    region,
    baseUrl: endpoint,
    cacheControl: url.searchParams.get('cache-control') ?? REVALIDATE,
  }
}

/** A name in messages. */
export const nameOf = ({ bucket, prefix }: StoreAddress): string => `s3://${bucket}/${prefix}`

/** Buckets with dots have no certificate as a host name. Other stores than Amazon's have all buckets below one host. */
function findEndpoint(given: string | null, bucket: string, region: string): string | undefined {
  if (given === null) {
    const host = `s3.${region}.amazonaws.com`
    return bucket.includes('.') ? `https://${host}/${bucket}/` : `https://${bucket}.${host}/`
  }
  const url = parseUrl(given)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined
  if (url.username + url.password + url.search + url.hash !== '') return undefined
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}/${bucket}/`
}
