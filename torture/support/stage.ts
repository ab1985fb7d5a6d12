import { join } from 'node:path'
import { issueToken } from '../../src/auth/tokens.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { examineSite } from '../../src/doctor/examine.ts'
import type { DoctorServices } from '../../src/doctor/finding.ts'
import { createLog } from '../../src/log.ts'
import { findSite } from '../../src/wordpress/network/find-sites.ts'
import { globalTables, type Site } from '../../src/wordpress/network/site.ts'
import { loadNetwork } from '../../test/support/load-network.ts'
import { createTestExecutor } from '../../test/support/local-executor.ts'
import { DatabaseServer, type DatabaseServerOptions } from './database-server.ts'
import { told } from './torn-state.ts'

export const NETWORK_DATABASE = 'wordpress'
/** The site that is written to: it has languages, a theme with all kinds of mods, and pages. */
export const SHOP = 2
const ADMIN = 1

/** A network on a database of its own, a token for it, and a folder for its static copies. */
export type Stage = {
  readonly server: DatabaseServer
  /** The trial's own connections, which may do anything. */
  readonly db: Database
  readonly site: Site
  readonly token: string
  readonly staticDir: string
  readonly doctor: DoctorServices
  /** What the doctor finds in the network as it comes. */
  readonly ailments: ReadonlySet<string>
  close(): Promise<void>
}

/** Sets it up. Call `close` when done. */
export async function setStage(
  folder: string,
  options: Omit<DatabaseServerOptions, 'directory'>,
): Promise<Stage> {
  const server = await DatabaseServer.make({ ...options, directory: join(folder, 'db') })
  await server.start()
  return layNetwork(server, folder)
}

/** Loads the network into a server that runs. */
export async function layNetwork(server: DatabaseServer, folder: string): Promise<Stage> {
  await loadNetwork(server.adminUrl, NETWORK_DATABASE)
  const db = openStageDatabase(server)
  const globals = globalTables('wp_')
  const site = await findSite(db, globals, SHOP)
  if (!site) throw new Error('the network has no shop')
  const { token } = await db.write({}, (tx) =>
    issueToken(tx, globals, { userId: ADMIN, now: new Date() }),
  )
  const staticDir = join(folder, 'static')
  const executor = createTestExecutor({ db, globals, log: createLog('silent'), staticDir })
  const doctor = { db, globals, executor, staticDir, now: () => new Date() }
  return {
    server,
    db,
    site,
    token,
    staticDir,
    doctor,
    ailments: new Set((await examineSite(doctor, site)).map(told)),
    close: async () => {
      await executor.close()
      await db.close()
      await server.stop()
    },
  }
}

/** The administrator's connections to the network on a server. */
export function openStageDatabase(server: DatabaseServer): Database {
  return openDatabase({
    url: `${server.adminUrl}${NETWORK_DATABASE}`,
    poolSize: 4,
    log: createLog('silent'),
  })
}

/** Makes an account with the rights that an operator gives the service, and gives its address. */
export async function makeAccount({ server, db }: Stage, user: string): Promise<string> {
  await db.sql.raw(`CREATE USER '${user}'@'127.0.0.1' IDENTIFIED BY 'service'`)
  await db.sql.raw(`GRANT ALL PRIVILEGES ON \`${NETWORK_DATABASE}\`.* TO '${user}'@'127.0.0.1'`)
  return `mysql://${user}:service@127.0.0.1:${server.port}/${NETWORK_DATABASE}`
}
