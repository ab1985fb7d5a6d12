import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints.ts'
import { toolNameOf } from '../../../src/api/mcp/tools.ts'
import { networkEndpoints } from '../../../src/api/network/network-endpoints.ts'
import type { TokenLimits } from '../../../src/auth/token-scopes.ts'
import { issueToken } from '../../../src/auth/tokens.ts'
import { connectMcp, type McpEra } from '../../support/mcp.ts'
import { type MenusApi, startMenusApi } from '../../support/menus-api.ts'

let menus: MenusApi
beforeAll(async () => {
  menus = await startMenusApi()
})
afterAll(() => menus.stop())

const [ADMIN, ALICE] = [1, 2]

async function toolsOf(userId: number, limits: TokenLimits, era: McpEra = 'modern') {
  const { db, globals } = menus.network
  const { token } = await db.write({}, (tx) =>
    issueToken(tx, globals, { userId, limits, now: new Date() }),
  )
  const session = await connectMcp(menus.api.url, token, era)
  try {
    return (await session.client.listTools()).tools
  } finally {
    await session.close()
  }
}

const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name)

describe('the tools', () => {
  it.each(['modern', 'legacy'] as const)('are those of every endpoint (%s)', async (era) => {
    const offered = await toolsOf(ADMIN, { scope: 'all', sites: null }, era)
    const all = [...endpoints.filter(({ response }) => response), ...networkEndpoints]
    expect(namesOf(offered).sort()).toEqual(
      [...all.map(toolNameOf), 'apply_planned_write', 'read_more'].sort(),
    )
  })
  it('x', async () => {
    const offered = await toolsOf(ADMIN, { scope: 'all', sites: null })
    for (const t of offered)
      console.log(
        t.name,
        JSON.stringify(t.inputSchema).length,
        JSON.stringify(t.outputSchema).length,
        JSON.stringify(t).length,
        JSON.stringify(t.annotations),
      )
    console.log(
      JSON.stringify(offered).length,
      JSON.stringify(
        offered.find((t) => t.name === 'create_menu'),
        null,
        1,
      ),
    )
    void ALICE
  })
})
