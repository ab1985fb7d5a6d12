import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { rightsOnOwnTables } from '../../src/network/doctor/needed-rights.ts'
import { siteOf } from '../../src/wordpress/network/site.ts'
import { commandsOn } from '../support/cli.ts'
import { eventually } from '../support/eventually.ts'
import type { Answer } from '../support/frames-api.ts'
import { useNetwork } from '../support/network.ts'
import { type ServeProcesses, startServeProcesses } from '../support/serve-processes.ts'
import { createSiteFixture } from '../support/site-fixture.ts'
import { useFolder } from '../support/use.ts'

const network = await useNetwork()
const { db, globals } = network
const folder = await useFolder('grants')
const accounts: string[] = []
let service: ServeProcesses | undefined
afterEach(async () => {
  await service?.stop()
  service = undefined
})
afterAll(async () => {
  for (const account of accounts) await db.sql.raw(`DROP USER '${account}'@'%'`)
})

const raw = (sql: string, names: readonly string[] = []) => db.sql.raw(sql, [...names])
const commandsWith = (url: string) => commandsOn({ url, globals }, join(folder, 'static'))
const run = (url: string, ...args: string[]) => commandsWith(url).run(...args)

/** An account without rights. Gives its name and the address for it. */
async function createAccount() {
  const user = `granted_${randomBytes(4).toString('hex')}`
  await raw(`CREATE USER '${user}'@'%' IDENTIFIED BY 'x'`)
  accounts.push(user)
  const url = new URL(network.url)
  Object.assign(url, { username: user, password: 'x' })
  return { user, url: url.href }
}

/** Prints the statements for an account, and runs them as they are printed. */
async function grant(user: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await run(network.url, 'grants', '--user', user, ...args)
  expect(stderr).toBe('')
  for (const line of stdout.split('\n')) if (/^[A-Z]/.test(line)) await raw(line)
  return stdout
}

/** Adds a site as WordPress does: with tables of its own, which are those of another site. */
async function addSite(blogId: number, model: number): Promise<void> {
  const row = {
    ...(await db.sql(globals.blogs).where({ blog_id: model }).first()),
    blog_id: blogId,
  }
  const tables = siteOf(globals, row).tables
  const models = (await network.site(model)).tables
  for (const key of Object.keys(tables) as (keyof typeof tables)[]) {
    await raw('CREATE TABLE ?? LIKE ??', [tables[key], models[key]])
    await raw('INSERT INTO ?? SELECT * FROM ??', [tables[key], models[key]])
  }
  const home = `http://net.test/added-${blogId}`
  await db
    .sql(tables.options)
    .whereIn('option_name', ['home', 'siteurl'])
    .update('option_value', home)
  await db.sql(globals.blogs).insert({ ...row, path: `/added-${blogId}/` })
}

/** What the service and its commands write to a site, with the account of `url`. */
async function useService(url: string, sites: readonly number[]): Promise<void> {
  service = await startServeProcesses(1, url, {
    ...commandsWith(url).environment,
    LOG_LEVEL: 'info',
    WATCH_SECONDS: '1',
    SCRUB_PAGES_PER_MINUTE: '6000',
  })
  const issued = await run(url, 'token', 'issue', '--user', 'admin', '--label', 'grants')
  expect(issued).toMatchObject({ code: 0 })
  const headers = {
    Authorization: `Bearer ${issued.stdout.trim()}`,
    'Content-Type': 'application/json',
  }
  const send = async (method: string, path: string, body?: object) => {
    const key = { 'Idempotency-Key': randomBytes(8).toString('hex') }
    const answer = await fetch(`${service?.urls[0]}${path}`, {
      method,
      headers: method === 'GET' ? headers : { ...headers, ...key },
      ...(body && { body: JSON.stringify(body) }),
    })
    const content: Answer['body'] = await answer.json()
    expect([path, answer.status, content]).toEqual([path, expect.toSatisfy(isOk), content])
    return content
  }
  for (const blogId of sites) {
    const [site, slug] = [`/site/${blogId}`, `granted-${blogId}`]
    const page = await createSiteFixture(db, await network.site(blogId)).page({
      slug: 'granted',
    })
    await send('POST', `${site}/frames`, { slug, html: '<p>new</p>' })
    await send('PUT', `${site}/frames/${slug}`, { html: '<p>granted</p>' })
    await send('POST', `${site}/frames/${slug}/assign`, { page })
    await send('PATCH', `${site}/frames/${slug}`, { slug: `${slug}-too` })
    await send('POST', `${site}/frames/rebake`, { all: true })
    const { menu } = await send('POST', `${site}/menus`, {
      name: 'Granted',
      items: [{ title: 'Home', url: '/' }],
    })
    await send('PATCH', `${site}/menus/${menu.id}`, { name: 'Granted too' })
    await send('PUT', `${site}/menus/${menu.id}/location`, { location: 'header' })
    await send('DELETE', `${site}/menus/${menu.id}`)
    await send('POST', `${site}/changed`, { posts: [page] })
    await send('GET', `${site}/history`)
    await send('GET', `${site}/findings`)
  }
  const { tokens } = await send('GET', '/network/tokens')
  expect(tokens).not.toEqual([])
  const description = await writeDescription(sites)
  const applied = await run(url, 'apply', description, '--json')
  expect([applied.code, applied.stderr]).toEqual([0, ''])
  const { run: id } = JSON.parse(applied.stdout)
  expect(await run(url, 'rollback', id)).toMatchObject({ code: 0, stderr: '' })
  expect(
    await run(url, 'restore', '--site', String(sites[0]), '--at', new Date().toISOString()),
  ).toMatchObject({ code: 0 })
  expect(await run(url, 'work', '--wait')).toMatchObject({ code: 0 })
  // A round of the poll has been, and nothing was refused.
  await eventually(async () => {
    const rows = await db.sql(`${globals.basePrefix}svc_seen_sites`).whereIn('blog_id', [...sites])
    expect(rows).toHaveLength(sites.length)
  })
  expect(service.logs()).not.toMatch(/denied/i)
  await service.stop()
  expect(await run(url, 'doctor')).toMatchObject({
    stdout: expect.not.stringMatching(/rights_missing|check_failed/),
  })
}

const isOk = (status: number): boolean => status < 300

async function writeDescription(sites: readonly number[]): Promise<string> {
  const path = join(folder, `described-${sites.join('-')}`)
  await mkdir(path, { recursive: true })
  await writeFile(join(path, 'described.html'), '<p>described</p>')
  await writeFile(
    join(path, 'network.yaml'),
    `version: 1
name: described
sites: [{ match: { id: [${sites.join()}] }, bundles: [all], variables: { tone: soft } }]
bundles: { all: { frames: described.html, pages: { granted: described } } }
`,
  )
  return path
}

describe('grants', () => {
  it('prints rights on the database, which are enough for all sites, also later ones', async () => {
    const { user, url } = await createAccount()
    const printed = await grant(user)
    const name = new URL(url).pathname.slice(1).replaceAll('_', '\\_')
    expect(printed).toContain(
      `\nGRANT SELECT, INSERT, UPDATE, DELETE ON \`${name}\`.* TO \`${user}\`@\`%\`;\n`,
    )
    await addSite(9, 3)
    await useService(url, [3, 9])
  })

  it('prints rights on each table, which a later site needs too', async () => {
    const { user, url } = await createAccount()
    await grant(user, '--level', 'tables')
    await addSite(10, 4)
    const hidden = await run(url, 'doctor')
    expect(hidden.stdout).toContain(
      `no right to SELECT, INSERT, UPDATE, DELETE on "${globals.basePrefix}10_posts"`,
    )
    expect(hidden.stdout).not.toContain('site_tables_missing')
    await grant(user, '--level', 'tables', '--site', '10')
    await useService(url, [2, 10])
  })

  it('names each right that is revoked, with the statement that grants it', async () => {
    const { user, url } = await createAccount()
    await grant(user, '--level', 'tables')
    const database = new URL(url).pathname.slice(1)
    const { posts, options } = (await network.site(2)).tables
    const work = `${globals.basePrefix}svc_work`
    for (const [right, table] of [
      ['UPDATE', posts],
      ['SELECT', options],
      ['SELECT, INSERT, UPDATE, DELETE', work],
      ['SELECT', globals.usermeta],
    ] as const) {
      await raw(`REVOKE ${right} ON ??.?? FROM '${user}'@'%'`, [database, table])
      const { code, stdout } = await run(url, 'doctor')
      expect([code, stdout]).toEqual([
        1,
        expect.stringContaining(`no right to ${right} on "${table}"`),
      ])
      expect(stdout).toMatch(/^Checked \d\d? sites: /m)
      const [hint = ''] = /GRANT .+;/.exec(stdout) ?? []
      expect(hint).toBe(`GRANT ${right} ON \`${database}\`.\`${table}\` TO \`${user}\`@\`%\`;`)
      await raw(hint)
      expect((await run(url, 'doctor')).stdout).not.toMatch(/rights_missing|check_failed/)
    }
  })

  it('prints the privilege of the account of the feed', async () => {
    const { user } = await createAccount()
    expect(await grant(user, '--for', 'feed')).toContain('FEED_DATABASE_URL')
    const [grants] = await raw(`SHOW GRANTS FOR '${user}'@'%'`)
    expect(JSON.stringify(grants)).toContain('GRANT REPLICATION SLAVE ON *.*')
  })

  it('names all tables of the service', async () => {
    const [rows] = await raw('SHOW TABLES LIKE ?', [`${globals.basePrefix}svc\\_%`])
    const tables = rows.map((row: object) => Object.values(row)[0])
    expect(
      rightsOnOwnTables(globals)
        .map(({ table }) => table)
        .sort(),
    ).toEqual(tables.sort())
  })

  it.each(['database', 'tables'])('prints rights for migrate on the level %s', async (level) => {
    const { user, url } = await createAccount()
    await grant(user, '--for', 'migrate', '--level', level)
    for (const { table } of rightsOnOwnTables(globals)) await raw('DROP TABLE ??', [table])
    expect(await run(url, 'migrate')).toMatchObject({ code: 0, stdout: /^Applied 0001/ })
  })

  it('refuses an account without a name, and a site on the level of the database', async () => {
    expect(await run(network.url, 'grants', '--user', '@localhost')).toMatchObject({ code: 2 })
    expect(await run(network.url, 'grants', '--user', 'u', '--site', '2')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: --site needs --level tables\n',
    })
  })
})
