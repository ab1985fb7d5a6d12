import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
} from 'node:crypto'
import { SignJWT } from 'jose'
import { ConfigError } from '../config/config.ts'
import type { Effects, StaticEffect } from '../effects.ts'
import type { RecordedChange } from '../work/record-work.ts'
import type { RebakeRequest } from './executor.ts'

/** A request to an executor in another process, as JSON. The executor reads the markup from the database: it may have megabytes. */
export type ExecutorRequest =
  | { readonly apply: Omit<RecordedChange, 'markup' | 'isRecorded'> }
  | { readonly rebake: RebakeRequest }

/** The response of the executor, as JSON. */
export type ExecutorResponse = { readonly effects: EncodedEffects }

/** `Effects` in a form that JSON can represent. */
export type EncodedEffects = Omit<Effects, 'statics'> & {
  readonly statics: readonly (readonly [number, StaticEffect])[]
}

export function encodeEffects(effects: Effects): EncodedEffects {
  return { ...effects, statics: [...effects.statics] }
}

export function decodeEffects(encoded: EncodedEffects): Effects {
  return { ...encoded, statics: new Map(encoded.statics) }
}

/** The key that authenticates requests from the API to the executor. */
export type ExecutorKey = {
  readonly algorithm: 'EdDSA' | 'HS256'
  /** Undefined if only the public key is known, which is enough for the executor. */
  readonly signing: KeyObject | undefined
  readonly verifying: KeyObject
}

/** Minimum length of an HS256 key (RFC 7518, section 3.2). */
const MIN_SECRET_BYTES = 32

/**
 * Parses `EXECUTOR_KEY`: an Ed25519 key in PEM (line breaks may be written `\n`; the executor needs only the public key), or any other text,
 * which is a secret that API and executor share.
 * @throws ConfigError
 */
export function readExecutorKey(text: string | undefined, variable = 'EXECUTOR_KEY'): ExecutorKey {
  if (text === undefined)
    throw new ConfigError(
      'EXECUTOR_KEY must be set when the executor runs in its own process: the same secret of 32 bytes or more on both sides, for example from "openssl rand -base64 48". The API serves a description of all variables at /docs/configuration.',
    )
  if (!text.startsWith('-----BEGIN ')) return sharedSecret(text, variable)
  const pem = text.replaceAll('\\n', '\n')
  const signing = pem.startsWith('-----BEGIN PUBLIC')
    ? undefined
    : parsePem(createPrivateKey, pem, variable)
  const verifying = parsePem(createPublicKey, pem, variable)
  if (verifying.asymmetricKeyType !== 'ed25519') throw invalidKey(variable)
  return { algorithm: 'EdDSA', signing, verifying }
}

/**
 * Parses the keys that an executor accepts: `EXECUTOR_KEY`, and `EXECUTOR_SECOND_KEY` if it is set.
 * @throws ConfigError
 */
export function readExecutorKeys(
  text: string | undefined,
  second: string | undefined,
): readonly ExecutorKey[] {
  const key = readExecutorKey(text)
  return second === undefined ? [key] : [key, readExecutorKey(second, 'EXECUTOR_SECOND_KEY')]
}

/** A key that can sign requests. */
export type SigningKey = Pick<ExecutorKey, 'algorithm'> & { readonly signing: KeyObject }

/**
 * Parses `EXECUTOR_KEY` of a process that sends requests to the executor.
 * @throws ConfigError
 */
export function readSigningKey(text: string | undefined): SigningKey {
  const { algorithm, signing } = readExecutorKey(text)
  if (!signing)
    throw new ConfigError(
      'EXECUTOR_KEY is a public key; with EXECUTOR_URL it must be the private key',
    )
  return { algorithm, signing }
}

function sharedSecret(text: string, variable: string): ExecutorKey {
  if (Buffer.byteLength(text) < MIN_SECRET_BYTES) {
    throw new ConfigError(`${variable} must be a secret of at least ${MIN_SECRET_BYTES} bytes`)
  }
  const secret = createSecretKey(text, 'utf8')
  return { algorithm: 'HS256', signing: secret, verifying: secret }
}

function parsePem(create: (pem: string) => KeyObject, pem: string, variable: string): KeyObject {
  try {
    return create(pem)
  } catch {
    throw invalidKey(variable)
  }
}

function invalidKey(variable: string): ConfigError {
  return new ConfigError(`${variable} starts like a PEM key but is not a valid Ed25519 key`)
}

/** Audience of request tokens: tokens issued for other purposes are rejected. */
export const TOKEN_AUDIENCE = 'wp-frames-executor'

/** Lifetime of a token, in seconds. */
export const TOKEN_LIFETIME_S = 60

/** Private claims of a token: the site and the digest of the body. */
type RequestClaims = { readonly site: number; readonly body: string }

/** Creates a token for one request. It is valid for this site and this body; a repeated request finds nothing to do. */
export function signRequest(key: SigningKey, site: number, body: string): Promise<string> {
  const claims: RequestClaims = { site, body: bodyDigest(body) }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.algorithm })
    .setAudience(TOKEN_AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(`${TOKEN_LIFETIME_S}s`)
    .sign(key.signing)
}

/** The digest of a request body in a token: SHA-256 in base64url. */
export function bodyDigest(body: string): string {
  return createHash('sha256').update(body).digest('base64url')
}
