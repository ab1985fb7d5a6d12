import { expect, it } from 'vitest'
import type { Method } from '../../src/api/endpoint.ts'
import type { Database } from '../../src/db/database.ts'
import { startApi, useApi } from '../support/api.ts'
import { openTestDatabase } from '../support/open-database.ts'
import { use } from '../support/use.ts'
import { routeRows } from './route-rows.ts'

const { network, api } = await useApi()

/** More than the connection pool of the test network has. */
const READS = 20

it('the API serves other sites while many reads of one site wait for the database', async () => {
  const { options } = (await network.site(3)).tables
  const holder = openTestDatabase({ url: network.url })
  const [bob, alice] = [await api.as('bob'), await api.as('alice')]
  const statuses = await holder.sql.transaction(async (trx) => {
    await trx.raw('LOCK TABLES ?? WRITE', [options])
    const reads = Array.from({ length: READS }, (_, n) =>
      bob.get(`/site/3/frames?n=${n}`).then(({ status }) => status),
    )
    expect((await alice.get('/site/2/menus')).status).toBe(200)
    expect((await alice.post('/site/2/menus').send({ name: 'Made meanwhile' })).status).toBe(200)
    await trx.raw('UNLOCK TABLES')
    return Promise.all(reads)
  })
  expect(new Set(statuses)).toEqual(new Set([200]))
  await holder.close()
})

it('the API queues the writes of each site separately', async () => {
  const blogIds = new Set<unknown>()
  const write: Database['write'] = (options, work) => {
    // Reading the feed numbers the changes of all sites.
    if (!options.isWork) blogIds.add(options.site?.blogId)
    return network.db.write(options, work)
  }
  const other = await use(startApi(network, { db: { ...network.db, write } }))
  const alice = await other.as('alice')
  for (const { route, path, body } of routeRows) {
    const [method] = route.split(' ') as [Method]
    await alice[method](`/site/2${path}`).send(body)
  }
  await alice.post('/site/2/frames').send({ slug: 'tried', html: 'x', dry_run: true })
  expect([...blogIds]).toEqual([2])
})
