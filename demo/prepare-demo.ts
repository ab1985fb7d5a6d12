import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { authenticate } from '../src/auth/authenticate.ts'
import { issueToken } from '../src/auth/tokens.ts'
import { type CliServices, CommandError, type Listening } from '../src/cli/cli-context.ts'
import { isMissingTable } from '../src/db/database-error.ts'
import { migrate } from '../src/db/migrate.ts'
import { AppError } from '../src/errors.ts'
import { readNetworkOption, writeNetworkOption } from '../src/wordpress/network/network-option.ts'
import { findUserByLogin } from '../src/wordpress/users/users.ts'
import { changeDomain } from './change-domain.ts'
import { DATA_FOLDER } from './demo-database.ts'
import { putDemoPages } from './demo-pages.ts'
import { runScript } from './private-database/run-script.ts'

const DUMP = resolve(import.meta.dirname, 'network.sql')

const NETWORK_ID = 1
/** The network option that marks the demo network. Its value is the network's current main host. */
const MARK = 'svc_demo_host'
const HOST_IN_DUMP = 'net.test'
const SECOND_HOST_IN_DUMP = 'brand.test'

export type Demo = {
  /** A token of the demo's super administrator. */
  readonly token: string
  /** Home address of the site to open first. */
  readonly home: string
}

/** Loads the demo network into an empty database, and migrates the service's own tables. Call it before the service starts. */
export async function loadDemo(services: CliServices): Promise<void> {
  const { db, globals } = services
  if (await isEmpty(services)) await loadNetwork(services)
  await migrate(db, globals.basePrefix)
}

/**
 * Gives the sites of the demo network the addresses of the front on this machine, and creates its frames. In another network it creates no
 * frames and issues no token.
 * @param servers without a front, the addresses of the sites stay as they are
 */
export async function prepareDemo(
  services: CliServices,
  servers: Listening,
): Promise<Demo | undefined> {
  const { db, globals } = services
  const { frontUrl } = servers
  const host = await readNetworkOption(db, globals, NETWORK_ID, MARK)
  if (host === undefined) return undefined
  const newHost = frontUrl === undefined ? host : `localhost:${new URL(frontUrl).port}`
  if (newHost !== host) await moveNetwork(services, host, newHost)
  const home = await putDemoPages(services, servers)
  return { token: await demoToken(services), home }
}

async function isEmpty({ db, globals }: CliServices): Promise<boolean> {
  try {
    await db.sql(globals.blogs).select('blog_id').first()
    return false
  } catch (error) {
    if (isMissingTable(error)) return true
    throw error
  }
}

async function loadNetwork({ db, globals, config }: CliServices): Promise<void> {
  if (globals.basePrefix !== 'wp_') {
    throw new CommandError(
      'The demo network has the prefix wp_. Unset TABLE_PREFIX, or point DATABASE_URL at your own network.',
    )
  }
  process.stderr.write('Loading the demo network...\n')
  await runScript(config.databaseUrl ?? '', readFileSync(DUMP, 'utf8'))
  await db.write({}, (tx) => writeNetworkOption(tx, globals, NETWORK_ID, MARK, HOST_IN_DUMP))
}

/** Browsers and curl resolve every name below `localhost` to this machine, so each host of the network gets one. */
async function moveNetwork({ db, globals }: CliServices, from: string, to: string): Promise<void> {
  const secondHost = (host: string) =>
    host === HOST_IN_DUMP ? SECOND_HOST_IN_DUMP : `brand.${host}`
  await db.write({}, async (tx) => {
    await changeDomain(tx, globals, secondHost(from), secondHost(to))
    await changeDomain(tx, globals, from, to)
    await writeNetworkOption(tx, globals, NETWORK_ID, MARK, to)
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
