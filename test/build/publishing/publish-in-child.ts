import { createInterface } from 'node:readline'
import { STORE_CREDENTIALS } from '../../../packages/store-s3/test/store-keys.ts'
import { NetworkIdentities } from '../../../src/build/publishing/network-identity.ts'
import { loadStore, openCopyStore } from '../../../src/build/publishing/open-copy-store.ts'
import {
  publishCopies,
  storePublishedCopies,
  type WantedCopy,
} from '../../../src/build/publishing/publish-copies.ts'
import { isDatabaseUnavailable } from '../../../src/db/database-error.ts'
import { LostLeaseError } from '../../../src/db/tasks/tasks-table.ts'
import { parseStoreAddress } from '../../../src/host/config/store-address.ts'
import { createLog } from '../../../src/host/log.ts'
import { findSite } from '../../../src/wordpress/network/find-sites.ts'
import { globalTables } from '../../../src/wordpress/network/site.ts'
import { openTestDatabase } from '../../support/open-database.ts'
import { commitAs, takeSite } from './taken-site.ts'

/** A publication for the child, as one line of JSON on its standard input. */
export type ChildPublication = {
  readonly owner: string
  readonly version: number
  readonly wanted: readonly WantedCopy[]
}

/**
 * A process that publishes: `publish-in-child.ts <database URL> <table prefix> <folder or store>`. For each one it prints `begun`, then `done`, `lost the
 * connection` or the name of the error.
 */
async function main([url = '', prefix = '', setting = '']: readonly string[]): Promise<void> {
  const log = createLog('silent')
  const db = openTestDatabase({ url, poolSize: 4 })
  const globals = globalTables(prefix)
  const site = await findSite(db, globals, 2)
  if (!site) throw new Error('no site')
  const identities = new NetworkIdentities(db, globals)
  const address = parseStoreAddress(setting)
  const copies = openCopyStore({
    db,
    globals,
    identities,
    log,
    ...(typeof address === 'string'
      ? { staticDir: setting }
      : {
          staticDir: undefined,
          openStore: await loadStore({ address, credentials: STORE_CREDENTIALS }),
        }),
  })
  if (!copies) throw new Error('no target')
  print('ready')
  for await (const line of createInterface({ input: process.stdin })) {
    const { owner, version, wanted }: ChildPublication = JSON.parse(line)
    const publication = { writer: await copies.begin(site.blogId, owner), growth: 0 }
    await takeSite(db, site, owner)
    const commit = commitAs(db, site, owner)
    const context = { db, site, copies, version, publication, commit, quotaBytes: undefined }
    print('begun')
    try {
      const published = await publishCopies(context, wanted)
      await commit((tx) => storePublishedCopies(tx, context, published))
      await publication.writer.end()
      print('done')
    } catch (error) {
      if (isDatabaseUnavailable(error)) print('lost the connection')
      else if (error instanceof LostLeaseError) print(error.name)
      else print(String(error))
    }
  }
  await copies.close()
  await db.close()
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

await main(process.argv.slice(2))
