import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createLog } from '../../../src/log.ts'
import { NetworkIdentities } from '../../../src/publishing/network-identity.ts'
import { publishCopies, storePublishedCopies } from '../../../src/publishing/publish-copies.ts'
import { ObjectStore } from '../../../src/publishing/store/object-store.ts'
import { cloneNetwork } from '../../support/network.ts'
import { STORE_CREDENTIALS, startObjectStore } from '../../support/object-store.ts'
import { use } from '../../support/use.ts'
import { hidden, shown } from '../publishing-fixture.ts'

const server = await use(startObjectStore())
const network = await use(cloneNetwork())
const { db, globals } = network
const site = await network.site(2)
await server.createBucket('copies')
const copies = await use(
  Promise.resolve(
    new ObjectStore({
      db,
      globals,
      log: createLog('silent'),
      identities: new NetworkIdentities(db, globals),
      address: server.address('copies', 'live'),
      credentials: STORE_CREDENTIALS,
    }),
  ),
)
await copies.assertWritable()
const get = async (key: string) => {
  const response = await fetch(`${server.endpoint}/copies/${key}`)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function publish(version: number, wanted: Parameters<typeof publishCopies>[1]) {
  const claim = await copies.openClaim(2, randomBytes(8).toString('hex'))
  const context = {
    db,
    site,
    copies,
    version,
    claim,
    assertOwned: () => {},
    quotaBytes: undefined,
  }
  const published = await publishCopies(context, wanted)
  await db.write({}, (tx) => storePublishedCopies(tx, context, published))
  await claim.end()
  return published
}

it('a page that must be gone is gone from the store', async () => {
  const { errors } = await publish(1, [shown(7, 'about-us/', '<p>é</p>')])
  expect(errors).toEqual(new Map())
  const copy = await get('live/net.test/shop/about-us/index.html')
  expect([copy.status, copy.text]).toEqual([200, '<p>é</p>'])
  expect(Object.fromEntries(copy.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-encoding': 'gzip',
    'cache-control': 'public, max-age=0, must-revalidate',
    'x-amz-meta-site': '2',
    'x-amz-meta-page': '7',
    'x-amz-meta-url': 'http://net.test/shop/about-us/',
    'x-amz-meta-version': '1',
  })
  await publish(2, [hidden(7, 'about-us/')])
  expect((await get('live/net.test/shop/about-us/index.html')).status).toBe(404)
  expect(await copies.listClaims()).toEqual([])
})
