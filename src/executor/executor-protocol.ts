import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  randomUUID,
} from 'node:crypto'
import { SignJWT } from 'jose'
import type { Change, Effects, StaticEffect } from '../change.ts'
import { ConfigError } from '../config/config.ts'

/** What an executor in another process is asked, as JSON. */
export type ExecutorRequest =
  | { readonly apply: Omit<Change, 'markup'> }
  /** Id of the page. */
  | { readonly render: number }

/** What it answers. */
export type ExecutorResponse =
  | { readonly effects: EncodedEffects }
  /** Null for a page that is not shown. */
  | { readonly html: string | null }

/** Effects as JSON has them. */
export type EncodedEffects = Omit<Effects, 'statics'> & {
  readonly statics: readonly (readonly [number, StaticEffect])[]
}

export function encodeEffects(effects: Effects): EncodedEffects {
  return { ...effects, statics: [...effects.statics] }
}

export function decodeEffects(encoded: EncodedEffects): Effects {
  return { ...encoded, statics: new Map(encoded.statics) }
}

/** The key by which an executor knows that a request comes from its API. */
export type ExecutorKey = {
  readonly algorithm: 'EdDSA' | 'HS256'
  /** Undefined where only the public half is known: enough for the executor. */
  readonly signing: KeyObject | undefined
  readonly verifying: KeyObject
}

/** HS256 takes no less (RFC 7518, section 3.2). */
const MIN_SECRET_BYTES = 32

/**
 * The key in `EXECUTOR_KEY`: an Ed25519 key in PEM (line breaks may be written `\n`), of which the executor needs the public half only,
 * or any other text, a secret that both sides share.
 * @throws ConfigError
 */
export function readExecutorKey(text: string | undefined): ExecutorKey {
  if (text === undefined)
    throw new ConfigError(
      'EXECUTOR_KEY must be set where the executor runs apart. See docs/configuration.md.',
    )
  if (!text.startsWith('-----BEGIN ')) return sharedSecret(text)
  const pem = text.replaceAll('\\n', '\n')
  const signing = pem.startsWith('-----BEGIN PUBLIC') ? undefined : parsePem(createPrivateKey, pem)
  const verifying = parsePem(createPublicKey, pem)
  if (verifying.asymmetricKeyType !== 'ed25519') throw invalidKey()
  return { algorithm: 'EdDSA', signing, verifying }
}

/** A key that signs, too. */
export type SigningKey = Pick<ExecutorKey, 'algorithm'> & { readonly signing: KeyObject }

/**
 * The key in `EXECUTOR_KEY` of whoever asks the executor.
 * @throws ConfigError
 */
export function readSigningKey(text: string | undefined): SigningKey {
  const { algorithm, signing } = readExecutorKey(text)
  if (!signing)
    throw new ConfigError(
      'EXECUTOR_KEY is a public key; with EXECUTOR_URL it must be the private one',
    )
  return { algorithm, signing }
}

function sharedSecret(text: string): ExecutorKey {
  if (Buffer.byteLength(text) < MIN_SECRET_BYTES) {
    throw new ConfigError(`EXECUTOR_KEY must be a secret of at least ${MIN_SECRET_BYTES} bytes`)
  }
  const secret = createSecretKey(text, 'utf8')
  return { algorithm: 'HS256', signing: secret, verifying: secret }
}

function parsePem(create: (pem: string) => KeyObject, pem: string): KeyObject {
  try {
    return create(pem)
  } catch {
    throw invalidKey()
  }
}

function invalidKey(): ConfigError {
  return new ConfigError('EXECUTOR_KEY begins like a key in PEM but is no Ed25519 key')
}

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
