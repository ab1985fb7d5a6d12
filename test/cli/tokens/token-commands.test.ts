import { beforeEach, describe, expect, it } from 'vitest'
import { createDatabase } from '../../../demo/private-database/run-script.ts'
import { authenticate } from '../../../src/record/auth/authenticate.ts'
import { tokensTable } from '../../../src/record/auth/tokens.ts'
import { commandsOn, runCommand } from '../../support/cli.ts'
import { useNetwork } from '../../support/network.ts'

const network = await useNetwork()
beforeEach(() => network.db.sql(tokensTable(network.globals)).delete())

const { environment, run } = commandsOn(network)
const token = (...args: string[]) => run('token', ...args)

const json = async (...args: string[]) => {
  const { stdout, code } = await token(...args, '--json')
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

const callerOf = (text: string) => authenticate(network.db, network.globals, text, new Date())

describe('token issue', () => {
  it('prints only the token, which is valid, and on standard error its id', async () => {
    const { code, stdout, stderr } = await token('issue', '--user', 'admin')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^op_[A-Za-z0-9]{64}\n$/)
    const caller = await callerOf(stdout.trim())
    expect(caller.user.login).toBe('admin')
    const { tokenId: id } = caller
    expect(stderr).toBe(`This is token ${id}. To revoke it: wp-frames token revoke ${id}\n`)
  })

  it('warns that a token of a site administrator can write scripts, unless MARKUP_WRITERS prevents it', async () => {
    const alice = await token('issue', '--user', 'alice', '--json')
    expect(alice.stderr).toMatch(/^"alice" is not a super administrator.*MARKUP_WRITERS/)
    expect(Object.keys(JSON.parse(alice.stdout))).toContain('token')
    expect((await token('issue', '--user', 'admin', '--json')).stderr).toBe('')
    const refused = await runCommand(['token', 'issue', '--user', 'alice', '--json'], {
      ...environment,
      MARKUP_WRITERS: 'super-admins',
    })
    expect([refused.code, refused.stderr]).toEqual([0, ''])
  })

  it('stores nothing in a dry run, and says so', async () => {
    const before = (await json('list')).tokens.length
    expect(await token('issue', '--user', 'admin', '--dry-run')).toMatchObject({
      code: 0,
      stdout: 'The request would succeed. Nothing was stored.\n',
      stderr: '',
    })
    expect((await json('list')).tokens).toHaveLength(before)
  })

  it('counts the characters of a label', async () => {
    const label = `client ${'😀'.repeat(193)}`
    expect(await json('issue', '--user', 'admin', '--label', label)).toMatchObject({ label })
    const { code } = await token('issue', '--user', 'admin', '--label', `${label}x`)
    expect(code).toBe(2)
  })

  it.each<[string[], number, RegExp]>([
    [['--user', 'nobody'], 1, /"nobody"/],
    [['--user', 'ALICE'], 1, /"ALICE"/],
    [['--user', 'erin'], 1, /"erin"/],
    [['--label', 'cli'], 2, /must not begin with "cli"/],
    [['--label', 'cli deploy@web1'], 2, /must not begin with "cli"/],
    [['--site', '2,999'], 2, /there is no site 999/],
    [['--site', 'shpo'], 1, /Did you mean "shop"\?/],
    [
      ['--expires', '90days'],
      2,
      /^error: option '--expires <time>' .* Use a number of days or hours such as 90d or /,
    ],
    [
      ['--expires', '2020-01-01'],
      2,
      /^Invalid parameter\(s\): --expires: must be a future time such as /,
    ],
  ])('refuses %j, by the name that was typed, and issues nothing', async (args, code, said) => {
    expect(await token('issue', '--user', 'alice', ...args)).toEqual({
      code,
      stdout: '',
      stderr: expect.stringMatching(said),
    })
    expect((await json('list')).tokens).toEqual([])
  })

  it('limits the token to a scope and to sites, and so does its replacement', async () => {
    const limits = ['--scope', 'menus', '--site', 'shop,net.test/docs,5']
    const issued = await json('issue', '--user', 'alice', ...limits)
    expect(issued).toMatchObject({ scope: 'menus', sites: [2, 3, 5] })
    const again = await json('reissue', String(issued.id))
    expect(again).toMatchObject({ scope: 'menus', sites: [2, 3, 5] })
    expect((await token('list')).stdout).toMatch(/ alice +menus +2,3,5 /)
  })
})

it('token list lists the tokens and their states', async () => {
  const first = await json('issue', '--user', 'alice', '--label', 'deploy')
  const second = await json('issue', '--user', 'bob', '--expires', '1h')
  await token('revoke', String(first.id))
  await network.db
    .sql(tokensTable(network.globals))
    .where({ id: second.id })
    .update({ expires_at: '2020-01-01 00:00:00' })
  const third = await json('issue', '--user', 'admin')
  const { stdout } = await token('list')
  const [heading = '', ...lines] = stdout.trimEnd().split('\n')
  expect(heading).toMatch(
    /^id +login +label +scope +sites +created_at +last_used_at +expires_at +state +refused +failed$/,
  )
  expect(lines).toEqual([
    expect.stringMatching(
      new RegExp(`^${first.id} +alice +deploy .* never +never +revoked +0 +0$`),
    ),
    expect.stringMatching(new RegExp(`^${second.id} +bob .* 2020-01-01 00:00:00 +expired +0 +0$`)),
    expect.stringMatching(new RegExp(`^${third.id} +admin .* active +0 +0$`)),
  ])
  for (const { token: text } of [first, second, third])
    expect(stdout).not.toContain(text.slice(3, 20))
  expect((await token('list', '--state', 'active', '--format', 'ids')).stdout).toBe(`${third.id}\n`)
  expect((await json('list')).tokens).toHaveLength(3)
})

describe('token reissue', () => {
  it('prints a new token and revokes the old one', async () => {
    const old = await json('issue', '--user', 'alice', '--label', 'deploy')
    const { stdout } = await token('reissue', String(old.id))
    expect((await callerOf(stdout.trim())).user.login).toBe('alice')
    await expect(callerOf(old.token)).rejects.toMatchObject({ code: 'invalid_token' })
    const { code, stderr } = await token('reissue', String(old.id))
    expect(code).toBe(1)
    expect(stderr).toContain(String(old.id))
  })
})

it.each([
  [[]],
  [['issue']],
  [['issue', '--user', 'alice', '--expires', 'soon']],
  [['issue', '--user', 'alice', '--expires', '0d']],
  [['issue', '--user', 'alice', '--label', 'x'.repeat(201)]],
  [['issue', '--user', 'alice', '--unknown']],
  [['issue', '--user', 'alice', '--scope', 'most']],
  [['issue', '--user', 'alice', '--site', '2,,5']],
  [['revoke']],
  [['revoke', 'alice']],
  [['revoke', '1', '2']],
  [['reissue', '0']],
  [['unknown']],
])('wrong usage ends with exit code 2: token %j', async (args) => {
  const { code, stdout, stderr } = await token(...args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).not.toBe('')
})

it('a database with pending migrations is reported', async () => {
  const name = `${new URL(network.url).pathname.slice(1)}_empty`
  const url = await createDatabase(network.url, name)
  for (const args of [['list'], ['revoke', '1'], ['issue', '--user', 'alice']]) {
    const env = { DATABASE_URL: url, LOG_LEVEL: 'silent' }
    const { code, stderr } = await runCommand(['token', ...args], env)
    expect(code).toBe(1)
    // A new database lacks dozens.
    expect(stderr).toMatch(
      /^\d+ migrations of the service's own tables are pending\. Run "wp-frames migrate" first\.\n$/,
    )
  }
  await network.db.sql.raw('DROP DATABASE ??', [name])
})
