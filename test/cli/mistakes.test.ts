import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { commandsOn, runCommand } from '../support/cli.ts'
import { useNetwork } from '../support/network.ts'

const network = await useNetwork()
const { environment } = commandsOn(network)
const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runCommand(args, { ...environment, ...env })

/** The address of the database with another part. */
const withPart = (part: 'hostname' | 'port' | 'username' | 'password' | 'pathname', text: string) =>
  Object.assign(new URL(network.url), { [part]: text }).href

/** Lists the sites as a new account. @param account how it is identified */
async function sitesAs(account: string, work: (sites: Sites, user: string) => Promise<void>) {
  const user = `refused_${randomBytes(4).toString('hex')}`
  await network.db.sql.raw(`CREATE USER '${user}'@'%' ${account}`)
  const { href } = Object.assign(new URL(network.url), { username: user, password: 'x' })
  await work(() => run(['sites'], { DATABASE_URL: href }), user)
  await network.db.sql.raw(`DROP USER '${user}'@'%'`)
}
type Sites = () => ReturnType<typeof run>
const DATABASE = new URL(network.url).pathname.slice(1)

describe('a database that cannot be used', () => {
  it.each([
    [
      'pathname',
      '/nope',
      'There is no database "nope" on the server (ER_BAD_DB_ERROR). Check the name',
    ],
    ['hostname', 'nowhere.invalid', 'the host "nowhere.invalid" has no address ('],
    ['port', '1', 'no server listens at 127.0.0.1:1 (ECONNREFUSED)'],
    ['username', 'nobody', "does not accept the user 'nobody'@'"],
    ['password', 'not-shown', 'in DATABASE_URL'],
  ] as const)('is described by its %s', async (part, text, message) => {
    const { code, stderr } = await run(['sites'], { DATABASE_URL: withPart(part, text) })
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
    expect(stderr).not.toContain('not-shown')
  })

  it('is described by what the account may not do', () =>
    sitesAs("IDENTIFIED BY 'x'", async (sites, user) => {
      expect((await sites()).stderr).toContain(
        `The user '${user}'@'%' has no right on a database "${DATABASE}" (ER_DBACCESS_DENIED_ERROR)`,
      )
      await network.db.sql.raw(`GRANT INSERT ON ??.* TO '${user}'@'%'`, [DATABASE])
      expect((await sites()).stderr).toMatch(
        /^The database user lacks a right: SELECT command denied .*wp-frames doctor/,
      )
    }))

  // Both servers have several numbers for each of these.
  it.each([
    ["IDENTIFIED BY 'other'", 'does not accept the user'],
    ["IDENTIFIED BY 'x' ACCOUNT LOCK", 'has locked the account'],
    ["IDENTIFIED BY 'x' PASSWORD EXPIRE", 'has expired'],
    ["IDENTIFIED BY 'x' REQUIRE SSL", 'does not accept the user'],
  ])('is described by the account that the server refuses: %s', (account, message) =>
    sitesAs(account, async (sites, user) => {
      // MariaDB notices an expired password at the first statement.
      await network.db.sql.raw(`GRANT SELECT ON ??.* TO '${user}'@'%'`, [DATABASE])
      const { code, stderr } = await sites()
      expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
    }),
  )
})

it('the program creates no tables under a prefix without a network', async () => {
  const { code, stderr } = await run(['migrate'], { TABLE_PREFIX: 'blog_' })
  expect([code, stderr]).toEqual([
    1,
    'The tables blog_blogs, blog_site, blog_sitemeta, blog_users, blog_usermeta do not exist, or the database user has no rights on them. Set TABLE_PREFIX to the value of $table_prefix in wp-config.php, and DATABASE_URL to the database of WordPress and a user with rights on it.\n',
  ])
  const [rows] = await network.db.sql.raw("SHOW TABLES LIKE 'blog\\_%'")
  expect(rows).toEqual([])
})

it('the program says how to list users', async () => {
  const { stderr } = await run(['token', 'issue', '--user', 'bobby'])
  expect(stderr).toMatch(/ has the login "bobby"\. .* "wp user list --network/)
})

it('the program reports misspelt variables in the doctor', async () => {
  const { stdout } = await run(['doctor'], { STATIC_DIRR: '/x' })
  expect(stdout).toContain('warning: A setting has an unknown name (variable_unknown)')
  expect(stdout).toContain(
    'The variable STATIC_DIRR is not known and has no effect. Did you mean STATIC_DIR?',
  )
})

it.runIf(process.platform === 'linux')(
  'the program does not start with a folder that cannot exist',
  async () => {
    const settings = { PORT: '0', STATIC_DIR: '/proc/x', STATIC_DIRR: '/y' }
    const { code, stderr } = await run(['serve', 'api'], settings)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /"\/proc\/x" does not exist, and "\/proc\/x" cannot be created \(E\w+\)\. /,
      ),
    ])
  },
)
