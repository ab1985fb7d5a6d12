import { afterAll, afterEach } from 'vitest'
import type { CopyStore } from '../../../src/build/publishing/copy-store.ts'
import { NetworkIdentities } from '../../../src/build/publishing/network-identity.ts'
import {
  type PublishContext,
  type PublishedCopies,
  publishCopies,
  storePublishedCopies,
  type WantedCopy,
} from '../../../src/build/publishing/publish-copies.ts'
import { parseStoreAddress } from '../../../src/host/config/store-address.ts'
import { createLog } from '../../../src/host/log.ts'
import { checkNetworkIdentity } from '../../../src/network/doctor/checks/check-network-identity.ts'
import {
  checkStaticFolder,
  checkStaticMarker,
} from '../../../src/network/doctor/checks/check-static-folder.ts'
import type { DoctorServices } from '../../../src/network/doctor/finding.ts'
import { newWriterId } from '../../../test/build/publishing/publishing-fixture.ts'
import { useNetwork } from '../../../test/support/network.ts'
import { FAST } from '../../../test/support/timings.ts'
import { use } from '../../../test/support/use.ts'
import { ObjectStore } from '../src/object-store.ts'
import { StoreClient } from '../src/store-client.ts'
import { StoreCredentials } from '../src/store-credentials.ts'
import { StoreObjects } from '../src/store-objects.ts'
import { startObjectStore } from './object-store.ts'
import { STORE_CREDENTIALS } from './store-keys.ts'
import { startStoreRelay } from './store-relay.ts'

/** What a process does at its start. @throws CopyTargetError if copies cannot be written */
export async function assertUsable(copies: CopyStore): Promise<void> {
  await copies.open()
  await copies.test()
}

/** An S3 server, a relay in front of it, a cloned network, and a bucket `copies`. */
export async function useStore() {
  const server = await use(startObjectStore())
  const relay = await use(startStoreRelay(server.endpoint))
  const network = await useNetwork()
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
  /** One publication of pages of site 2, in a later version than the one before. */
  async function publish(
    copies: ObjectStore,
    wanted: readonly WantedCopy[],
  ): Promise<PublishedCopies> {
    version += 1
    const publication = { writer: await copies.begin(2, newWriterId()), growth: 0 }
    const commit: PublishContext['commit'] = (work) => db.write({ isWork: true }, work)
    const context = { db, site, copies, version, publication, commit, quotaBytes: undefined }
    const published = await publishCopies(context, wanted)
    await db.write({}, (tx) => storePublishedCopies(tx, context, published))
    await publication.writer.end()
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

  /** What the doctor finds in a target, by check. */
  const findings = async (copies: CopyStore): Promise<ReadonlyMap<string, string>> => {
    const services = { db, globals, copies, now: () => new Date() } as unknown as DoctorServices
    const found = [
      ...(await checkStaticFolder(services)),
      ...(await checkStaticMarker(services)),
      ...(await checkNetworkIdentity(services)),
    ]
    return new Map(found.map(({ check, message, fixHint }) => [check, `${message} ${fixHint}`]))
  }
  /** Why copies cannot be written, as the doctor says it. */
  const doctorProblem = async (copies: CopyStore): Promise<string | undefined> =>
    /^Static copies cannot be written: (.*)\. Correct what/.exec(
      (await findings(copies)).get('static_folder_unwritable') ?? '',
    )?.[1]

  const lastVersion = () => version
  const given = { server, relay, network, site, objects }
  return { ...given, open, publish, findings, doctorProblem, lastVersion, keys, get }
}
