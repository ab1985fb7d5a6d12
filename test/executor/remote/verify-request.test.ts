import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  bodyDigest,
  readExecutorKey,
  readExecutorKeys,
  readSigningKey,
  signRequest,
  TOKEN_AUDIENCE,
} from '../../../src/executor/executor-protocol.ts'
import { verifyBody, verifyRequest } from '../../../src/executor/server/verify-request.ts'

const SECRET = 'a secret of at least thirty-two bytes'
const pair = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const KEYS = {
  HS256: { ours: SECRET, theirs: SECRET },
  EdDSA: { ours: pair.privateKey.replaceAll('\n', '\\n'), theirs: pair.publicKey },
}
const BODY = '{"rebake":7}'

type Sent = { readonly site?: number; readonly body?: string; readonly second?: string }

const verify = async (
  key: string,
  token: string | undefined,
  { site = 2, body = BODY, second }: Sent = {},
) => {
  const authorization = token === undefined ? undefined : `Bearer ${token}`
  const digest = await verifyRequest(readExecutorKeys(key, second), { authorization, site })
  verifyBody(digest, body)
}

const now = () => Math.floor(Date.now() / 1000)

/** A valid token, except for the given claims. */
function forge(claims: object, { alg = 'HS256', secret = SECRET } = {}): Promise<string> {
  return new SignJWT({
    aud: TOKEN_AUDIENCE,
    iat: now(),
    exp: now() + 60,
    site: 2,
    body: bodyDigest(BODY),
    ...claims,
  })
    .setProtectedHeader({ alg })
    .sign(new TextEncoder().encode(secret))
}

describe.each(Object.entries(KEYS))('a request signed with %s', (_, { ours, theirs }) => {
  it('is accepted', async () => {
    await verify(theirs, await signRequest(readSigningKey(ours), 2, BODY))
  })

  it('is rejected for another body, another site or with another key', async () => {
    const token = await signRequest(readSigningKey(ours), 2, BODY)
    await expect(verify(theirs, token, { body: `${BODY} ` })).rejects.toThrow('another body')
    await expect(verify(theirs, token, { site: 3 })).rejects.toThrow('another site')
    const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' })
    for (const key of [`${SECRET}!`, String(other)])
      await expect(verify(key, token)).rejects.toMatchObject({ name: 'RefusedRequest' })
  })
})

describe('an executor with two keys', () => {
  const other = `${SECRET}!`
  it.each([
    ['the first', SECRET],
    ['the second', other],
  ])('accepts a request signed with %s', async (_, ours) => {
    const token = await signRequest(readSigningKey(ours), 2, BODY)
    await verify(SECRET, token, { second: other })
    await verify(other, token, { second: SECRET })
  })

  it('accepts keys of different kinds', async () => {
    const { ours, theirs } = KEYS.EdDSA
    for (const key of [SECRET, ours])
      await verify(theirs, await signRequest(readSigningKey(key), 2, BODY), { second: SECRET })
  })

  it('rejects a third one, and the public key as a secret', async () => {
    const token = await signRequest(readSigningKey(`${SECRET}?`), 2, BODY)
    const confused = await forge({}, { secret: pair.publicKey })
    for (const refused of [token, confused])
      await expect(verify(SECRET, refused, { second: pair.publicKey })).rejects.toMatchObject({
        name: 'RefusedRequest',
      })
  })

  it('names the variable of the one that is wrong', () => {
    expect(() => readExecutorKeys(SECRET, 'short')).toThrow(/^EXECUTOR_SECOND_KEY /)
    expect(() => readExecutorKeys('short', SECRET)).toThrow(/^EXECUTOR_KEY /)
    expect(() => readExecutorKeys(undefined, SECRET)).toThrow(/^EXECUTOR_KEY /)
  })
})

describe('a request is rejected', () => {
  it.each([
    ['without a token', undefined],
    ['with an invalid token', 'a.b.c'],
  ])('%s', async (_, token) => {
    await expect(verify(SECRET, token)).rejects.toMatchObject({ name: 'RefusedRequest' })
  })

  it.each([
    ['for another audience', { aud: 'something else' }],
    ['for no audience', { aud: undefined }],
    ['that has expired', { iat: now() - 120, exp: now() - 60 }],
    ['with a lifetime over one minute', { iat: now() - 120, exp: now() + 3600 }],
    ['from the future', { iat: now() + 3600, exp: now() + 3660 }],
    ['without an expiry', { exp: undefined }],
    ['without a digest', { body: undefined }],
    ['whose site is no number', { site: '2' }],
  ])('with a token %s', async (_, claims) => {
    await verify(SECRET, await forge({}))
    await expect(verify(SECRET, await forge(claims))).rejects.toMatchObject({
      name: 'RefusedRequest',
    })
  })

  it('with a token of another algorithm, such as HS256 with the public key as secret', async () => {
    await expect(verify(SECRET, await forge({}, { alg: 'HS512' }))).rejects.toThrow('alg')
    const confused = await forge({}, { secret: pair.publicKey })
    await expect(verify(pair.publicKey, confused)).rejects.toThrow('alg')
    const [head = '', claims = ''] = (await forge({})).split('.')
    const none = Buffer.from(head, 'base64url').toString().replace('HS256', 'none')
    const unsigned = `${Buffer.from(none).toString('base64url')}.${claims}.`
    await expect(verify(SECRET, unsigned)).rejects.toMatchObject({ name: 'RefusedRequest' })
  })
})

describe('EXECUTOR_KEY', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  it.each([
    ['is missing', undefined],
    ['is short', 'x'.repeat(31)],
    ['is PEM without a key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'],
    ['is another kind of key', String(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }))],
  ])('is rejected if it %s', (_, key) => {
    expect(() => readExecutorKey(key)).toThrow(/^EXECUTOR_KEY /)
  })

  it('cannot sign if it is a public key', () => {
    expect(() => readSigningKey(pair.publicKey)).toThrow('EXECUTOR_KEY is a public key')
  })
})
