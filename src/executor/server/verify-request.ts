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
}

/** Maximum clock difference between API and executor, in seconds. */
const CLOCK_TOLERANCE_S = 5

const CLAIMS = ['aud', 'iat', 'exp', 'jti', 'site', 'body']

export type SignedRequest = {
  /** The `Authorization` header. */
  readonly authorization: string | undefined
  readonly site: number
}

/**
 * Verifies that the API signed a request for this executor and this site less than a minute ago, and that the token was not used before.
 * Needs only the headers, so that no body is read for a client that is not the API.
 * @returns the digest of the signed body, for `verifyBody`
 * @throws RefusedRequest
 */
export async function verifyRequest(
  key: ExecutorKey,
  ids: OneTimeIds,
  { authorization, site }: SignedRequest,
): Promise<string> {
  const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1]
  if (token === undefined) throw new RefusedRequest('no token')
  const claims = await readClaims(key, token)
  if (claims.site !== site) throw new RefusedRequest('the token is for another site')
  const expiresAt = Number(claims.exp) + CLOCK_TOLERANCE_S
  if (!ids.use(String(claims.jti), expiresAt)) throw new RefusedRequest('the token was used before')
  return String(claims.body)
}

/** @throws RefusedRequest if the body differs from the signed one */
export function verifyBody(digest: string, body: Buffer): void {
  if (digest !== bodyDigest(body)) throw new RefusedRequest('the token is for another body')
}

async function readClaims({ algorithm, verifying }: ExecutorKey, token: string) {
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

/** The ids of tokens that were used. Ids of expired tokens are removed, since an expired token is rejected anyway. */
export class OneTimeIds {
  /** By id, when its token expires, in seconds since 1970; roughly in order of expiry. */
  readonly #used = new Map<string, number>()

  /** Records the use of an id. @returns false if the id was used before */
  use(id: string, expiresAt: number, now = Date.now() / 1000): boolean {
    for (const [old, at] of this.#used) {
      if (at > now) break
      this.#used.delete(old)
    }
    if (this.#used.has(id)) return false
    this.#used.set(id, expiresAt)
    return true
  }
}
