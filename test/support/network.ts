import { inject } from 'vitest'
import { findSite } from '../../src/wordpress/network/find-sites.ts'
import { globalTables } from '../../src/wordpress/network/site.ts'
import type { NetworkKind } from './load-network.ts'
import { NetworkPool } from './network-pool.ts'
import { openTestDatabase } from './open-database.ts'
import type { TimingChanges } from './timings.ts'
import { use } from './use.ts'

/** A test file's own copy of the test network, migrated. */
export type TestNetwork = Awaited<ReturnType<typeof cloneNetwork>>

/** `TEST_TABLE_PREFIX` and `TEST_CHARSET` of the run, else `wp_` and utf8mb4, where an option is left out. */
export type NetworkOptions = Partial<NetworkKind> & {
  /** Those of the database that replace the ones of `FAST`. */
  readonly timings?: TimingChanges
}

/** Gives a database with the network in it that no other test file uses. */
export async function cloneNetwork({
  prefix = inject('tablePrefix'),
  charset = inject('charset'),
  timings = {},
}: NetworkOptions = {}) {
  const pool = new NetworkPool(inject('serverUrl'), inject('networkPool'))
  const { url, release } = await pool.take({ prefix, charset })
  const db = openTestDatabase({ url, poolSize: 8, timings })
  const globals = globalTables(prefix)
  return {
    url,
    db,
    globals,
    /** The site with this blog id; throws if there is none. */
    site: async (blogId: number) => {
      const site = await findSite(db, globals, blogId)
      if (!site) throw new Error(`no site ${blogId}`)
      return site
    },
    /** Closes the connections and releases the database. */
    drop: async () => {
      await db.close()
      await release()
    },
  }
}

/** Clones it; the database is released when the tests have run. */
export const useNetwork = (options?: NetworkOptions): Promise<TestNetwork> =>
  use(cloneNetwork(options))

/** Stores an option of a site as wp-admin does. */
export async function setOption(
  { db, site }: TestNetwork,
  blogId: number,
  option_name: string,
  option_value: string,
): Promise<void> {
  const { options } = (await site(blogId)).tables
  const row = { option_name, option_value, autoload: 'on' }
  await db.sql(options).insert(row).onConflict('option_name').merge()
}
