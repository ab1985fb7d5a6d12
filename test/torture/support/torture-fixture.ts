import { join } from 'node:path'
import { examineSite } from '../../../src/network/doctor/examine.ts'
import type { DoctorServices } from '../../../src/network/doctor/finding.ts'
import { issueToken } from '../../../src/record/auth/tokens.ts'
import { findSite } from '../../../src/wordpress/network/find-sites.ts'
import { globalTables, type Site } from '../../../src/wordpress/network/site.ts'
import { loadNetwork } from '../../support/load-network.ts'
import { createTestExecutor } from '../../support/local-executor.ts'
import { openTestDatabase, type SqlDatabase } from '../../support/open-database.ts'
import { DatabaseServer, type DatabaseServerOptions } from './database-server.ts'
import { type CopyTargetKind, openStaticCopies, type StaticCopies } from './static-copies.ts'
import { describeFinding } from './torn-state.ts'

export const NETWORK_DATABASE = 'wordpress'
/** The site that the trials write to: it has languages, a theme with various mods, and pages. */
export const SHOP = 2
const ADMIN = 1

/** A network on its own database server, a token for it, and its static copies. */
export type TortureFixture = {
  readonly server: DatabaseServer
  /** The trial's own connections, with the administrator's account. */
  readonly db: SqlDatabase
  readonly site: Site
  readonly token: string
  /** The folder of the static copies; it does not exist if they are in a store. */
  readonly staticDir: string
  readonly copies: StaticCopies
  readonly doctor: DoctorServices
  /** The doctor's findings on the unchanged network. */
  readonly knownFindings: ReadonlySet<string>
  close(): Promise<void>
}

type FixtureOptions = {
  /** Where the static copies are [a folder]. */
  readonly target?: CopyTargetKind | undefined
}

/** Starts a database server and installs the network on it. */
export async function createTortureFixture(
  folder: string,
  { target, ...options }: Omit<DatabaseServerOptions, 'directory'> & FixtureOptions,
): Promise<TortureFixture> {
  const server = await DatabaseServer.make({ ...options, directory: join(folder, 'db') })
  await server.start()
  return installNetwork(server, folder, { target })
}

/** Loads the network into a running server. */
export async function installNetwork(
  server: DatabaseServer,
  folder: string,
  { target = 'folder' }: FixtureOptions = {},
): Promise<TortureFixture> {
  await loadNetwork(server.adminUrl, NETWORK_DATABASE)
  const db = openFixtureDatabase(server)
  const globals = globalTables('wp_')
  const site = await findSite(db, globals, SHOP)
  if (!site) throw new Error('the network has no shop')
  const { token } = await db.write({}, (tx) =>
    issueToken(tx, globals, { userId: ADMIN, now: new Date() }),
  )
  const staticDir = join(folder, 'static')
  const copies = await openStaticCopies(target, folder)
  const executor = createTestExecutor({ db, globals, ...copies.settings })
  const doctor = {
    db,
    globals,
    executor,
    copies: executor.copies,
    now: () => new Date(),
  }
  return {
    server,
    db,
    site,
    token,
    staticDir,
    copies,
    doctor,
    knownFindings: new Set((await examineSite(doctor, site)).map(describeFinding)),
    close: async () => {
      await executor.close()
      await copies.close()
      await db.close()
      await server.stop()
    },
  }
}

/** Opens connections with the administrator's account. */
export function openFixtureDatabase(server: DatabaseServer): SqlDatabase {
  return openTestDatabase({
    url: `${server.adminUrl}${NETWORK_DATABASE}`,
    poolSize: 4,
  })
}

/** Creates an account with the rights that an operator grants the service, and returns its address. */
export async function makeAccount({ server, db }: TortureFixture, user: string): Promise<string> {
  await db.sql.raw(`CREATE USER IF NOT EXISTS '${user}'@'127.0.0.1' IDENTIFIED BY 'service'`)
  await db.sql.raw(`GRANT ALL PRIVILEGES ON \`${NETWORK_DATABASE}\`.* TO '${user}'@'127.0.0.1'`)
  return `mysql://${user}:service@127.0.0.1:${server.port}/${NETWORK_DATABASE}`
}

/** Creates an account that may read the binlog, and returns its address. */
export async function makeFeedAccount({ server, db }: TortureFixture): Promise<string> {
  await db.sql.raw("CREATE USER IF NOT EXISTS 'feed'@'127.0.0.1' IDENTIFIED BY 'feed'")
  await db.sql.raw("GRANT REPLICATION SLAVE ON *.* TO 'feed'@'127.0.0.1'")
  return `mysql://feed:feed@127.0.0.1:${server.port}/`
}
