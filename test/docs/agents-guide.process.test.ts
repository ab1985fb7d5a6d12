import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { chooseTools } from '../../src/api/mcp/client-choice.ts'
import { openTools } from '../../src/api/mcp/tools.ts'
import { UNLIMITED } from '../../src/record/auth/token-scopes.ts'
import { tokensOf } from '../../tools/tool-tokens.ts'
import { issueTokenFor, useApi } from '../support/api.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const guide = readFileSync(resolve(ROOT, 'docs/agents.md'), 'utf8')

const { network, api } = await useApi()

/** Ids of plans, requests and new menus are others in each run. */
const withoutIds = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '...')
    .replace(/menu: [1-9]\d*/g, 'menu: ...')
    .trim()

describe('the guide to the MCP server', () => {
  it('lists every tool in its group, and whether it writes', async () => {
    const listed = [
      ...guide.matchAll(
        /^\| ([a-z]+) \| ((?:`[a-z_]+`(?:, )?)*) ?\| ((?:`[a-z_]+`(?:, )?)*) ?\|$/gm,
      ),
    ].flatMap(([, group, reads = '', writes = '']) => {
      const names = (cell: string) => cell.match(/[a-z_]+/g) ?? []
      return [
        ...names(reads).map((name) => `${group} ${name} reads`),
        ...names(writes).map((name) => `${group} ${name} writes`),
      ]
    })
    const tools = (await openTools()).api.map(
      ({ name, group = 'none', effect }) =>
        `${group} ${name} ${effect === 'read' ? 'reads' : 'writes'}`,
    )
    const own = ['none apply_planned_write writes', 'none read_more reads']
    expect(listed.sort()).toEqual([...tools, ...own].sort())
  })

  it('says how many tokens the list takes', async () => {
    const tools = await openTools()
    const tokens = [...guide.matchAll(/^\| (none|all|`[a-z,]+`) \| ([\d,]+) \|$/gm)]
    expect(tokens.length).toBeGreaterThan(2)
    for (const [, groups = '', shown = ''] of tokens) {
      const chosen = groups === 'none' ? {} : { tools: groups.replaceAll('`', '') }
      const offered = chooseTools(tools, chosen).offeredTo(UNLIMITED, true)
      const ratio = tokensOf(offered) / Number(shown.replace(',', ''))
      expect([groups, Math.abs(ratio - 1) < 0.05]).toEqual([groups, true])
    }
  })

  it('shows what a session of an agent prints', async () => {
    const token = await issueTokenFor(network, 'alice')
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', 'docs/agent-session.ts', '2'],
      {
        cwd: ROOT,
        env: { PATH: process.env.PATH, WP_FRAMES_URL: api.url, WP_FRAMES_TOKEN: token },
      },
    )
    const [, shown = ''] = /^```text session\n(.*?)^```$/ms.exec(guide) ?? []
    // Up to the restore.
    expect(shown.split('\n').length).toBeGreaterThan(40)
    expect(withoutIds(stdout)).toContain(withoutIds(shown))
  })
})
