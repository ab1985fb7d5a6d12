import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type CliServices, CommandError, type Listening } from '../src/cli/cli-context.ts'
import type { Database } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { readRows, runStatement } from '../src/db/sql.ts'
import type { Tx } from '../src/db/transaction.ts'
import { AppError } from '../src/host/errors.ts'
import { authenticate } from '../src/record/auth/authenticate.ts'
import { issueToken } from '../src/record/auth/tokens.ts'
import { readNetworkOption } from '../src/wordpress/network/network-option.ts'
import type { GlobalTables } from '../src/wordpress/network/site.ts'
import { findUserByLogin } from '../src/wordpress/users/users.ts'
import { changeDomain } from './change-domain.ts'
import { DATA_FOLDER } from './data-folder.ts'
import { putDemoPages } from './demo-pages.ts'
import { fillTables, tablesOf } from './network/create-network.ts'
import { readNetworkSource } from './network/sources.ts'
import { runScript } from './private-database/run-script.ts'

const NETWORK_ID = 1
/** The network option that marks the demo network. Its value is the network's current main host. */
const MARK = 'svc_demo_host'
/** The journal has a host of its own, below the main one. */
const JOURNAL = 'journal.'

export type Demo = {
  /** A token of the demo's super administrator. */
  readonly token: string
  /** Home address of the site to open first. */
  readonly home: string
}

/**
 * Loads the demo network into an empty database, and migrates the service's own tables. Call it before the service starts.
 * @throws CommandError if the database contains anything else than a demo network, of which nothing is changed
 */
export async function loadDemo({ db, globals, config }: CliServices): Promise<void> {
  const tables = await readTables(db)
  if (tables.length === 0) {
    const network = readNetworkSource()
    await runScript(config.databaseUrl ?? '', tablesOf(network, globals.basePrefix))
    await db.write({}, async (tx) => {
      await fillTables(tx, network, globals.basePrefix)
      await mark(tx, globals, network.host)
    })
  } else if (!(await isDemo(db, globals, tables))) throw new CommandError(describeForeign(tables))
  await migrate(db, globals.basePrefix)
}

async function mark(tx: Tx, { sitemeta }: GlobalTables, host: string): Promise<void> {
  const values = { sitemeta, id: NETWORK_ID, mark: MARK, host }
  for (const statement of [
    'DELETE FROM :sitemeta: WHERE site_id = :id AND meta_key = :mark',
    'INSERT INTO :sitemeta: (site_id, meta_key, meta_value) VALUES (:id, :mark, :host)',
  ])
    await runStatement(tx, statement, values)
}

/** The tables and views of the database, some of them. */
async function readTables(db: Database): Promise<string[]> {
  const rows = await readRows<{ name: string }>(
    db,
    `SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()
      ORDER BY TABLE_NAME`,
    {},
  )
  return rows.map(({ name }) => name)
}

async function isDemo(
  db: Database,
  globals: GlobalTables,
  tables: readonly string[],
): Promise<boolean> {
  return (
    tables.includes(globals.sitemeta) &&
    (await readNetworkOption(db, globals, NETWORK_ID, MARK)) !== undefined
  )
}

function describeForeign(tables: readonly string[]): string {
  const { length } = tables
  return `The database has ${length === 1 ? 'a table' : `${length} tables`}, such as "${tables[0]}", and no complete demo network, so nothing was changed. The demo needs a database without a table: unset DEMO_DATABASE_URL, or set it to an empty database. If the demo was stopped while it loaded its private database, delete ${DATA_FOLDER} and start again. To try your own network, see "Run it on your network" in README.md.`
}

/**
 * Gives the sites of the demo network the addresses of the front on this machine, and creates its frames.
 * @param servers without a front, the addresses of the sites stay as they are
 */
export async function prepareDemo(services: CliServices, servers: Listening): Promise<Demo> {
  const { db, globals } = services
  const { frontUrl } = servers
  const host = (await readNetworkOption(db, globals, NETWORK_ID, MARK)) ?? ''
  const newHost = frontUrl === undefined ? host : `localhost:${new URL(frontUrl).port}`
  if (newHost !== host) await moveNetwork(services, host, newHost)
  await putDemoPages(services)
  return { token: await demoToken(services), home: `http://${newHost}/` }
}

/** Browsers and curl resolve every name below `localhost` to this machine, so each host of the network gets one. */
async function moveNetwork({ db, globals }: CliServices, from: string, to: string): Promise<void> {
  const below = [JOURNAL, ''].map((name) => [`${name}${from}`, `${name}${to}`] as const)
  await db.write({}, async (tx) => {
    for (const [host, newHost] of below) await changeDomain(tx, globals, host, newHost)
    await mark(tx, globals, to)
  })
}

const TOKEN_FILE = `${DATA_FOLDER}/demo-token`
const LOGIN = 'admin'

/** The token of the last start if it is still valid, so that pasted commands keep working; else a new one. */
async function demoToken({ db, globals }: CliServices): Promise<string> {
  const stored = storedToken()
  const now = new Date()
  try {
    await authenticate(db, globals, stored, now)
    if (stored) return stored
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  const user = await findUserByLogin(db, globals, LOGIN)
  if (!user)
    throw new CommandError(
      `The demo network has no user "${LOGIN}". Delete ${DATA_FOLDER} and start again.`,
    )
  const { token } = await db.write({}, (tx) =>
    issueToken(tx, globals, { userId: user.id, label: 'demo', now }),
  )
  mkdirSync(DATA_FOLDER, { recursive: true })
  writeFileSync(TOKEN_FILE, token, { mode: 0o600 })
  return token
}

function storedToken(): string | undefined {
  try {
    return readFileSync(TOKEN_FILE, 'utf8')
  } catch {
    return undefined
  }
}
