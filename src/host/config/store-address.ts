import { parseUrl } from '../parse-url.ts'

/** An S3-compatible store of static copies, as the setting STATIC_TARGET names it. */
export type StoreAddress = {
  readonly bucket: string
  /** `` for the whole bucket, else `like/this/` with a slash at the end. */
  readonly prefix: string
  readonly region: string
  /** Base URL of the store, without the bucket and without a slash at the end: the same for both styles of addresses. */
  readonly endpoint: string
  /** Base URL of the requests for objects, with the bucket and a slash at the end. */
  readonly baseUrl: string
  /** `Cache-Control` of the copies. */
  readonly cacheControl: string
}

/** Caches must revalidate before reuse, because nobody gives them notice of changes. */
const REVALIDATE = 'public, max-age=0, must-revalidate'

const PARAMETERS = ['region', 'endpoint', 'style', 'cache-control']
/** Where the bucket is: in the host, or at the beginning of the path. */
const STYLES = ['virtual', 'path']

/**
 * Parses `s3://bucket/prefix?region=...&endpoint=...&style=...&cache-control=...`. Without an endpoint the store is Amazon's.
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
  const given = url.searchParams.get('endpoint')
  const endpoint = given === null ? `https://s3.${region}.amazonaws.com` : parseEndpoint(given)
  if (endpoint === undefined)
    return 'has an endpoint that is no address such as https://s3.example.net'
  const style = url.searchParams.get('style') ?? defaultStyle(bucket, given)
  if (!STYLES.includes(style))
    return 'has a style that is not known; known are virtual (the bucket is in the host) and path'
  if (style === 'virtual' && isIpAddress(endpoint))
    return 'has style=virtual and an IP address as the endpoint, which cannot have the bucket in front; use a host name'
  return {
    bucket,
    prefix: segments.map((segment) => `${segment}/`).join(''),
    region,
    ...(style === 'virtual'
      ? withBucketInHost(endpoint, bucket)
      : { endpoint, baseUrl: `${endpoint}/${bucket}/` }),
    cacheControl: url.searchParams.get('cache-control') ?? REVALIDATE,
  }
}

/** A name in messages. */
export const nameOf = ({ bucket, prefix }: StoreAddress): string => `s3://${bucket}/${prefix}`

/** Buckets with dots have no certificate as a host name. Most other stores than Amazon's have all buckets below one host. */
const defaultStyle = (bucket: string, endpoint: string | null): string =>
  endpoint === null && !bucket.includes('.') ? 'virtual' : 'path'

/** The base URL of a store, without a slash at the end. */
function parseEndpoint(text: string): string | undefined {
  const url = parseUrl(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined
  if (url.username + url.password + url.search + url.hash !== '') return undefined
  return url.origin + url.pathname.replace(/\/+$/, '')
}

const isIpAddress = (endpoint: string): boolean =>
  /^(?:\[.*\]|[0-9.]+)$/.test(new URL(endpoint).hostname)

/** An endpoint may begin with the bucket already, as some stores name the address of a bucket. */
function withBucketInHost(
  given: string,
  bucket: string,
): Pick<StoreAddress, 'endpoint' | 'baseUrl'> {
  const [, scheme, rest = ''] = /^(https?:)\/\/(.*)$/.exec(given) ?? []
  const below = rest.startsWith(`${bucket}.`) ? rest.slice(bucket.length + 1) : rest
  return { endpoint: `${scheme}//${below}`, baseUrl: `${scheme}//${bucket}.${below}/` }
}
