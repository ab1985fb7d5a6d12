import { hostname, userInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { answer, commandsOn } from '../support/cli.ts'
import { useMenusCli } from '../support/menus-cli.ts'
import { createSiteFixture } from '../support/site-fixture.ts'

const cli = await useMenusCli()
const site = createSiteFixture(cli.network.db, await cli.network.site(2))
await site.frame('card', '<p>one</p>\n')
await site.frame('card', '<p>two</p>\n')

const { run, json } = commandsOn(cli.network)
const entriesOf = async (ref: string) =>
  (await json('history', '--site', '2', '--ref', ref)).entries

describe('the commands of the history', () => {
  it('list entries and show what they changed', async () => {
    const [replaced, created] = await entriesOf('card')
    expect([replaced.action, created.action]).toEqual(['replaced', 'created'])
    expect((await run('diff', String(replaced.id))).stdout).toContain('-<p>one</p>\n+<p>two</p>')
    const table = await run('history', '--kind', 'frame')
    expect(table.stdout).toMatch(/created/)
  })

  it('restore, as a command of an account on a host, what a command can undo again', async () => {
    const [, created] = await entriesOf('card')
    const restore = ['restore', '--site', '2', '--entry', String(created.id), '--no-bake']
    const dry = await run(...restore, '--dry-run')
    expect(dry.stdout).toContain('-<p>two</p>')
    expect((await entriesOf('card'))[0].action).toBe('replaced')
    expect((await json(...restore)).restored).toMatchObject([{ kind: 'frame', name: 'card' }])
    const [restored] = await entriesOf('card')
    expect(restored).toMatchObject({
      label: `cli ${userInfo().username}@${hostname()}`,
      user_id: null,
    })
    const undo = await json('restore', '--site', '2', '--request', restored.request_id, '--no-bake')
    expect(undo.restored).toHaveLength(1)
    expect((await run('frames', 'show', 'card', '--site', '2')).stdout).toBe('<p>two</p>\n')
  })

  it('ask on a terminal before they restore more than one thing', async () => {
    const [, created] = await entriesOf('card')
    const args = ['restore', '--site', '2', '--at', String(created.id), '--no-bake']
    const no = await answer('n', args, cli.env)
    expect([no.code, no.output]).toEqual([1, expect.stringContaining('Restore 1 site? [y/N]')])
    expect((await run('frames', 'show', 'card', '--site', '2')).stdout).toBe('<p>two</p>\n')
  })

  it('export entries as JSON Lines, oldest first', async () => {
    const { stdout } = await run('audit', '--site', '2', '--kind', 'frame')
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.length).toBeGreaterThan(3)
    expect(lines[0]).toMatchObject({ action: 'created', state: { slug: 'card' } })
    const audit = ['audit', '--site', '2', '--kind', 'frame']
    const csv = await run(...audit, '--format', 'csv', '--fields', 'id,name,action')
    const rows = csv.stdout.trim().split('\n')
    expect(rows.slice(0, 2)).toEqual(['id,name,action', `${lines[0].id},card,created`])
    expect(rows).toHaveLength(lines.length + 1)
    const ids = await run(...audit, '--format', 'ids')
    expect(ids.stdout).toBe(lines.map(({ id }) => `${id}\n`).join(''))
    const picked = await run(...audit, '--fields', 'action')
    expect(picked.stdout.split('\n', 1)).toEqual(['{"action":"created"}'])
  })

  it('show a menu as it was', async () => {
    const file = await cli.file({ name: 'Shown', items: [{ url: '/a', title: 'A' }] })
    const { code, stderr } = await cli.run('import', file, '--site', '2')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const [created] = await entriesOf('Shown')
    const again = await cli.file({ name: 'Shown', items: [{ url: '/b', title: 'B' }] })
    await cli.run('import', again, '--site', '2', '--replace')
    const shown = await json('menus', 'show', 'Shown', '--site', '2', '--at', String(created.id))
    expect(shown.items).toMatchObject([{ title: 'A' }])
    const text = await run('menus', 'show', 'shown', '--site', '2')
    expect(text.stdout).toMatch(/^\d+ {2}B {2}\S*\/b\n$/)
    expect((await run('menus', 'show', 'none', '--site', '2')).stderr).toMatch(/no menu "none"/)
    expect((await json('menus', 'show', 'shown', '--site', '2')).items).toMatchObject([
      { title: 'B' },
    ])
  })

  it('reject wrong usage', async () => {
    expect((await run('restore', '--site', '2')).code).toBe(2)
    expect((await run('restore', '--site', '2', '--token', '1')).code).toBe(2)
    expect((await run('restore', '--site', '2', '--at', 'yesterday')).code).toBe(2)
    expect((await run('diff', '999999999')).code).toBe(1)
    const { code, stderr } = await run('history', '--request', 'x'.repeat(37))
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^Invalid parameter\(s\): --request: .*36/),
    ])
  })
})
