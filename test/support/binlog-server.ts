import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { inject } from 'vitest'
import { runScript } from '../../demo/private-database/run-script.ts'
import { startPrivateDatabase } from '../../demo/private-database/start-private-database.ts'
import { binlogArgs } from '../../demo/private-database/start-server.ts'
import { readFeedSettings } from '../../src/changes/feed/feed-server.ts'
import { type GlobalTables, globalTables } from '../../src/wordpress/network/site.ts'
import { loadNetwork } from './load-network.ts'
import { openTestDatabase, type SqlDatabase } from './open-database.ts'

/** A database server of one test file, with a binlog and the demo network. */
export type BinlogServer = {
  /** Address of the network's database, with an account that may do everything. */
  readonly url: string
  /** Address for the feed, with an account that has REPLICATION SLAVE only. */
  readonly feedUrl: string
  readonly db: SqlDatabase
  readonly globals: GlobalTables
  readonly isMariaDb: boolean
  /** Runs statements on a connection of its own, with WordPress's SQL mode. */
  run(script: string): Promise<void>
  /** The only row of a statement. */
  row<Row>(statement: string): Promise<Row>
  stop(): Promise<void>
}

const SMALL = ['--loose-innodb-log-file-size=16M', '--loose-aria-log-file-size=8M']

/** Starts it. `args` are further options of the server. */
export async function startBinlogServer(args: readonly string[] = []): Promise<BinlogServer> {
  const server = await startPrivateDatabase({
    dataDir: join(inject('runFolder'), `binlog-${randomBytes(4).toString('hex')}`),
    durable: false,
    log: () => {},
    extraArgs: [...SMALL, ...binlogArgs(), ...args],
  })
  const name = `feed_${randomBytes(4).toString('hex')}`
  const url = await loadNetwork(server.url, name)
  const password = randomBytes(8).toString('hex')
  await runScript(
    url,
    `CREATE USER feed@'127.0.0.1' IDENTIFIED BY '${password}';
    GRANT REPLICATION SLAVE ON *.* TO feed@'127.0.0.1'`,
  )
  const feed = Object.assign(new URL(server.url), { username: 'feed', password, pathname: '/' })
  const db = openTestDatabase({ url, poolSize: 4 })
  const { isMariaDb } = await readFeedSettings(db)
  return {
    url,
    feedUrl: feed.href,
    db,
    globals: globalTables('wp_'),
    isMariaDb,
    run: (script) => runScript(url, `SET sql_mode = '';\n${script}`),
    row: async (statement) => (await db.sql.raw(statement))[0][0],
    stop: async () => {
      await db.close()
      await server.stop()
    },
  }
}
