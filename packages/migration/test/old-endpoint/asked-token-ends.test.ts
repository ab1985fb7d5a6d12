import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isActive, type Token } from '../../../../src/record/auth/tokens.ts'
import { commandsOn } from '../../../../test/support/cli.ts'
import { statementsOf } from '../../../../test/support/statements.ts'
import { useFolder } from '../../../../test/support/use.ts'
import { answerWith, codeOf, useAskingApi } from '../asking.ts'

const { network, asking, stored, startOther } = await useAskingApi()
const { db, globals } = network
const folder = await useFolder('asked-tokens')
const { get, send, oldToken, questions, pass, valid, api } = asking
const { rowOf, checksOf, entriesOf } = stored

const MENUS = '/site/2/menus'

describe('an asked token', () => {
  it('is asked about again when the answer is older than five minutes, once', async () => {
    const token = oldToken(2)
    await get(MENUS, token)
    pass(4)
    await get(MENUS, token)
    expect(questions(token)).toBe(1)
    pass(2)
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(MENUS, token)))
    expect(answers.every((answer) => answer.status === 200)).toBe(true)
    expect(questions(token)).toBe(2)
    pass(6)
    expect((await get('/me', token)).status).toBe(200)
    expect((await get('/sites', token)).status).toBe(200)
    expect(questions(token)).toBe(3)
  })

  it('expires when the old endpoint refuses it, until it is accepted again', async () => {
    const token = oldToken(2, 3)
    await get(MENUS, token)
    await get('/site/3/menus', token)
    valid.delete(token)
    pass(6)
    expect(codeOf(await get(MENUS, token))).toBe('401 invalid_token')
    expect(codeOf(await get('/site/3/menus', token))).toBe('401 invalid_token')
    expect(questions(token)).toBe(3)
    const row = await rowOf(token)
    expect(isActive(row as Token, asking.now())).toBe(false)
    // The old endpoint was wrong.
    valid.set(token, new Set([2, 3]))
    expect(codeOf(await get(MENUS, token))).toBe('401 invalid_token')
    pass(2)
    expect((await get(MENUS, token)).status).toBe(200)
    expect((await rowOf(token))?.sites).toEqual([2])
    const { body } = await get('/sites', token)
    expect(body.sites.map(({ site_id: id }: { site_id: number }) => id)).toEqual([2])
    const entries = await entriesOf(token)
    expect(entries.map(({ action, label }) => `${action}: ${label}`)).toEqual([
      'accepted: the old endpoint accepts the token',
      'accepted: the old endpoint accepts the token',
      'refused: the old endpoint refuses the token',
      'accepted: the old endpoint accepts the token',
    ])
  })

  it('also ends for a request without a site, and for one site alone', async () => {
    const token = oldToken(2, 3)
    await get(MENUS, token)
    await get('/site/3/menus', token)
    pass(6)
    valid.set(token, new Set([2]))
    expect(codeOf(await get('/site/3/menus', token))).toBe('404 site_not_found')
    expect(await checksOf(token)).toEqual([[2, 2]])
    expect((await get('/me', token)).body.token.sites).toEqual([2])
    valid.set(token, new Set([4]))
    pass(6)
    expect(codeOf(await get('/me', token))).toBe('401 invalid_token')
    expect(isActive((await rowOf(token)) as Token, asking.now())).toBe(false)
    const entries = await entriesOf(token)
    expect(entries.map(({ action }) => action)).toEqual([
      'accepted',
      'accepted',
      'refused',
      'refused',
    ])
  })

  it('has one entry in the history for what changes, also with another user on each site', async () => {
    const token = oldToken(2, 3)
    for (const _ of [1, 2, 3, 4]) {
      for (const site of [2, 3]) expect((await get(`/site/${site}/menus`, token)).status).toBe(200)
      pass(6)
    }
    expect(questions(token)).toBe(8)
    expect((await rowOf(token))?.user_id).toBe(2)
    expect(await entriesOf(token)).toHaveLength(2)
  })

  it('goes on for an hour while the old endpoint does not answer, then waits for it', async () => {
    const token = oldToken(2)
    await get(MENUS, token)
    asking.fault = answerWith(502, '<html>Bad Gateway</html>', 'text/html')
    pass(50)
    for (const _ of [1, 2, 3]) expect((await get(MENUS, token)).status).toBe(200)
    expect((await get('/me', token)).status).toBe(200)
    expect(questions(token)).toBe(2)
    pass(11)
    expect(codeOf(await get(MENUS, token))).toBe('503 service_busy')
    expect((await rowOf(token))?.revoked_at).toBeNull()
    asking.fault = undefined
    pass(1)
    expect((await get(MENUS, token)).status).toBe(200)
  })

  it('is revoked here as any other, and stays so', async () => {
    const token = oldToken(2)
    await get(MENUS, token)
    const admin = await api.token('admin')
    const { id } = (await rowOf(token)) ?? {}
    expect(codeOf(await send('DELETE', `/network/tokens/${id}`, admin, undefined))).toBe('200')
    expect(codeOf(await get(MENUS, token))).toBe('401 invalid_token')
    pass(100_000)
    expect(codeOf(await get(MENUS, token))).toBe('401 invalid_token')
    expect(questions(token)).toBe(1)
    expect((await entriesOf(token)).map(({ action }) => action)).toEqual(['accepted', 'revoked'])
  })

  it('expires thirty days after it was last accepted, and may be accepted again', async () => {
    const token = oldToken(2)
    await get(MENUS, token)
    const first = await rowOf(token)
    pass(60)
    await get(MENUS, token)
    expect(await rowOf(token)).toEqual({ ...first, last_used_at: expect.anything() })
    pass(25 * 60)
    await get(MENUS, token)
    const extended = await rowOf(token)
    expect(String(extended?.expires_at) > String(first?.expires_at)).toBe(true)
    pass(31 * 24 * 60)
    const before = questions(token)
    expect((await get(MENUS, token)).status).toBe(200)
    expect(questions(token)).toBe(before + 1)
    expect((await rowOf(token))?.id).toBe(first?.id)
    pass(31 * 24 * 60)
    valid.delete(token)
    expect(codeOf(await get(MENUS, token))).toBe('401 invalid_token')
  })

  it('has another user when its user is deleted', async () => {
    const token = oldToken(3)
    await get('/site/3/menus', token)
    await db.sql(globals.users).where({ ID: 3 }).update({ deleted: 1 })
    try {
      expect((await get('/site/3/menus', token)).status).toBe(200)
      expect(questions(token)).toBe(2)
      expect(await checksOf(token)).toEqual([[3, 7]])
    } finally {
      await db.sql(globals.users).where({ ID: 3 }).update({ deleted: 0 })
    }
  })
})

it('without LEGACY_TOKENS=ask no token is asked about, and none that was accepted is valid any more', async () => {
  const token = oldToken(2)
  await get(MENUS, token)
  const off = await startOther({ asked: undefined })
  off.valid.set(token, new Set([2]))
  expect(codeOf(await off.get(MENUS, token))).toBe('401 invalid_token')
  expect(codeOf(await off.get(MENUS, off.oldToken(2)))).toBe('401 invalid_token')
  expect(off.questions()).toBe(0)
  expect((await get(MENUS, token)).status).toBe(200)
})

it('a token of this service is authenticated with the same statement as without asking', async () => {
  const token = await api.token('alice')
  const off = await startOther({ asked: undefined })
  const readsOf = async (ask: typeof get): Promise<string[]> => {
    const statements = await statementsOf(db, () => ask('/me', token))
    return statements.filter((text) => text.startsWith('SELECT'))
  }
  expect(await readsOf(get)).toEqual(await readsOf(off.get))
})

it('a token that is imported is not asked about any more', async () => {
  const token = oldToken(2)
  await get(MENUS, token)
  const row = await rowOf(token)
  const file = join(folder, 'tokens.json')
  // Also with the fields that it has, it is another token then: one that the operator has imported.
  const { label, expires_at } = row ?? {}
  await writeFile(file, JSON.stringify([{ token, user: 'alice', label, expires_at, sites: [2] }]))
  const { run } = commandsOn(network)
  expect((await run('token', 'import', file)).stderr).toContain('other values of origin')
  expect((await run('token', 'import', file, '--update')).stderr).toContain('1 updated')
  valid.delete(token)
  pass(100)
  expect((await get(MENUS, token)).status).toBe(200)
  expect(questions(token)).toBe(1)
  expect((await entriesOf(token)).map(({ action }) => action)).toEqual(['accepted', 'imported'])
})
