import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isMissingTable } from '../../db/database-error.ts'
import { migrate } from '../../db/migrate.ts'
import { runScript } from '../../db/run-script.ts'
import { readNetworkOption, writeNetworkOption } from '../../wordpress/network/network-option.ts'
import { type CliServices, CommandError } from '../context.ts'
import { changeDomain } from './change-domain.ts'
import { putDemoFrames } from './demo-frames.ts'
import { demoToken } from './demo-token.ts'

const DUMP = resolve(import.meta.dirname, '../../../sql/demo/network.sql')

const NETWORK_ID = 1
/** The network option that tells the demo from somebody's own network; it holds the main host of the day. */
const MARK = 'svc_demo_host'
const HOST_IN_DUMP = 'net.test'
const SECOND_HOST_IN_DUMP = 'brand.test'

export type Demo = {
  /** A token of the demo's super administrator. */
  readonly token: string
  /** Home address of the site to look at. */
  readonly home: string
}

/**
 * Loads the demo network where the database is empty and gives its sites the addresses of this machine's front.
 * A network that is not the demo is left as it is, but for the service's own tables: it gets no frames and no token.
 * @param frontUrl where the front listens; undefined leaves the sites their addresses
 */
export async function prepareDemo(
  services: CliServices,
  frontUrl: string | undefined,
): Promise<Demo | undefined> {
  const { db, globals } = services
  if (await isEmpty(services)) await loadNetwork(services)
  await migrate(db, globals.basePrefix)
  const host = await readNetworkOption(db, globals, NETWORK_ID, MARK)
  if (host === undefined) return undefined
  const newHost = frontUrl === undefined ? host : `localhost:${new URL(frontUrl).port}`
  if (newHost !== host) await moveNetwork(services, host, newHost)
  const home = await putDemoFrames(services)
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
  await db.transaction((tx) => writeNetworkOption(tx, globals, NETWORK_ID, MARK, HOST_IN_DUMP))
}

/** Browsers and curl take every name below `localhost` for this machine, so each host of the network can have one. */
async function moveNetwork({ db, globals }: CliServices, from: string, to: string): Promise<void> {
  const secondHost = (host: string) =>
    host === HOST_IN_DUMP ? SECOND_HOST_IN_DUMP : `brand.${host}`
  await db.transaction(async (tx) => {
    await changeDomain(tx, globals, secondHost(from), secondHost(to))
    await changeDomain(tx, globals, from, to)
    await writeNetworkOption(tx, globals, NETWORK_ID, MARK, to)
  })
}
