import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpointsOn } from '../../../src/api/endpoints.ts'
import { openTools, toolNameOf } from '../../../src/api/mcp/tools.ts'
import { fieldNames } from '../../../src/api/sent-fields.ts'
import { MAX_LIST_TOKENS, tokensOf } from '../../../tools/tool-tokens.ts'
import { connectMcp, issueLimited, type McpEra } from '../../support/mcp.ts'
import { useMenusApi } from '../../support/menus-api.ts'
import { use } from '../../support/use.ts'

const menus = await useMenusApi()

async function toolsOf(login: string, limits: object = {}, era: McpEra = 'modern') {
  const token = await issueLimited(menus.network, login, limits)
  const session = await use(connectMcp(menus.api.url, token, era))
  return (await session.client.listTools()).tools
}

/** A client that has chosen tools. */
const connect = async (query: string, login = 'alice') =>
  use(connectMcp(menus.api.url, await menus.api.token(login), 'modern', query))

const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name)

/** Endpoints that can succeed. */
const usable = [
  ...endpointsOn('site').filter(({ response, isTool }) => response && isTool),
  ...endpointsOn('caller'),
]
const networkEndpoints = endpointsOn('network').filter(({ isTool }) => isTool)
const OWN = ['apply_planned_write', 'read_more']

describe('the tools of the MCP server', () => {
  it.each(['modern', 'legacy'] as const)('are one for each endpoint (%s)', async (era) => {
    const offered = await toolsOf('admin', {}, era)
    const all = [...usable, ...networkEndpoints].map(toolNameOf)
    expect(namesOf(offered).sort()).toEqual([...all, ...OWN].sort())
    expect(new Set(all).size).toBe(all.length)
  })

  it('take every parameter under one name', async () => {
    const { api } = await openTools()
    const clashes = api.flatMap(({ name, endpoint: { params, query, body, mcpLeavesOut } }) => {
      const names = [
        'site_id',
        ...(mcpLeavesOut.length > 0 ? ['full'] : []),
        ...Object.keys(params.shape),
        ...Object.keys(query.shape),
        ...new Set(fieldNames(body)),
      ]
      const twice = new Set(names.filter((one, at) => names.indexOf(one) < at))
      return [...twice].map((one) => [name, one])
    })
    // The query and the body may both say for which language and theme a location is meant.
    expect(new Set(clashes.map(([, one]) => one))).toEqual(new Set(['lang', 'theme']))
    for (const [name] of clashes) {
      const endpoint = api.find((one) => one.name === name)?.endpoint
      expect(fieldNames(endpoint?.body)).toEqual(expect.arrayContaining(['lang', 'theme']))
      expect(Object.keys(endpoint?.query.shape ?? {})).toEqual(['lang', 'theme', 'dry_run'])
    }
  })

  it('refer to nothing outside of their own schemas', async () => {
    const { api } = await openTools()
    const missing = api.flatMap(({ name, definition: { inputSchema } }) =>
      [...JSON.stringify(inputSchema).matchAll(/"\$ref":"([^"]*)"/g)]
        .filter(([, to = '']) => !(to.replace('#/$defs/', '') in Object(inputSchema.$defs)))
        .map(([, to]) => [name, to]),
    )
    expect(missing).toEqual([])
    expect(JSON.stringify(api.map(({ definition }) => definition))).toContain('"$ref"')
  })

  it(`are listed in less than ${MAX_LIST_TOKENS} tokens for an administrator of the network`, async () => {
    const offered = await toolsOf('admin')
    expect(tokensOf(offered)).toBeGreaterThan(10_000)
    expect(tokensOf(offered)).toBeLessThan(MAX_LIST_TOKENS)
    expect(offered.filter(({ outputSchema }) => outputSchema)).toEqual([])
  })

  it('leave out of lists only fields that the API returns', () => {
    const leftOut = [...usable, ...networkEndpoints].flatMap(({ name, response, mcpLeavesOut }) =>
      mcpLeavesOut.map((path) => [name, path, hasField(response, path.split('.'))]),
    )
    expect(leftOut.length).toBeGreaterThan(20)
    expect(leftOut.filter(([, , isField]) => !isField)).toEqual([])
  })

  it('are those that the scope of the token allows', async () => {
    const reads = usable.filter(({ scope }) => scope === 'read').map(toolNameOf)
    // These need the scopes of what they write.
    const writes = new Set(['run_batch', 'restore_site'])
    const withoutWrites = reads.filter((name) => !writes.has(name))
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
    const session = await use(connectMcp(menus.api.url, await issueLimited(menus.network, 'admin')))
    const [, atOnce = '', dryRuns = ''] =
      /Only these run at once: (.*?)\. A dry run unless `dry_run` is false: (.*?)\./.exec(
        session.client.getInstructions() ?? '',
      ) ?? []
    const { tools } = await session.client.listTools()
    const writing = tools.filter(
      ({ annotations, description }) =>
        !annotations?.readOnlyHint && !description?.includes('Only plans'),
    )
    const named = [...`${atOnce} ${dryRuns}`.matchAll(/`(\w+)`/g)].map(([, name]) => name)
    expect(named.sort()).toEqual(
      namesOf(writing)
        .filter((name) => name !== 'apply_planned_write')
        .sort(),
    )
    expect(dryRuns).toBe('`fix_findings`')
  })

  it('leave out what a client of the server does not need, and have no body', async () => {
    const [replace] = (await toolsOf('alice')).filter(({ name }) => name === 'replace_frame')
    expect(Object.keys(replace?.inputSchema.properties ?? {})).toEqual([
      'site_id',
      'ref',
      'slug',
      'html',
      'bake',
    ])
    expect(replace?.inputSchema.required).toEqual(['site_id', 'ref'])
  })
})

describe('without a choice', () => {
  it('fifteen tools are offered, in less than 6,000 tokens', async () => {
    const session = await connect('', 'admin')
    const { tools } = await session.client.listTools()
    expect(namesOf(tools)).toHaveLength(15)
    expect(namesOf(tools)).toEqual(expect.arrayContaining([...OWN, 'get_frame', 'get_menu']))
    expect(tokensOf(tools)).toBeLessThan(6000)
    expect(await session.fail('list_history', { site_id: 2 })).toMatchObject({
      code: 'rest_no_route',
    })
  })

  it('a plan shows the titles of what it names by an id', async () => {
    const session = await connect('')
    const { menu } = await menus.makeMenu(['home'])
    const sent = { site_id: 2, ref: String(menu.id), items: ['about-us'] }
    const { diffs } = await session.call('replace_menu_items', sent)
    expect(Object.values(diffs[0].titles)).toContain('About us')
  })
})

describe('the groups of tools', () => {
  const FOR_EVERY_CLIENT = ['get_me', 'list_sites']
  const inGroups = (...groups: string[]) =>
    usable
      .filter(({ path }) => groups.includes(path.split('/')[1] ?? ''))
      .map(toolNameOf)
      .filter((name) => !FOR_EVERY_CLIENT.includes(name))

  it('restrict the list and the calls to what the client has chosen', async () => {
    const session = await connect('tools=frames,menus')
    const { tools } = await session.client.listTools()
    const expected = [...FOR_EVERY_CLIENT, ...inGroups('frames', 'menus'), ...OWN]
    expect(namesOf(tools).sort()).toEqual(expected.sort())
    expect((await session.call('list_menus', { site_id: 2 })).menus).toBeDefined()
    expect(await session.fail('list_pages', { site_id: 2 })).toMatchObject({
      code: 'rest_no_route',
      message: expect.stringContaining('has not chosen its group'),
    })
    const again = { tool: 'list_pages', arguments: { site_id: 2 }, at: '/pages', offset: 0 }
    expect(await session.fail('read_more', again)).toMatchObject({ code: 'rest_no_route' })
    // Only tools that the client has are named in what it tells the model.
    expect(session.client.getInstructions()).toContain('`rebake_frames`')
    expect(session.client.getInstructions()).not.toContain('`apply_plan`')
  })

  it('restrict which plans can be applied', async () => {
    const [all, session] = await Promise.all([connect('tools=all'), connect('tools=frames')])
    const { plan_id } = await all.call('create_menu', { site_id: 2, name: 'Grouped' })
    expect(await session.fail('apply_planned_write', { plan_id })).toMatchObject({
      code: 'rest_no_route',
    })
    await all.call('apply_planned_write', { plan_id })
  })

  it('of the network are one', async () => {
    const session = await connect('tools=Network', 'admin')
    const { tools } = await session.client.listTools()
    expect(namesOf(tools).sort()).toEqual(
      [...FOR_EVERY_CLIENT, ...networkEndpoints.map(toolNameOf), ...OWN].sort(),
    )
  })

  it.each(['tools=frams,menus', 'tools=', 'tools=me'])(
    'that do not exist are refused: %s',
    async (query) => {
      const response = await request(menus.api.url)
        .post(`/mcp?${query}`)
        .set('Authorization', `Bearer ${await menus.api.token('alice')}`)
        .set('Accept', 'application/json, text/event-stream')
        .send({ jsonrpc: '2.0', id: 1, method: 'ping' })
      expect([response.status, response.body.code]).toEqual([400, 'rest_invalid_param'])
      expect(response.body.message).toMatch(
        /tools has no group ".*"; the groups are .*frames, .*menus/,
      )
    },
  )
})

/** Whether responses have a field; the names before the last one are those of lists. */
function hasField(schema: unknown, [name = '', ...inner]: readonly string[]): boolean {
  const field = schema instanceof z.ZodObject ? schema.shape[name] : undefined
  if (inner.length === 0 || field === undefined) return field !== undefined
  return hasField(field instanceof z.ZodArray ? field.element : field, inner)
}
