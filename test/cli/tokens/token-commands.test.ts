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

  it.each(['cli', 'cli deploy@web1'])(
    'refuses the label %j: it marks what commands write',
    async (label) => {
      const { code, stderr } = await token('issue', '--user', 'admin', '--label', label)
      expect([code, stderr]).toEqual([2, expect.stringContaining('must not begin with "cli"')])
    },
  )

  it('counts the characters of a label', async () => {
    const label = `client ${'😀'.repeat(193)}`
    expect(await json('issue', '--user', 'admin', '--label', label)).toMatchObject({ label })
    const { code } = await token('issue', '--user', 'admin', '--label', `${label}x`)
    expect(code).toBe(2)
  })

  it('rejects unknown and blocked users', async () => {
    for (const login of ['nobody', 'ALICE', 'erin']) {
      const { code, stdout, stderr } = await token('issue', '--user', login)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain(`"${login}"`)
    }
    expect((await json('list')).tokens).toEqual([])
  })
})

describe('token issue --scope', () => {
  it('refuses a site that does not exist', async () => {
    const { code, stderr } = await token('issue', '--user', 'alice', '--site', '2,999')
    expect([code, stderr]).toEqual([2, expect.stringContaining('there is no site 999')])
  })

  it('limits the token to a scope and to sites, and so does its replacement', async () => {
    const issued = await json('issue', '--user', 'alice', '--scope', 'menus', '--site', '2,5')
    expect(issued).toMatchObject({ scope: 'menus', sites: [2, 5] })
    const again = await json('reissue', String(issued.id))
    expect(again).toMatchObject({ scope: 'menus', sites: [2, 5] })
    expect((await token('list')).stdout).toMatch(/ alice +menus +2,5 /)
    for (const args of [
      ['--scope', 'most'],
      ['--site', '2,,5'],
    ])
      expect((await token('issue', '--user', 'alice', ...args)).code).toBe(2)
  })
})

describe('token issue --site', () => {
  it('takes the names of sites, as any --site does', async () => {
    expect(await json('issue', '--user', 'alice', '--site', 'shop,net.test/docs,5')).toMatchObject({
      sites: [2, 3, 5],
    })
  })

  it('suggests a similar name', async () => {
    const { code, stderr } = await token('issue', '--user', 'alice', '--site', 'shpo')
    expect([code, stderr]).toEqual([1, expect.stringContaining('Did you mean "shop"?')])
  })
})

it.each([
  ['90days', /^error: option '--expires <time>' .* Use a number of days or hours such as 90d or /],
  ['2020-01-01', /^Invalid parameter\(s\): --expires: must be a future time such as /],
])(
  'token issue --expires %s says what it takes, by the name that was typed',
  async (text, said) => {
    const { code, stderr } = await token('issue', '--user', 'alice', '--expires', text)
    expect([code, stderr]).toEqual([2, expect.stringMatching(said)])
  },
)

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
