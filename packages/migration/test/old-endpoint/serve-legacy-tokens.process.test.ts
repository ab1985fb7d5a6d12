import { resolve } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it } from 'vitest'
import {
  generateToken,
  hashToken,
  listTokens,
  tokensTable,
} from '../../../../src/record/auth/tokens.ts'
import { openSession } from '../../../../test/support/mcp.ts'
import { useNetwork } from '../../../../test/support/network.ts'
import { batchSetting } from '../../../../test/support/open-database.ts'
import { programArgs } from '../../../../test/support/program.ts'
import { startServeProcesses } from '../../../../test/support/serve-processes.ts'
import { use } from '../../../../test/support/use.ts'
import { answerAbout } from '../asking.ts'
import { startOldEndpoint } from '../old-endpoint.ts'

const network = await useNetwork()
const { db, globals, url } = network
const old = await use(startOldEndpoint())
const valid = new Map<string, Set<number>>()
old.answer = answerAbout(valid)
const env = { TABLE_PREFIX: globals.basePrefix, LEGACY_URL: old.url, LEGACY_TOKENS: 'ask' }

const oldToken = (): string => {
  const token = generateToken()
  valid.set(token, new Set([2]))
  return token
}

it('serve with LEGACY_TOKENS=ask stores a token once, whichever processes ask about it, and logs none', async () => {
  const service = await startServeProcesses(2, url, { ...env, LOG_LEVEL: 'debug' })
  const token = oldToken()
  const guess = generateToken()
  const ask = (base: string, sent: string) =>
    fetch(`${base}/site/2/menus`, { headers: { Authorization: `Bearer ${sent}` } })
  const bases = [...service.urls, ...service.urls, ...service.urls]
  const answers = await Promise.all(bases.map((base) => ask(base, token)))
  expect(answers.map((answer) => answer.status)).toEqual(bases.map(() => 200))
  expect((await ask(service.urls[0] ?? '', guess)).status).toBe(401)
  await service.stop()
  const rows = await db.sql(tokensTable(globals)).where({ hash: hashToken(token) })
  expect(rows).toHaveLength(1)
  const asked = old.received.filter(({ headers }) => headers['x-svc-key'] === token)
  expect(asked.length).toBeLessThanOrEqual(2)
  for (const secret of [token, guess]) {
    expect(service.logs()).not.toContain(secret.slice(3, 20))
    expect(service.logs()).not.toContain(hashToken(secret).toString('hex').slice(0, 20))
  }
})

it('wp-frames mcp with LEGACY_TOKENS=ask accepts a token that was accepted for a site before', async () => {
  const service = await startServeProcesses(1, url, env)
  const token = oldToken()
  const headers = { Authorization: `Bearer ${token}` }
  expect((await fetch(`${service.urls[0]}/site/2/menus`, { headers })).status).toBe(200)
  await service.stop()
  const [command, ...args] = [process.execPath, ...(await programArgs('src/main')), 'mcp']
  const transport = new StdioClientTransport({
    command,
    args,
    cwd: resolve(import.meta.dirname, '../../../..'),
    env: {
      PATH: process.env.PATH ?? '',
      ...batchSetting,
      ...env,
      DATABASE_URL: url,
      STATIC_DIR: '',
      WP_FRAMES_TOKEN: token,
    },
    stderr: 'inherit',
  })
  const session = await openSession(transport, 'legacy')
  expect(await session.call('list_menus', { site_id: 2 })).toMatchObject({ site_id: 2 })
  expect(await session.fail('list_menus', { site_id: 3 })).toMatchObject({
    code: 'site_not_found',
  })
  await session.close()
  const tokens = await listTokens(db, globals)
  expect(tokens.at(-1)).toMatchObject({ label: 'accepted by the old endpoint', sites: [2] })
})
