import { errors, jwtVerify } from 'jose'
import {
  bodyDigest,
  type ExecutorKey,
  TOKEN_AUDIENCE,
  TOKEN_LIFETIME_S,
} from '../executor-protocol.ts'

/** A request that may not be carried out. The message is for the log of the side that sent it. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest'
}

/** By how much the clocks of the two machines may differ, in seconds. */
const CLOCK_TOLERANCE_S = 5

const CLAIMS = ['aud', 'iat', 'exp', 'jti', 'site', 'body']

export type SignedRequest = {
  /** The header Authorization. */
  readonly authorization: string | undefined
  readonly site: number
}

/**
 * Accepts a request that its API signed for this executor and this site, less than a minute ago, and that was not sent before (decisions,
 * section 11). It needs the headers alone, so that nothing of a body is read for a caller who is not the API.
 * @returns the digest of the body that was signed, for `verifyBody`
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
  const forgetAt = Number(claims.exp) + CLOCK_TOLERANCE_S
  if (!ids.use(String(claims.jti), forgetAt)) throw new RefusedRequest('the token was used before')
  return String(claims.body)
}

/** @throws RefusedRequest for a body other than the one that was signed */
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

/** Ids that may be used once. Those of expired tokens are forgotten: an expired token is refused anyway. */
export class OneTimeIds {
  /** Id to when it may be forgotten, in seconds since 1970; roughly in that order. */
  readonly #used = new Map<string, number>()

  /** Is this the id's first use? */
  use(id: string, forgetAt: number, now = Date.now() / 1000): boolean {
    for (const [old, at] of this.#used) {
      if (at > now) break
      this.#used.delete(old)
    }
    if (this.#used.has(id)) return false
    this.#used.set(id, forgetAt)
    return true
  }
}
