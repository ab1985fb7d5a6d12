import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runScript } from '../../demo/private-database/run-script.ts'
import { startPrivateDatabase } from '../../demo/private-database/start-private-database.ts'
import { binlogArgs } from '../../demo/private-database/start-server.ts'
import { readFeedState } from '../../src/changes/feed/feed-state.ts'
import type { Db } from '../../src/db/database.ts'
import { BackslashModeError, isDatabaseUnavailable } from '../../src/db/database-error.ts'
import { readRows, storeRows } from '../../src/db/sql.ts'
import { globalTables } from '../../src/wordpress/network/site.ts'
import { runCommand } from '../support/cli.ts'
import { eventually } from '../support/eventually.ts'
import { loadNetwork } from '../support/load-network.ts'
import { openTestDatabase, type SqlDatabase } from '../support/open-database.ts'
import { startPacketRelay } from '../support/packets.ts'
import { startServeProcesses } from '../support/serve-processes.ts'
import { SQL_INJECTIONS } from '../support/sql-injections.ts'
import { sqlOf } from '../support/statements.ts'
import { use, useFolder } from '../support/use.ts'

/** Settings of the server as a whole, so it has a server of its own. */

const NAME = 'wordpress'
const folder = await useFolder('server')
const dataDir = join(folder, 'db')
const server = await use(
  startPrivateDatabase({
    dataDir,
    durable: false,
    log: () => {},
    extraArgs: ['--loose-innodb-log-file-size=16M', ...binlogArgs()],
  }),
)
const url = await loadNetwork(server.url, NAME)
const globals = globalTables('wp_')
const admin = await use(openTestDatabase({ url, isBatched: false }))
/** Until the tests of the group have run. */
const setGlobally = (name: string, value: string | number): void => {
  let before: unknown
  beforeAll(async () => {
    const [[row]] = await sqlOf(admin).raw(`SELECT @@GLOBAL.${name} AS value`)
    before = row.value
    await sqlOf(admin).raw(`SET GLOBAL ${name} = ?`, [value])
  })
  afterAll(() => sqlOf(admin).raw(`SET GLOBAL ${name} = ?`, [before as string]))
}
const environment = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  LOG_LEVEL: 'silent',
  STATIC_DIR: '',
})
const open = (isBatched: boolean, address = url): SqlDatabase =>
  openTestDatabase({ url: address, poolSize: 2, isBatched })
const issueToken = (env: Readonly<Record<string, string>>) =>
  runCommand(['token', 'issue', '--user', 'alice', '--label', 'test'], env)

describe('a server that is reached through its socket', async () => {
  const socket = join(dataDir, 'server.sock')
  const own = Object.assign(new URL(url), { hostname: 'localhost', username: 'local', port: '' })
  own.searchParams.set('socketPath', socket)
  const env = environment(own.href)
  beforeAll(() =>
    runScript(
      url,
      `CREATE USER local@localhost IDENTIFIED BY '${own.password}';
      GRANT ALL ON \`${NAME}\`.* TO local@localhost; GRANT REPLICATION SLAVE ON *.* TO local@localhost`,
    ),
  )

  it('is read and written as with TCP', async () => {
    const db = openTestDatabase({ url: own.href, poolSize: 2 })
    const read = (from: Db) => sqlOf(from).raw('SELECT USER() AS user')
    for (const [[{ user }]] of [await read(db), await db.write({}, read), await db.snapshot(read)])
      expect(user).toBe('local@localhost')
    await db.close()
  })

  it('is named by the doctor', async () => {
    const { stdout } = await runCommand(['doctor'], env)
    expect(stdout.split('\n')[0]).toBe(`The database ${NAME}, through the socket ${socket}.`)
    expect(stdout).not.toMatch(/error: (?:database|network|rights|feed)/)
  })

  it('serves commands, the service and its change feed', async () => {
    const { code, stdout } = await issueToken(env)
    expect(code).toBe(0)
    const [token = ''] = /svc_\w+/.exec(stdout) ?? /\S{30,}/.exec(stdout) ?? []
    const service = await startServeProcesses(1, own.href, {
      FEED_DATABASE_URL: own.href,
      STATIC_DIR: join(folder, 'static'),
    })
    const frame = { slug: 'through-the-socket', html: '<p>x</p>' }
    expect((await service.send(token, 'POST', '/site/2/frames', frame)).status).toBe(200)
    await eventually(async () =>
      expect(await readFeedState(admin, globals)).toMatchObject({ isHealthy: true }),
    )
    await service.stop()
  })
})

describe('a server whose sql_mode has NO_BACKSLASH_ESCAPES', async () => {
  const MESSAGE = 'The sql_mode of the database server contains NO_BACKSLASH_ESCAPES.'
  const batched = await use(open(true))
  setGlobally('sql_mode', 'STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES')

  it('gets no packets of several statements', async () => {
    const ways = [
      batched.write({}, (tx) => readRows(tx, 'SELECT 1', {})),
      batched.snapshot((own) => readRows(own, 'SELECT 1', {})),
      batched.together((own) => readRows(own, 'SELECT 1', {})),
      batched.ping(),
    ]
    for (const way of await Promise.allSettled(ways)) {
      const { reason } = way as PromiseRejectedResult
      expect(reason).toBeInstanceOf(BackslashModeError)
      expect(isDatabaseUnavailable(reason)).toBe(true)
    }
  })

  it('is a finding of the doctor', async () => {
    const env = { ...environment(url), DB_BATCH: '1' }
    for (const args of [['doctor'], ['doctor', '--site', '2']]) {
      const { code, stdout, stderr } = await runCommand(args, env)
      expect([code, stderr]).toEqual([1, 'Found 1 error.\n'])
      expect(stdout).toContain(
        `  error: The database has a mode that the service cannot work with (database_mode)\n    ${MESSAGE}\n`,
      )
      expect(stdout).toMatch(/Fix: .*set DB_BATCH=0/)
    }
  })

  it('is reported by commands and by the start of the service', async () => {
    const env = { ...environment(url), DB_BATCH: '1' }
    const served = await runCommand(['serve'], { ...env, PORT: '0', FRONT_PORT: '0' })
    for (const { code, stderr } of [await issueToken(env), served]) {
      expect(code).toBe(1)
      expect(stderr).toMatch(new RegExp(`^${MESSAGE} Remove it .* DB_BATCH=0.*\\.\\n$`))
    }
  })

  it('is written with DB_BATCH=0, each value as it is', async () => {
    const env = { ...environment(url), DB_BATCH: '0' }
    expect(await issueToken(env)).toMatchObject({ code: 0 })
    expect((await runCommand(['doctor'], env)).stdout).not.toContain('database_mode')
    const db = await use(open(false))
    await db.ping()
    const texts = [...SQL_INJECTIONS]
    await sqlOf(db).raw('CREATE TABLE kept (id int AUTO_INCREMENT PRIMARY KEY, text longtext)')
    await db.write({}, async (tx) => {
      for (const text of texts) tx.later('INSERT INTO kept (text) VALUES (:text)', { text })
    })
    expect(await sqlOf(db)('kept').orderBy('id').pluck('text')).toEqual(texts)
  })

  it('is ready again without the mode', async () => {
    await sqlOf(admin).raw("SET GLOBAL sql_mode = ''")
    await batched.ping()
    await batched.write({}, (tx) => readRows(tx, 'SELECT 1', {}))
  })
})

describe('a server that chooses the character set of its clients', async () => {
  const own = Object.assign(new URL(url), { username: 'plain' })
  beforeAll(() =>
    runScript(
      url,
      `CREATE USER plain@'127.0.0.1' IDENTIFIED BY '${own.password}'; GRANT ALL ON \`${NAME}\`.* TO plain@'127.0.0.1'`,
    ),
  )
  // Like skip-character-set-client-handshake. In GBK, a backslash is the second byte of many characters.
  setGlobally('init_connect', 'SET NAMES gbk')

  it.each([true, false])('gets and sends utf8mb4, in packets: %s', async (isBatched) => {
    const db = await use(open(isBatched, own.href))
    const texts = [...SQL_INJECTIONS]
    const read = (from: Db) =>
      Promise.all([
        readRows(from, 'SELECT @@character_set_client AS charset', {}),
        ...texts.map((text) => readRows(from, 'SELECT :text AS text', { text })),
      ])
    const expected = [[{ charset: 'utf8mb4' }], ...texts.map((text) => [{ text }])]
    expect(await db.write({}, read)).toEqual(expected)
    expect(await read(db)).toEqual(expected)
  })
})

describe('a server with a max_allowed_packet of 1 MB', async () => {
  const LIMIT = 1024 * 1024
  setGlobally('max_allowed_packet', LIMIT)

  it('gets no larger packet, and no more than 100 statements in one', async () => {
    const relay = await use(startPacketRelay(url))
    const db = await use(open(true, relay.url))
    await sqlOf(db).raw('CREATE TABLE sized (id int AUTO_INCREMENT PRIMARY KEY, text longtext)')
    // Each quote is two bytes, each of these characters three.
    const texts = Array.from({ length: 700 }, (_, at) =>
      (at % 2 === 0 ? "'" : '\u20ac').repeat(
        at < 250 ? at % 9 : at % 100 === 0 ? 100_000 : (at * 397) % 9000,
      ),
    )
    const packets = await relay.packetsOf(() =>
      db.write({}, async (tx) => {
        for (const text of texts) tx.later('INSERT INTO sized (text) VALUES (:text)', { text })
        await storeRows(tx, [{ table: 'sized', rows: [{ text: 'x'.repeat(250_000) }] }])
      }),
    )
    expect(Math.max(...packets.map(({ bytes }) => bytes))).toBeLessThanOrEqual(LIMIT)
    expect(Math.max(...packets.map(({ statements }) => statements.length))).toBe(100)
    expect(packets.length).toBeLessThan(100)
    const stored = await sqlOf(admin)('sized').orderBy('id').pluck('text')
    expect(stored.slice(0, -1)).toEqual(texts)
  })
})
