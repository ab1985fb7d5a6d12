import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '../../../src/host/errors.ts'
import { createLog } from '../../../src/host/log.ts'
import { authenticate } from '../../../src/record/auth/authenticate.ts'
import {
  generateToken,
  hashToken,
  type IssuedToken,
  issueToken,
  isTokenFormat,
  listTokens,
  type ReissueRequest,
  reissueToken,
  revokeToken,
  TokenUse,
  tokensTable,
} from '../../../src/record/auth/tokens.ts'
import { issueTokenFor } from '../../support/api.ts'
import { eventually } from '../../support/eventually.ts'
import { useNetwork } from '../../support/network.ts'
import { connectionsOf, openUnreachable } from '../../support/open-database.ts'
import { statementsOf } from '../../support/statements.ts'

const ALICE = 2
const BOB = 3
const now = new Date('2026-03-01T12:00:00Z')
const days = (count: number): Date => new Date(now.getTime() + count * 86_400_000)
const network = await useNetwork()

beforeEach(() => network.db.sql(tokensTable(network.globals)).delete())

const issue = (userId: number, more: { label?: string; expiresAt?: Date } = {}) =>
  network.db.write({}, (tx) => issueToken(tx, network.globals, { userId, now, ...more }))
const revoke = (id: number, at = now) =>
  network.db.write({}, (tx) => revokeToken(tx, network.globals, id, at))
const reissue = (request: ReissueRequest) =>
  network.db.write({}, (tx) => reissueToken(tx, network.globals, request))
const list = (userId?: number) => listTokens(network.db, network.globals, userId)

describe('tokens', () => {
  it('are listed with all stored fields, but without the token itself', async () => {
    const first = await issue(ALICE, { label: 'deploy', expiresAt: days(90) })
    const second = await issue(BOB)
    expect(await list()).toEqual([
      {
        id: first.id,
        user_id: ALICE,
        label: 'deploy',
        created_at: '2026-03-01 12:00:00',
        last_used_at: null,
        expires_at: '2026-05-30 12:00:00',
        revoked_at: null,
        scope: 'all',
        sites: null,
        refused: 0,
        failed: 0,
      },
      expect.objectContaining({ id: second.id, user_id: BOB, label: '', expires_at: null }),
    ])
    expect((await list(BOB)).map(({ id }) => id)).toEqual([second.id])
  })

  it('keep the date of the first revocation', async () => {
    const { id } = await issue(ALICE)
    expect(await revoke(id)).toBe('2026-03-01 12:00:00')
    expect(await revoke(id, days(1))).toBe('2026-03-01 12:00:00')
    expect(await revoke(id + 1)).toBeUndefined()
    expect((await list())[0]?.revoked_at).toBe('2026-03-01 12:00:00')
  })

  it('are reissued for the same user, label and lifetime', async () => {
    const old = await issue(ALICE, { label: 'deploy', expiresAt: days(90) })
    const fresh = (await reissue({ id: old.id, now: days(100) })) as IssuedToken
    expect(fresh).toMatchObject({
      userId: ALICE,
      label: 'deploy',
      expiresAt: '2026-09-07 12:00:00',
    })
    expect(fresh.token).not.toBe(old.token)
    const [listedOld, listedFresh] = await list()
    expect(listedOld?.revoked_at).toBe('2026-06-09 12:00:00')
    expect(listedFresh).toMatchObject({ id: fresh.id, revoked_at: null })
  })

  it('can get another expiry date at reissue', async () => {
    const endless = await issue(ALICE)
    const fresh = await reissue({ id: endless.id, expiresAt: days(1), now })
    expect(fresh?.expiresAt).toBe('2026-03-02 12:00:00')
    const again = await reissue({ id: Number(fresh?.id), now: days(3) })
    expect(again?.expiresAt).toBe('2026-03-05 12:00:00')
  })

  it('are not reissued if revoked or never issued', async () => {
    const { id } = await issue(ALICE)
    await revoke(id)
    expect(await reissue({ id, now })).toBeUndefined()
    expect(await reissue({ id: id + 1, now })).toBeUndefined()
    expect(await list()).toHaveLength(1)
  })

  it('are reissued once by two concurrent requests', async () => {
    const { id } = await issue(ALICE)
    const fresh = await Promise.all([reissue({ id, now }), reissue({ id, now })])
    expect(fresh.filter((token) => token !== undefined)).toHaveLength(1)
    expect(await list()).toHaveLength(2)
  })
})

it('a token is op_ and 64 of all letters and digits, never the same twice', () => {
  const tokens = Array.from({ length: 200 }, generateToken)
  for (const one of tokens) {
    expect(one).toMatch(/^op_[A-Za-z0-9]{64}$/)
    expect(isTokenFormat(one)).toBe(true)
  }
  expect(new Set(tokens).size).toBe(200)
  expect(new Set(tokens.join('').replaceAll('op_', '')).size).toBe(62)
})

describe('isTokenFormat', () => {
  const token = fc.constant(null).map(generateToken)

  it('rejects every truncated or extended token', () => {
    fc.assert(
      fc.property(token, fc.nat(66), fc.string({ minLength: 1 }), (text, length, more) => {
        expect(isTokenFormat(text.slice(0, length))).toBe(false)
        expect(isTokenFormat(text.slice(66 - length))).toBe(length === 66)
        expect(isTokenFormat(text + more)).toBe(false)
        expect(isTokenFormat(more + text)).toBe(false)
      }),
    )
  })

  it.each(['', 'op_', `OP_${'a'.repeat(64)}`, `op_${'a'.repeat(63)}é`, `op_${'a'.repeat(64)}\n`])(
    'refuses %j',
    (text) => {
      expect(isTokenFormat(text)).toBe(false)
    },
  )
})

it('hashToken is the SHA-256', () => {
  const text = generateToken()
  expect(hashToken(text).toString('hex')).toBe(createHash('sha256').update(text).digest('hex'))
})

const log = createLog('silent')
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000)

const lastUse = async (id: number) => (await list()).find((token) => token.id === id)?.last_used_at

describe('TokenUse', () => {
  it('records the last use at most once a minute', async () => {
    const { id } = await issue(ALICE)
    const use = new TokenUse(network.db, network.globals, log)
    use.record(id, now)
    await eventually(async () => expect(await lastUse(id)).toBe('2026-03-01 12:00:00'))
    expect(await statementsOf(network.db, async () => use.record(id, later(59)))).toEqual([])
    use.record(id, later(60))
    await eventually(async () => expect(await lastUse(id)).toBe('2026-03-01 12:01:00'))
  })

  it('keeps a use that another instance has just recorded', async () => {
    const { id } = await issue(ALICE)
    const [one, other] = [0, 1].map(() => new TokenUse(network.db, network.globals, log))
    one?.record(id, now)
    await eventually(async () => expect(await lastUse(id)).not.toBeNull())
    await statementsOf(network.db, async (statements) => {
      other?.record(id, later(30))
      await eventually(() => expect(statements).toContain('COMMIT'))
      await eventually(() => expect(connectionsOf(network.db).used).toBe(0))
    })
    expect(await lastUse(id)).toBe('2026-03-01 12:00:00')
  })

  it('logs a failure to record, and does not throw', async () => {
    const away = openUnreachable()
    const warned = vi.fn()
    new TokenUse(away, network.globals, { ...log, warn: warned }).record(1, now)
    await eventually(() => expect(warned).toHaveBeenCalledOnce())
    await away.close()
  })
})

const call = (token: string | undefined, at = now) =>
  authenticate(network.db, network.globals, token, at)
const refusalOf = (token: string | undefined, at = now) =>
  call(token, at).then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error : Promise.reject(error)),
  )

describe('authenticate', () => {
  it('accepts a token until the second in which it expires', async () => {
    const token = await issueTokenFor(network, 'alice', { expiresAt: later(60) })
    expect(await refusalOf(token, later(59))).toBeUndefined()
    expect((await refusalOf(token, later(60)))?.code).toBe('invalid_token')
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
