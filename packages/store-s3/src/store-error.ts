import {
  CANNOT_WRITE,
  CopyTargetError,
  UnusableTargetError,
} from '#wp-frames/build/publishing/copy-store'
import { nameOf, type StoreAddress } from '#wp-frames/host/config/store-address'
import { MissingCredentialsError } from './store-credentials.ts'

type StoreAnswer = {
  readonly status: number
  readonly code: string
  readonly reason?: string | undefined
  readonly region?: string | undefined
  readonly retryAfterMs?: number | undefined
}

/** The store has refused a request, or could not be reached. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  /** HTTP status; 0 if there was no answer. */
  readonly status: number
  /** That of the store (`NoSuchBucket`) or of the system (`ECONNREFUSED`). */
  readonly code: string
  /** The sentence of the store, without secrets. */
  readonly reason: string | undefined
  /** The region that the store names, if it refuses that of the request. */
  readonly region: string | undefined
  /** The pause that the store asks for, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(
    request: string,
    { status, code, reason, region, retryAfterMs }: StoreAnswer,
    cause?: unknown,
  ) {
    const answer = status === 0 ? code : `${status} ${code}${quoted(reason)}`
    super(`the store answered ${request} with ${answer}`, { cause })
    this.status = status
    this.code = code
    this.reason = reason
    this.region = region
    this.retryAfterMs = retryAfterMs
  }

  /** The store asks for fewer requests or is away: the same request may succeed later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

const quoted = (reason: string | undefined): string => (reason ? `: "${reason}"` : '')

const WRONG_KEYS = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidToken',
  'ExpiredToken',
  'InvalidClientTokenId',
])
const WRONG_REGION = new Set([
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
])

/** Some stores have no buckets in the path. */
const WRONG_STYLE = new Set([
  'SecondLevelDomainForbidden',
  'PathStyleDomainForbidden',
  'VirtualHostDomainRequired',
])
/** A missing right, of stores that name it. Answers to HEAD have no code, so theirs is the name of the status. */
const MISSING_RIGHT = new Set(['AccessDenied', 'Forbidden', 'Unauthorized'])

/** The rights that the service needs in a store, in the language of its policies. */
const STORE_RIGHTS =
  's3:ListBucket on the bucket, and s3:GetObject, s3:PutObject and s3:DeleteObject on its objects'

/** What is wrong with a store and how to fix it, as a sentence without a full stop. */
export function describeStoreError(
  { status, code, region, reason }: Pick<StoreError, 'status' | 'code' | 'region' | 'reason'>,
  address: StoreAddress,
  purpose = 'read and write objects',
): string {
  const { bucket } = address
  const at = new URL(address.baseUrl).origin
  if (code === 'NoSuchBucket')
    return `the bucket "${bucket}" does not exist at ${at}. Create it, or correct STATIC_TARGET`
  if (WRONG_REGION.has(code) || status === 301)
    return `the bucket "${bucket}" is not in the region "${address.region}". Set region=${region ?? 'its region'} in STATIC_TARGET`
  const answer = `${code}${quoted(reason)}`
  if (WRONG_KEYS.has(code))
    return `the store at ${at} rejects the credentials (${answer}). Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the file of credentials`
  if (code === 'RequestTimeTooSkewed')
    return `the clock of this machine differs from that of the store at ${at} by more than the store accepts. Synchronize the clock (NTP)`
  if (WRONG_STYLE.has(code))
    return `the store at ${at} wants the bucket in the host name (${answer}). Set style=virtual in STATIC_TARGET`
  if ((status === 403 || status === 401) && MISSING_RIGHT.has(code))
    return `the credentials do not have the right to ${purpose} in ${nameOf(address)} (${answer}). Grant ${STORE_RIGHTS}`
  if (status === 0) return `the store at ${at} cannot be reached (${code})`
  if (status === 429 || status === 503)
    return `the store at ${at} is busy or away (${status} ${answer})`
  if (status === 403 || status === 401)
    return `the store at ${at} refuses to ${purpose} in ${nameOf(address)} (${status} ${answer})`
  return `the store at ${at} answered with ${status} ${answer}`
}

/** The error of a store as that of a target. One that does not end by itself is an `UnusableTargetError`. */
export function asTargetError(error: unknown, address: StoreAddress, purpose?: string): unknown {
  if (error instanceof MissingCredentialsError) return new UnusableTargetError(error.message)
  if (!(error instanceof StoreError)) return error
  const message = `${CANNOT_WRITE}${describeStoreError(error, address, purpose)}`
  const kind = error.isTemporary ? CopyTargetError : UnusableTargetError
  return new kind(message, { cause: error })
}
