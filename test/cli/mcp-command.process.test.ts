import { resolve } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../support/cli.ts'
import { eventually } from '../support/eventually.ts'
import { issueLimited, type McpEra, openSession } from '../support/mcp.ts'
import { useNetwork } from '../support/network.ts'
import { batchSetting } from '../support/open-database.ts'
import { programArgs } from '../support/program.ts'

const network = await useNetwork()
const { url, globals } = network
const env: Record<string, string> = {
  DATABASE_URL: url,
  TABLE_PREFIX: globals.basePrefix,
  STATIC_DIR: '',
}

/** The SDK's client, with the command in a process of its own. */
async function connect(limits: object, era: McpEra = 'legacy', options: readonly string[] = []) {
  const token = await issueLimited(network, 'alice', limits)
  const [command, ...args] = [
    process.execPath,
    ...(await programArgs('src/main')),
    'mcp',
    ...options,
  ]
  const transport = new StdioClientTransport({
    command,
    args,
    cwd: resolve(import.meta.dirname, '../..'),
    env: { PATH: process.env.PATH ?? '', ...batchSetting, ...env, WP_FRAMES_TOKEN: token },
    stderr: 'inherit',
  })
  return { token, session: await openSession(transport, era) }
}

describe('wp-frames mcp', () => {
  it.each([
    ['legacy', []],
    ['modern', ['--tools', 'frames']],
  ] as const)(
    'serves a client: tools, all or those of a group, a plan, its application (%s)',
    async (era, options) => {
      const { session } = await connect({}, era, options)
      try {
        const names = (await session.client.listTools()).tools.map(({ name }) => name)
        expect(names).toContain('list_frames')
        expect(names.includes('list_menus')).toBe(options.length === 0)
        const body = { slug: `agent-${era}`, html: '<p>Hello</p>' }
        const plan = await session.call('create_frame', { site_id: 2, ...body })
        const { response } = await session.call('apply_planned_write', { plan_id: plan.plan_id })
        expect(response).toMatchObject({ frame: { slug: body.slug } })
        const { frames } = await session.call('list_frames', { site_id: 2, q: body.slug })
        expect(frames).toHaveLength(1)
      } finally {
        await session.close()
      }
    },
  )

  it('offers what the scope of the token allows, and notices that it is revoked', async () => {
    const { session } = await connect({ scope: 'read', sites: [2] })
    try {
      const { tools } = await session.client.listTools()
      expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
      expect(await session.fail('list_frames', { site_id: 3 })).toMatchObject({
        code: 'site_not_found',
      })
      const sent = { site_id: 2, slug: 'x', html: 'x' }
      expect(await session.fail('create_frame', sent)).toMatchObject({ code: 'insufficient_scope' })
      expect(await session.fail('get_menu', { site_id: 3, ref: 'main' })).toMatchObject({
        code: 'site_not_found',
      })
      const { db, globals } = network
      await db.sql(`${globals.basePrefix}svc_tokens`).update({ revoked_at: '2026-01-01 00:00:00' })
      await expect(session.call('list_frames', { site_id: 2 })).rejects.toThrow('invalid')
      await session.close()
      // Stored when the command ends: the last one had no caller any more.
      const failures = () => db.sql(`${globals.basePrefix}svc_token_failures`).select('refused')
      await eventually(async () => expect(await failures()).toEqual([{ refused: 4 }]))
    } finally {
      await session.close()
    }
  })

  it('names the groups for an unknown one', async () => {
    const wrong = await runCommand(['mcp', '--tools', 'frams'], {
      ...env,
      WP_FRAMES_TOKEN: await issueLimited(network, 'alice', {}),
    })
    expect([wrong.code, wrong.stdout]).toEqual([1, ''])
    expect(wrong.stderr).toContain('has no group "frams"; the groups are frames, graph, menus')
  })

  it('needs a valid token', async () => {
    const without = await runCommand(['mcp'], env)
    expect([without.code, without.stdout]).toEqual([1, ''])
    expect(without.stderr).toContain('WP_FRAMES_TOKEN is not set')
    const wrong = await runCommand(['mcp'], { ...env, WP_FRAMES_TOKEN: 'op_x' })
    expect([wrong.code, wrong.stdout]).toEqual([1, ''])
    expect(wrong.stderr).toContain('token is invalid')
  })
})
