import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { readWakeUp } from '../../../../src/build/executor/server/executor-app.ts'
import { readExecutorKey, signWakeUp, TOKEN } from '../../../../src/build/executor/wake-up.ts'

const SECRET = 'a secret of at least thirty-two bytes'
const KEY = readExecutorKey(SECRET)
const SECOND = readExecutorKey(`${SECRET}!`)
const FORMER = readExecutorKey(`${SECRET}?`)

const read = (token: string) => readWakeUp([KEY, SECOND], `Bearer ${token}`)
const now = () => Math.floor(Date.now() / 1000)

/** A valid token, except for the given claims. */
const forge = (claims: object, alg: string = TOKEN.algorithm) =>
  new SignJWT({ aud: TOKEN.audience, iat: now(), exp: now() + 60, site: 2, version: 7, ...claims })
    .setProtectedHeader({ alg })
    .sign(KEY)

describe('a wake-up', () => {
  it.each([KEY, SECOND])('is accepted with either key of the executor', async (key) => {
    expect(await read(await signWakeUp(key, 2, 7))).toBe(2)
  })

  it('is rejected with a former key', async () => {
    expect(await read(await signWakeUp(FORMER, 2, 7))).toBeUndefined()
  })

  it.each([undefined, '', 'Bearer ', 'Bearer a.b.c', 'Basic eA=='])(
    'is rejected with the header %j',
    async (header) => expect(await readWakeUp([KEY, SECOND], header)).toBeUndefined(),
  )

  it.each([
    ['for another audience', { aud: 'something else' }],
    ['for no audience', { aud: undefined }],
    ['that has expired', { iat: now() - 120, exp: now() - 60 }],
    ['with a lifetime over one minute', { iat: now() - 120, exp: now() + 3600 }],
    ['from the future', { iat: now() + 3600, exp: now() + 3660 }],
    ['of a clock that is too far ahead', { iat: now() + 30 }],
    ['without an expiry', { exp: undefined }],
    ['without a version', { version: undefined }],
    ['whose site is no number', { site: '2' }],
  ])('is rejected with a token %s', async (_, claims) => {
    expect(await read(await forge({}))).toBe(2)
    expect(await read(await forge(claims))).toBeUndefined()
  })

  it.each([
    ['ahead', { iat: now() + 3, exp: now() + 63 }],
    ['behind', { iat: now() - 62, exp: now() - 2 }],
  ])('is accepted from a clock that is some seconds %s', async (_, claims) => {
    expect(await read(await forge(claims))).toBe(2)
  })

  it('is rejected with another algorithm, and without a signature', async () => {
    expect(await read(await forge({}, 'HS512'))).toBeUndefined()
    const [head = '', claims = ''] = (await forge({})).split('.')
    const none = Buffer.from(head, 'base64url').toString().replace(TOKEN.algorithm, 'none')
    expect(await read(`${Buffer.from(none).toString('base64url')}.${claims}.`)).toBeUndefined()
  })
})

describe('EXECUTOR_KEY', () => {
  const pem = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' })
  it.each([
    ['is missing', undefined],
    ['is short', 'x'.repeat(31)],
    ['is a key in PEM format', String(pem)],
  ])('is rejected if it %s', (_, key) => {
    expect(() => readExecutorKey(key)).toThrow(/^EXECUTOR_KEY /)
  })

  it('is named as the variable is', () => {
    expect(() => readExecutorKey('short', 'EXECUTOR_SECOND_KEY')).toThrow(/^EXECUTOR_SECOND_KEY /)
  })
})
