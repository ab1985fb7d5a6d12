import type { SqlDatabase } from '../../support/open-database.ts'
import type { Contender } from '../contender.ts'
import { describeDatabase } from '../setup/open-database.ts'
import { startService } from '../setup/start-service.ts'
import type { Undo } from '../setup/undo.ts'
import type { RunningNetwork } from './create-network.ts'

/** How a service learns of edits. */
export type Watching = {
  readonly name: 'feed' | 'poll'
  /** Pause between two rounds of the poll. */
  readonly watchSeconds: number
}

/** The service with its default interval, which follows the change feed. */
export const FEED: Watching = { name: 'feed', watchSeconds: 60 }

/** Starts the service on a network, with one of its sites as the measured one. `begin`: when its process was started. */
export async function startWatching(
  running: RunningNetwork,
  { name, watchSeconds }: Watching,
  undo: Undo,
): Promise<Contender & { readonly begin: number }> {
  const { db, folder, plan } = running
  const database = await describeDatabase(db, running, plan.sites[0]?.blogId ?? 0)
  const env = {
    WATCH_SECONDS: String(watchSeconds),
    ...(name === 'feed' && { FEED_DATABASE_URL: await createFeedAccount(db, running.url) }),
  }
  const begin = performance.now()
  return { ...(await startService(database, folder, undo, { name, env })), begin }
}

const FEED_ACCOUNT = "'feed'@'127.0.0.1'"

/** Creates the account of the feed, and returns the address with it. */
async function createFeedAccount({ sql }: SqlDatabase, url: string): Promise<string> {
  const address = Object.assign(new URL(url), { username: 'feed', password: 'feed' })
  await sql.raw(`CREATE USER IF NOT EXISTS ${FEED_ACCOUNT} IDENTIFIED BY 'feed'`)
  await sql.raw(`GRANT REPLICATION SLAVE ON *.* TO ${FEED_ACCOUNT}`)
  await sql.raw(`GRANT SELECT ON ${address.pathname.slice(1)}.* TO ${FEED_ACCOUNT}`)
  return address.href
}
