import { errors, jwtVerify } from 'jose'
import {
  bodyDigest,
  type ExecutorKey,
  TOKEN_AUDIENCE,
  TOKEN_LIFETIME_S,
} from '../executor-protocol.ts'

/** A request that fails authentication. The message goes into the log of the API that sent it. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest'
  readonly status = 401
}

/** Maximum clock difference between API and executor, in seconds. */
const CLOCK_TOLERANCE_S = 5

const CLAIMS = ['aud', 'iat', 'exp', 'site', 'body']

export type SignedRequest = {
  /** The `Authorization` header. */
  readonly authorization: string | undefined
  readonly site: number
}

/**
 * Verifies that the API signed a request for this executor and this site less than a minute ago. Needs only the headers, so
 * that no body is read for a client that is not the API.
 * @returns the digest of the signed body, for `verifyBody`
 * @throws RefusedRequest
 */
export async function verifyRequest(
  keys: readonly ExecutorKey[],
  { authorization, site }: SignedRequest,
): Promise<string> {
  const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1]
  if (token === undefined) throw new RefusedRequest('no token')
  const claims = await readClaims(keys, token)
  if (claims.site !== site) throw new RefusedRequest('the token is for another site')
  return String(claims.body)
}

/** @throws RefusedRequest if the body differs from the signed one */
export function verifyBody(digest: string, body: string): void {
  if (digest !== bodyDigest(body)) throw new RefusedRequest('the token is for another body')
}

/** With several keys, the token may be signed with any of them. */
async function readClaims([key, ...others]: readonly ExecutorKey[], token: string) {
  if (!key) throw new RefusedRequest('no key')
  try {
    return await readClaimsOf(key, token)
  } catch (error) {
    if (others.length === 0 || !(error instanceof RefusedRequest)) throw error
    return readClaims(others, token)
  }
}

async function readClaimsOf({ algorithm, verifying }: ExecutorKey, token: string) {
  try {
    const { payload } = await jwtVerify(token, verifying, {
      algorithms: [algorithm],
      audience: TOKEN_AUDIENCE,
      maxTokenAge: TOKEN_LIFETIME_S,
      clockTolerance: CLOCK_TOLERANCE_S,
      requiredClaims: CLAIMS,
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new RefusedRequest(error.message)
    throw error
  }
}
