import { beforeEach, describe, expect, it } from 'vitest'
import {
  type IssuedToken,
  issueToken,
  listTokens,
  type ReissueRequest,
  reissueToken,
  revokeToken,
  tokensTable,
} from '../../src/auth/tokens.ts'
import { cloneNetwork } from '../support/network.ts'
import { use } from '../support/use.ts'

const ALICE = 2
const BOB = 3
const now = new Date('2026-03-01T12:00:00Z')
const days = (count: number): Date => new Date(now.getTime() + count * 86_400_000)

const network = await use(cloneNetwork())
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

  it('store the longest label in any script', async () => {
    const label = '𝄞'.repeat(200)
    await issue(ALICE, { label })
    expect((await list())[0]?.label).toBe(label)
  })
})
