import { afterAll, afterEach } from 'vitest'
import { parseStoreAddress } from '../../../src/config/store-address.ts'
import { createLog } from '../../../src/log.ts'
import type { WantedCopy } from '../../../src/publishing/copy-states.ts'
import { NetworkIdentities } from '../../../src/publishing/network-identity.ts'
import {
  type PublishContext,
  type PublishedCopies,
  publishCopies,
  storePublishedCopies,
} from '../../../src/publishing/publish-copies.ts'
import { newClaimId } from '../../../test/publishing/publishing-fixture.ts'
import { cloneNetwork } from '../../../test/support/network.ts'
import { FAST } from '../../../test/support/timings.ts'
import { use } from '../../../test/support/use.ts'
import { ObjectStore } from '../src/object-store.ts'
import { StoreClient } from '../src/store-client.ts'
import { StoreCredentials } from '../src/store-credentials.ts'
import { StoreObjects } from '../src/store-objects.ts'
import { startObjectStore } from './object-store.ts'
import { STORE_CREDENTIALS } from './store-keys.ts'
import { startStoreRelay } from './store-relay.ts'

/** An S3 server, a relay in front of it, a cloned network, and a bucket `copies`. */
export async function useStore() {
  const server = await use(startObjectStore())
  const relay = await use(startStoreRelay(server.endpoint))
  const network = await use(cloneNetwork())
  const { db, globals } = network
  const site = await network.site(2)
  await server.createBucket('copies')
  const client = new StoreClient(
    server.address('copies'),
    new StoreCredentials(STORE_CREDENTIALS, FAST.store),
    FAST.store,
  )
  const objects = new StoreObjects(client)

  const opened: ObjectStore[] = []
  afterAll(() => Promise.all(opened.map((copies) => copies.close())))
  afterEach(() => {
    relay.interfere = () => undefined
    relay.requests.length = 0
  })
  /** A target; by default `s3://copies/live`, through the relay. */
  const open = (
    setting = 's3://copies/live',
    endpoint = relay.endpoint,
    parameters = '',
  ): ObjectStore => {
    const address = parseStoreAddress(`${setting}?endpoint=${endpoint}${parameters}`)
    if (typeof address === 'string') throw new Error(address)
    const identities = new NetworkIdentities(db, globals)
    const log = createLog('silent')
    const credentials = STORE_CREDENTIALS
    const copies = new ObjectStore({ db, globals, identities, log, address, credentials })
    opened.push(copies)
    return copies
  }

  let version = 0
  /** One claim that publishes pages of site 2, in a later version than the one before. */
  async function publish(
    copies: ObjectStore,
    wanted: readonly WantedCopy[],
  ): Promise<PublishedCopies> {
    version += 1
    const claim = await copies.openClaim(2, newClaimId())
    const commit: PublishContext['commit'] = (work) => db.write({ isWork: true }, work)
    const context = { db, site, copies, version, claim, commit, quotaBytes: undefined }
    const published = await publishCopies(context, wanted)
    await db.write({}, (tx) => storePublishedCopies(tx, context, published))
    await claim.end()
    return published
  }

  /** All keys of the bucket, sorted. */
  const keys = async (): Promise<string[]> => {
    const found: string[] = []
    for await (const some of objects.list(0, '')) found.push(...some)
    return found.sort()
  }

  /** An object as visitors get it. */
  const get = async (key: string) => {
    const response = await fetch(`${server.endpoint}/copies/${key}`)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  const lastVersion = () => version
  return { server, relay, network, site, objects, open, publish, lastVersion, keys, get }
}
