import { describe, expect, it, vi } from 'vitest'
import { issueToken, listTokens, TokenUse } from '../../src/auth/tokens.ts'
import { createLog } from '../../src/log.ts'
import { eventually } from '../support/eventually.ts'
import { cloneNetwork } from '../support/network.ts'
import { openTestDatabase } from '../support/open-database.ts'
import { statementsOf } from '../support/statements.ts'
import { use } from '../support/use.ts'

const log = createLog('silent')
const now = new Date('2026-03-01T12:00:00Z')
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000)

const network = await use(cloneNetwork())

async function newTokenId(): Promise<number> {
  const { db, globals } = network
  return (await db.write({}, (tx) => issueToken(tx, globals, { userId: 2, now }))).id
}

async function lastUse(id: number): Promise<string | null | undefined> {
  const tokens = await listTokens(network.db, network.globals)
  return tokens.find((token) => token.id === id)?.last_used_at
}

describe('TokenUse', () => {
  it('records the last use at most once a minute', async () => {
    const id = await newTokenId()
    const use = new TokenUse(network.db, network.globals, log)
    use.record(id, now)
    await eventually(async () => expect(await lastUse(id)).toBe('2026-03-01 12:00:00'))
    expect(await statementsOf(network.db, async () => use.record(id, later(59)))).toEqual([])
    use.record(id, later(60))
    await eventually(async () => expect(await lastUse(id)).toBe('2026-03-01 12:01:00'))
  })

  it('keeps a use that another instance has just recorded', async () => {
    const id = await newTokenId()
    const [one, other] = [0, 1].map(() => new TokenUse(network.db, network.globals, log))
    one?.record(id, now)
    await eventually(async () => expect(await lastUse(id)).not.toBeNull())
    await statementsOf(network.db, async (statements) => {
      other?.record(id, later(30))
      await eventually(() => expect(statements).toContain('COMMIT;'))
      await eventually(() => expect(network.db.sql.client.pool.numUsed()).toBe(0))
    })
    expect(await lastUse(id)).toBe('2026-03-01 12:00:00')
  })

  it('logs a failure to record, and does not throw', async () => {
    const url = 'mysql://nobody@127.0.0.1:9/none'
    const away = openTestDatabase({ url, poolSize: 1, log })
    const warned = vi.fn()
    new TokenUse(away, network.globals, { ...log, warn: warned }).record(1, now)
    await eventually(() => expect(warned).toHaveBeenCalledOnce())
    await away.close()
  })
})
