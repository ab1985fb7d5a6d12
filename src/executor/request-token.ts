import { createHash, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { SigningKey } from './executor-key.ts'

/** Whom the tokens of requests are for: a token for something else opens nothing here. */
export const TOKEN_AUDIENCE = 'wp-frames-executor'

/** How long a token lives, in seconds. */
export const TOKEN_LIFETIME_S = 60

/** What a token says besides the registered claims: of which site it is, and of which body. */
export type RequestClaims = { readonly site: number; readonly body: string }

/** A token for one request (decisions, section 11): it is good for this site and this body, once. */
export function signRequest(key: SigningKey, site: number, body: string): Promise<string> {
  const claims: RequestClaims = { site, body: bodyDigest(body) }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.algorithm })
    .setAudience(TOKEN_AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(`${TOKEN_LIFETIME_S}s`)
    .setJti(randomUUID())
    .sign(key.signing)
}

/** The digest of a body that a token holds: SHA-256 in base64url. */
export function bodyDigest(body: string | Buffer): string {
  return createHash('sha256').update(body).digest('base64url')
}
