import { migrate } from '../../../src/db/migrate.ts'
import { hashToken } from '../../../src/record/auth/tokens.ts'
import { globalTables } from '../../../src/wordpress/network/site.ts'
import { startApi } from '../../../test/support/api.ts'
import { openTestDatabase } from '../../../test/support/open-database.ts'
import { type DeviatingEndpoint, startDeviatingEndpoint } from './deviating-endpoint.ts'

/**
 * An endpoint on a scratch database, which a command fills later.
 * Starts wp-frames as an old endpoint on a database that is empty yet. The command copies the network without the service's own tables, so they are created before the first request, with a token of the user 1.
 */
export async function startScratchEndpoint(url: string, prefix: string) {
  const db = openTestDatabase({ url, poolSize: 4 })
  const globals = globalTables(prefix)
  const token = `op_${'t'.repeat(64)}`
  let prepared: Promise<void> | undefined
  const prepare = async (): Promise<void> => {
    await migrate(db, prefix)
    await db.sql(`${prefix}svc_tokens`).insert({
      user_id: 1,
      hash: hashToken(token),
      label: 'old',
      created_at: '2026-01-01 00:00:00',
    })
  }
  const network = {
    url,
    db,
    globals,
    site: () => Promise.reject(new Error('not yet')),
    drop: () => db.close(),
  }
  const api = await startApi(network)
  const endpoint = await startDeviatingEndpoint(api.url)
  const beforeEach: Parameters<DeviatingEndpoint['before']>[0] = async () => {
    prepared ??= prepare()
    await prepared
  }
  endpoint.before(beforeEach)
  return {
    ...endpoint,
    token,
    db,
    reset: () => {
      endpoint.reset()
      endpoint.before(beforeEach)
      prepared = undefined
    },
    close: async () => {
      await endpoint.close()
      await api.close()
      await db.close()
    },
  }
}
