import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api/endpoints.ts'
import { callerEndpoints, networkEndpoints } from '../../src/api/network/network-endpoints.ts'
import { toolNameOf } from '../../src/mcp/tools.ts'
import { connectMcp, issueLimited, type McpEra } from '../support/mcp.ts'
import { startMenusApi } from '../support/menus-api.ts'
import { use } from '../support/use.ts'

const menus = await use(startMenusApi())

async function toolsOf(login: string, limits: object = {}, era: McpEra = 'modern') {
  const session = await connectMcp(
    menus.api.url,
    await issueLimited(menus.network, login, limits),
    era,
  )
  try {
    return (await session.client.listTools()).tools
  } finally {
    await session.close()
  }
}

const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name)

/** Endpoints that can succeed. */
const usable = [...endpoints.filter(({ response }) => response), ...callerEndpoints]
const OWN = ['apply_planned_write', 'read_more']

describe('the tools of the MCP server', () => {
  it.each(['modern', 'legacy'] as const)('are one for each endpoint (%s)', async (era) => {
    const offered = await toolsOf('admin', {}, era)
    const all = [...usable, ...networkEndpoints].map(toolNameOf)
    expect(namesOf(offered).sort()).toEqual([...all, ...OWN].sort())
    expect(new Set(all).size).toBe(all.length)
  })

  it('take every parameter under one name', () => {
    const clashes = [...usable, ...networkEndpoints].filter(({ params, query }) => {
      const names = ['site_id', 'body', ...Object.keys(params.shape), ...Object.keys(query.shape)]
      return new Set(names).size < names.length
    })
    expect(clashes.map(({ name }) => name)).toEqual([])
  })

  it('are those that the scope of the token allows', async () => {
    const reads = usable.filter(({ scope }) => scope === 'read').map(toolNameOf)
    const withoutWrites = reads.filter((name) => name !== 'run_batch')
    const of = (scope: string) => usable.filter((one) => one.scope === scope).map(toolNameOf)
    const offered = async (scope: string) => namesOf(await toolsOf('alice', { scope })).sort()
    expect(await offered('read')).toEqual([...withoutWrites, 'read_more'].sort())
    expect(await offered('frames')).toEqual([...reads, ...of('frames'), ...OWN].sort())
    expect(await offered('menus')).toEqual([...reads, ...of('menus'), ...OWN].sort())
    expect(await offered('all')).toEqual([...usable.map(toolNameOf), ...OWN].sort())
  })

  it('are those of sites for a token that is limited to sites', async () => {
    const offered = namesOf(await toolsOf('admin', { sites: [2] }))
    expect(offered.sort()).toEqual([...usable.map(toolNameOf), ...OWN].sort())
  })

  it('describe what a call does: only few change what is stored in a site', async () => {
    const offered = await toolsOf('admin')
    const annotated = (hint: 'readOnlyHint' | 'destructiveHint') =>
      namesOf(offered.filter(({ annotations }) => annotations?.[hint]))
    // The first one is a dry run unless the client asks for more. The others apply what was planned.
    expect(annotated('destructiveHint')).toEqual([
      'fix_findings',
      'apply_plan',
      'roll_back_plan',
      'apply_planned_write',
    ])
    const reads = [...usable, ...networkEndpoints].filter(
      ({ method, repeatable, scope }) => method === 'get' || (repeatable && scope === 'read'),
    )
    expect(annotated('readOnlyHint').sort()).toEqual([...reads.map(toolNameOf), 'read_more'].sort())
    for (const { annotations, title, description } of offered) {
      expect(annotations?.openWorldHint).toBe(false)
      expect([title, description].every((text) => text && text.length > 5)).toBe(true)
    }
  })

  it('that do not only plan are named in the instructions of the server', async () => {
    const session = await connectMcp(menus.api.url, await issueLimited(menus.network, 'admin'))
    const [, atOnce = '', dryRuns = ''] =
      /Only these run at once: (.*?)\. A dry run unless `dry_run` is false: (.*?)\./.exec(
        session.client.getInstructions() ?? '',
      ) ?? []
    const { tools } = await session.client.listTools()
    const writing = tools.filter(
      ({ annotations, outputSchema }) =>
        !annotations?.readOnlyHint && !Object(outputSchema?.properties).plan_id,
    )
    const named = [...`${atOnce} ${dryRuns}`.matchAll(/`(\w+)`/g)].map(([, name]) => name)
    expect(named.sort()).toEqual(
      namesOf(writing)
        .filter((name) => name !== 'apply_planned_write')
        .sort(),
    )
    expect(dryRuns).toBe('`fix_findings`')
    await session.close()
  })

  it('leave out what a client of the server does not need', async () => {
    const [replace] = (await toolsOf('alice')).filter(({ name }) => name === 'replace_frame')
    const body = Object(replace?.inputSchema.properties).body
    expect(Object.keys(body.properties)).toEqual(['slug', 'html', 'markup', 'content', 'bake'])
    expect(replace?.inputSchema.required).toEqual(['site_id', 'ref'])
  })
})
