import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createRun } from '../../src/network/plan/runs-table.ts'
import { describeFrame } from '../network/plan/recorded-run.ts'
import { startApi } from '../support/api.ts'
import { commandsOn, runCommand } from '../support/cli.ts'
import { Contract } from '../support/contract.ts'
import { createSiteFixture } from '../support/site-fixture.ts'
import { use } from '../support/use.ts'
import { useTruth } from '../wordpress/clone-truth.ts'

/** Values of `<created>` and `<replaced>`, the entries of a frame of site 2, and of `<run>`. */
const ids = { created: '', replaced: '', run: randomUUID() }

const network = await useTruth()
const { environment } = commandsOn(network)
const api = await use(startApi(network))
const { db, globals } = network
const shop = createSiteFixture(db, await network.site(2))
await shop.frame('card', '<p>one</p>')
await shop.frame('card', '<p>two</p>')
await api.token('alice')
const author = { userId: null, tokenId: null, label: 'cli', requestId: ids.run }
const description = describeFrame('card', [2])
const run = { id: ids.run, author, state: 'done', description } as const
const step = { kind: 'frame', name: 'card', action: 'created', before: null, after: '' } as const
await db.write({}, (tx) =>
  createRun(tx, globals, run, [
    { blogId: 2, state: 'failed', message: 'It is locked.' },
    { blogId: 3, state: 'planned', steps: [step] },
  ]),
)
const { body } = await (await api.as('admin')).get('/site/2/history?ref=card')
const [replaced, created] = body.entries
Object.assign(ids, { created: created.id, replaced: replaced.id })

const withIds = (text: string): string =>
  text.replace(/<(\w+)>/g, (_, name) => Reflect.get(ids, name))

/** What a command prints with `--json`. */
async function printed(command: string): Promise<string> {
  const { code, stdout, stderr } = await runCommand(
    [...withIds(command).split(' '), '--json'],
    environment,
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

const contract = new Contract()
const faultsOf = (method: string, path: string, body: string): string[] =>
  contract.faultsOf({ method, path, status: 200, headers: { 'x-request-id': '' }, body })

describe('a command that equals an endpoint', () => {
  it.each([
    ['sites', '/sites'],
    ['work --site 2', '/site/2/work'],
    ['history --limit 20', '/network/history?limit=20'],
    ['history --site 2 --kind frame --token 1', '/site/2/history?kind=frame&token=1'],
    ['history --site 2 --since 2020-01-01', '/site/2/history?since=2020-01-01'],
    ['diff <replaced>', '/network/history/<replaced>'],
    ['frames list --site 2', '/site/2/frames?details=1'],
    ['frames show card --site 2', '/site/2/frames/card'],
    ['frames show card --site 2 --at <created>', '/site/2/frames/card?at=<created>'],
    ['menus list --site 2', '/site/2/menus'],
    ['menus show main-menu --site 2', '/site/2/menus/main-menu'],
    ['menus show ~header --site 2', '/site/2/menus/~header'],
    ['runs <run>', '/network/plans/<run>'],
    ['token list', '/network/tokens'],
    ['token list --user alice', '/network/tokens?user=alice'],
    ['doctor --site 2', '/site/2/findings'],
  ])('prints what the API answers: %s', async (command, request) => {
    const path = withIds(request)
    const { status, body } = await (await api.as('admin')).get(path)
    const json = await printed(command)
    expect({ status, body: JSON.parse(json) }).toEqual({ status: 200, body })
    expect(faultsOf('GET', path, json)).toEqual([])
  })

  it('prints the fields of a run or of its sites', async () => {
    const runs = (...args: string[]) => runCommand(['runs', ...args], environment)
    expect((await runs('--format', 'ids')).stdout).toBe(`${ids.run}\n`)
    const sites = await runs(ids.run, '--format', 'csv', '--fields', 'site_id,state,message')
    expect(sites.stdout).toBe('site_id,state,message\n2,failed,It is locked.\n3,planned,\n')
    const { code, stderr } = await runs('--fields', 'steps_total')
    expect([code, stderr]).toEqual([2, expect.stringContaining('no field "steps_total"')])
  })

  it('prints the pages of a list as one', async () => {
    const entriesOf = async (limit: number) => {
      const { entries, next_cursor } = JSON.parse(await printed(`history --limit ${limit}`))
      return { ids: entries.map(({ id }: { id: number }) => id), next_cursor }
    }
    const { db } = network
    const all = await entriesOf(3000)
    const rows = { kind: 'token', ref: '1', name: '', action: 'issued', created_at: '2026-01-01' }
    const table = `${network.globals.basePrefix}svc_history`
    const many = Array.from({ length: 600 }, () => ({ ...rows, blog_id: 0, label: 'many' }))
    await db.sql(table).insert(many)
    try {
      const found = await entriesOf(all.ids.length + 600)
      expect(found.ids).toHaveLength(all.ids.length + 600)
      expect(new Set(found.ids).size).toBe(found.ids.length)
      expect(found.next_cursor).toBeNull()
      expect((await entriesOf(550)).next_cursor).toBe(found.ids[549])
    } finally {
      await db.sql(table).where({ label: 'many' }).delete()
    }
  })

  it('writes as the API does', async () => {
    for (const dryRun of [true, false]) {
      const restore = `restore --site 2 --entry <created>${dryRun ? ' --dry-run' : ''}`
      const json = await printed(restore)
      expect(faultsOf('POST', '/site/2/restore', json)).toEqual([])
      expect(JSON.parse(json)).toMatchObject({
        dry_run: dryRun,
        restored: [{ kind: 'frame', name: 'card', diff: expect.stringContaining('+<p>one</p>') }],
        not_restored: [],
      })
    }
    const issued = await printed('token issue --user admin --expires 1d')
    const reissued = await printed(`token reissue ${JSON.parse(issued).id}`)
    for (const json of [issued, reissued])
      expect(faultsOf('POST', '/network/tokens', json)).toEqual([])
    const { id } = JSON.parse(reissued)
    const revoked = await printed(`token revoke ${id}`)
    expect(faultsOf('DELETE', `/network/tokens/${id}`, revoked)).toEqual([])
  })

  it('prints a list for several sites: also their addresses, states and outcomes', async () => {
    const [main, shop] = JSON.parse(await printed('frames list --network'))
    expect([main.site_id, shop.site_id]).toEqual([1, 2])
    const { address, state, outcome, ...answer } = shop
    expect([address, state, outcome]).toEqual(['net.test/shop', 'done', '1 frame'])
    expect(faultsOf('GET', '/site/2/frames', JSON.stringify(answer))).toEqual([])
  })
})
