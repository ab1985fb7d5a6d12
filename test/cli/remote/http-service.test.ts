import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../support/api.ts'
import { commandsOn, runCommand } from '../../support/cli.ts'
import { listen } from '../../support/listen.ts'
import { useRemoteCli } from '../../support/remote-cli.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { use, useFolder } from '../../support/use.ts'
import { useTruth } from '../../wordpress/clone-truth.ts'

const network = await useTruth()
const { environment } = commandsOn(network)
const api = await use(startApi(network))
const site = createSiteFixture(network.db, await network.site(2))
await site.frame('card', '<p>one</p>\n')
await site.frame('card', '<p>two</p>\n')
const { body } = await (await api.as('admin')).get('/site/2/history?ref=card')
/** The entry of the first state of the card. */
const created = String(body.entries[1].id)
const cli = await useRemoteCli()
const token = await api.token('admin')

const database = environment
const login = { url: api.url, token }
await mkdir(dirname(cli.file), { recursive: true })
await writeFile(
  cli.file,
  JSON.stringify({
    logins: {
      default: login,
      staging: login,
      alice: { ...login, token: await api.token('alice') },
      revoked: { ...login, token: `op_${'x'.repeat(64)}` },
    },
  }),
  { mode: 0o600 },
)

describe('a command over HTTP', () => {
  it.each([
    'frames list --site 2',
    'frames list --site 2 --json',
    'frames list --network --format csv --fields slug,sha256',
    'frames show card --site net.test/shop',
    'menus list --network',
    'menus show main-menu --site 2',
    'history --site 2 --kind frame --json',
    'history --format ids',
    'diff <created>',
    'work --site 2',
    'doctor --site 1',
    'menus items add main-menu --url /x --site 2 --dry-run',
    'restore --site 2 --entry <created> --dry-run --json',
    'frames rename card tile --site 2 --dry-run',
    'frames delete card --site 2 --dry-run --json',
  ])('prints what it prints on the database: %s', async (command) => {
    const args = command.replace('<created>', created).split(' ')
    const local = await runCommand(args, database)
    expect([local.code, local.stderr]).toEqual([0, ''])
    // Only the doctor of the database says how it is reached.
    const stdout = local.stdout.replace(/^The database .+ at .+\n/, '')
    expect(await cli.run(...args)).toEqual({ ...local, stdout })
  })

  it('lists the sites of the token', async () => {
    expect((await cli.run('sites', '--format', 'ids')).stdout).toMatch(/^1\n2\n3\n/)
    const alice = await cli.run('sites', '--env', 'alice', '--fields', 'site_id,address')
    expect(alice.stdout).toBe('site_id  address\n2        net.test/shop\n')
    const { stderr } = await cli.run('frames', 'list', '--site', '3', '--env', 'alice')
    expect(stderr).toContain('There is no site with the id 3')
  })

  it.each([
    ['over HTTP', (args: string[]) => cli.run(...args)],
    ['on the database', (args: string[]) => runCommand(args, database)],
  ])('finds a site by its address, or by a part that only one has: %s', async (_, run) => {
    const list = async (site: string) => {
      const { code, stdout, stderr } = await run(['frames', 'list', '--site', site])
      return code === 0 ? stdout : stderr
    }
    const listed = await list('2')
    for (const site of ['shop', 'SHOP', 'net.test/shop', 'http://net.test/shop/'])
      expect(await list(site)).toBe(listed)
    expect(await list('net.test/shp')).toContain('Did you mean "net.test/shop"?')
    const { stderr } = await run(['frames', 'show', 'crad', '--site', 'shop'])
    expect(stderr).toContain('Did you mean "card"?')
  })

  it('writes as the user of the token', async () => {
    const assigned = await cli.run('frames', 'assign', 'card', 'about-us/team', '--site', '2')
    expect([assigned.code, assigned.stderr]).toEqual([0, ''])
    const { entries } = JSON.parse((await cli.run('history', '--limit', '1', '--json')).stdout)
    expect(entries).toMatchObject([{ kind: 'assignment', user_id: 1 }])
    const rename = ['frames', 'rename', 'card', 'tile', '--site', '2']
    const { stderr } = await cli.run(...rename, '--user', 'bob')
    expect(stderr).toContain('the author is the user of the token')
  })

  it('manages tokens', async () => {
    const active = ['token', 'list', '--state', 'active', '--format', 'ids']
    const { stdout, stderr } = await cli.run('token', 'issue', '--user', 'bob', '--site', '2')
    expect(stdout).toMatch(/^op_/)
    const [, id = ''] = /token (\d+)/.exec(stderr) ?? []
    expect((await cli.run(...active)).stdout.split('\n')).toContain(id)
    expect((await cli.run('token', 'revoke', id)).stdout).toContain(`Token ${id} was revoked`)
    expect((await cli.run(...active)).stdout.split('\n')).not.toContain(id)
  })

  it('compares a folder with the site', async () => {
    const folder = join(await useFolder('remote'), 'shop')
    await runCommand(['frames', 'pull', folder, '--site', '2'], database)
    expect((await cli.run('frames', 'status', folder)).stdout).toContain('are equal')
    await writeFile(join(folder, 'card.html'), '<p>three</p>\n')
    expect((await cli.run('frames', 'diff', folder)).stdout).toContain('-<p>two</p>\n+<p>three</p>')
  })

  it('names its errors', async () => {
    expect(await cli.run('frames', 'show', 'none', '--site', '2')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No frame has the id or slug "none"'),
    })
    expect((await cli.run('frames', 'list', '--site', '2', '--env', 'revoked')).stderr).toContain(
      `Log in again with "wp-frames login ${api.url} --name revoked"`,
    )
    expect((await cli.run('frames', 'list', '--site', '2', '--env', 'nope')).stderr).toContain(
      'There is no login "nope"',
    )
    for (const args of [['runs'], ['work']])
      expect(await cli.run(...args)).toMatchObject({ code: 0, stderr: '' })
    for (const args of [['doctor'], ['doctor', '--site', '2', '--fix']])
      expect((await cli.run(...args)).stderr).toContain('it needs the database')
  })
})

describe('the choice of a service', () => {
  const countLogins = async (env: Readonly<Record<string, string>>, ...args: string[]) => {
    const { stdout, stderr } = await runCommand(['history', '--limit', '1', '--json', ...args], {
      ...cli.env,
      ...env,
    })
    return stderr === '' ? JSON.parse(stdout).entries.length : stderr
  }

  it('is the database, unless a name chooses a login', async () => {
    const unreachable = { DATABASE_URL: 'mysql://nobody:x@127.0.0.1:1/none' }
    expect(await countLogins(unreachable)).toContain('no server listens at 127.0.0.1:1')
    expect(await countLogins(unreachable, '--env', 'staging')).toBe(1)
    expect(await countLogins({ ...unreachable, WP_FRAMES_ENV: 'staging' })).toBe(1)
    expect(await countLogins({})).toBe(1)
  })

  it('is not ignored by a command that needs the database', async () => {
    const { code, stderr } = await runCommand(['migrate'], { ...database, WP_FRAMES_ENV: 'x' })
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('WP_FRAMES_ENV chooses the service'),
    ])
  })
})

it('a service that is busy gets the request again, with the same key for a write', async () => {
  const keys: unknown[] = []
  const busy = await listen((request, response) => {
    keys.push(request.headers['idempotency-key'])
    if (keys.length < 3) response.writeHead(503, { 'Retry-After': '0' }).end()
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"success":true}')
  })
  const other = await useRemoteCli()
  await mkdir(dirname(other.file), { recursive: true })
  const logins = { default: { url: `http://127.0.0.1:${busy.port}`, token } }
  await writeFile(other.file, JSON.stringify({ logins }), { mode: 0o600 })
  const { code, stdout } = await other.run('api', 'POST', '/site/2/changed', '--data', '{}')
  await busy.close()
  expect([code, stdout]).toEqual([0, '{"success":true}\n'])
  expect(new Set(keys).size).toBe(1)
  expect(keys).toEqual(Array(3).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)))
})
