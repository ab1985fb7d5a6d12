import { describe, expect, it } from 'vitest'
import { authenticate } from '../../src/auth/authenticate.ts'
import { generateToken, reissueToken, revokeToken, tokensTable } from '../../src/auth/tokens.ts'
import { AppError } from '../../src/errors.ts'
import { issueTokenFor } from '../support/api.ts'
import { cloneNetwork } from '../support/network.ts'
import { statementsOf } from '../support/statements.ts'
import { use } from '../support/use.ts'

const network = await use(cloneNetwork())

const now = new Date('2026-03-01T12:00:00Z')
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000)

const call = (token: string | undefined, at = now) =>
  authenticate(network.db, network.globals, token, at)

const refusalOf = (token: string | undefined, at = now) =>
  call(token, at).then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error : Promise.reject(error)),
  )

const idOf = async (token: string): Promise<number> => (await call(token)).tokenId

describe('authenticate', () => {
  it('returns the user of the token', async () => {
    const { user } = await call(await issueTokenFor(network, 'alice'))
    expect(user).toEqual({ id: 2, login: 'alice', isBlocked: false })
  })

  it('rejects a request without a token: missing_token', async () => {
    expect((await refusalOf(undefined))?.code).toBe('missing_token')
  })

  it('accepts a token until the second in which it expires', async () => {
    const token = await issueTokenFor(network, 'alice', { expiresAt: later(60) })
    expect(await refusalOf(token, later(59))).toBeUndefined()
    expect((await refusalOf(token, later(60)))?.code).toBe('invalid_token')
  })

  it('rejects a token as soon as it is revoked or reissued', async () => {
    const revoked = await issueTokenFor(network, 'alice')
    const reissued = await issueTokenFor(network, 'alice')
    const [revokedId, id] = [await idOf(revoked), await idOf(reissued)]
    await network.db.write({}, (tx) => revokeToken(tx, network.globals, revokedId, now))
    await network.db.write({}, (tx) => reissueToken(tx, network.globals, { id, now }))
    expect((await refusalOf(revoked))?.code).toBe('invalid_token')
    expect((await refusalOf(reissued))?.code).toBe('invalid_token')
  })

  it('rejects every invalid token with the same message', async () => {
    const good = await issueTokenFor(network, 'alice')
    const expired = await issueTokenFor(network, 'alice', { expiresAt: later(-1) })
    const spam = await issueTokenFor(network, 'erin')
    const wrong = [
      good.slice(0, -1),
      `${good}x`,
      good.toLowerCase(),
      'banana',
      generateToken(),
      expired,
      spam,
    ]
    const errors = await Promise.all(wrong.map((token) => refusalOf(token)))
    const texts = errors.map(
      (error) => `${error?.code} ${error?.message} ${JSON.stringify(error?.fields)}`,
    )
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toMatch(/^invalid_token /)
  })

  it('sends no statement for a malformed token', async () => {
    const asked = await statementsOf(network.db, async () => {
      await refusalOf(undefined)
      await refusalOf('op_short')
      await refusalOf(`op_${'a'.repeat(63)}!`)
    })
    expect(asked).toEqual([])
  })

  it('stores only the hash of a token', async () => {
    const token = await issueTokenFor(network, 'alice', { label: 'secret' })
    const rows = await network.db.sql(tokensTable(network.globals))
    expect(JSON.stringify(rows)).not.toContain(token.slice(3, 30))
    expect(JSON.stringify(rows)).toContain('secret')
  })
})
