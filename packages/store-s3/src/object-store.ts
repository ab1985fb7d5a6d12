import { forEachBounded } from '#wp-frames/concurrency/for-each'
import type { StoreSettings } from '#wp-frames/config/store-settings'
import { isDatabaseUnavailable, isDenied } from '#wp-frames/db/database-error'
import type { Tx } from '#wp-frames/db/transaction'
import type { CopyQuery, FoundCopy } from '#wp-frames/publishing/copy-jobs'
import {
  type CopyClaim,
  type CopyReader,
  type CopyTarget,
  CopyTargetError,
  type OwnedCopy,
  type PublicationNumbers,
  type ReadCopy,
  type ReaderOptions,
  UnusableTargetError,
} from '#wp-frames/publishing/copy-target'
import type { NetworkIdentity } from '#wp-frames/publishing/network-identity'
import type { CopyTargetContext } from '#wp-frames/publishing/open-copy-target'
import type { CopyOwner } from '#wp-frames/publishing/static-copy'
import { type CopyObject, decodeHtml, describeObject, objectOf } from './copy-object.ts'
import { SeenObjects } from './seen-objects.ts'
import { StoreClaim } from './store-claim.ts'
import {
  forgetFencedClaim,
  listStoreClaims,
  readDoubtfulObjects,
  readSafeObjects,
  recordFence,
} from './store-claims-table.ts'
import { StoreClient } from './store-client.ts'
import { StoreCredentials } from './store-credentials.ts'
import { asTargetError, CANNOT_WRITE, StoreError } from './store-error.ts'
import { copyKeyForUrl } from './store-key.ts'
import {
  assertNoProblem,
  deleteMarker,
  findForeignChild,
  findForeignParent,
  findForeignStore,
  findLostMarker,
  readMarker,
  recordStore,
  type StoreMarker,
  writeMarker,
} from './store-marker.ts'
import { readStoreNumbers, removeStoreNumbers, storeStoreNumber } from './store-numbers.ts'
import { StoreObjects } from './store-objects.ts'
import { probeStore } from './store-probe.ts'
import { StoreReader } from './store-reader.ts'

export type ObjectStoreOptions = CopyTargetContext & StoreSettings

/** Requests at once for the copies of one call. */
const OBJECTS_AT_ONCE = 16
/** The requests of the service itself. */
const LANE = 0

/**
 * The static copies as objects of an S3-compatible store. The copy of a page is one object, compressed with gzip, whose key is the host and
 * the path of its URL with `index.html` at the end. Its metadata say what the owner file of a folder says, and what the copy was made of.
 */
export class ObjectStore implements CopyTarget {
  readonly name: string
  readonly setting = 'STATIC_TARGET'
  readonly rewriteMs: number
  readonly #options: ObjectStoreOptions
  readonly #client: StoreClient
  readonly #objects: StoreObjects
  readonly #seen = new SeenObjects()
  #probed: Promise<void> | undefined
  #checkedUntil = 0
  #isRecorded = false

  constructor(options: ObjectStoreOptions) {
    this.#options = options
    const { store } = options.db.timings
    const credentials = new StoreCredentials(options.credentials, store)
    this.rewriteMs = store.rewriteMs
    this.#client = new StoreClient(options.address, credentials, store)
    this.#objects = new StoreObjects(this.#client)
    this.name = this.#objects.name
  }

  async assertOwn(): Promise<void> {
    const { address, identities } = this.#options
    const network = { ...(await identities.read()), isKnownDatabase: true }
    const marker = await this.#naming(readMarker(this.#objects, address.prefix)).catch(
      ignoreUnreachable,
    )
    if (marker === undefined) return
    assertNoProblem(findForeignStore(address, marker, network))
    assertNoProblem(await this.#naming(this.#findForeignNeighbour(marker, network.identity)))
  }

  /** A store of another network that contains this one or, before the first use, is contained in it. */
  async #findForeignNeighbour(
    { network }: StoreMarker,
    identity: string,
  ): Promise<string | undefined> {
    const parent = await findForeignParent(this.#objects, identity)
    if (parent !== undefined || network !== undefined) return parent
    return findForeignChild(this.#objects, identity)
  }

  async assertPresent(): Promise<void> {
    if (performance.now() < this.#checkedUntil) return
    const { db, globals, address, log, identities } = this.#options
    const network = await identities.read().catch((error: unknown) => {
      // Without a database nothing is published, and it is not the store that is at fault.
      if (!isDatabaseUnavailable(error)) throw error
    })
    if (network === undefined) return
    const read = () => this.#naming(readMarker(this.#objects, address.prefix))
    const marker = await read()
    assertNoProblem(findForeignStore(address, marker, network))
    if (marker.network === undefined) {
      if (!marker.exists) assertNoProblem(await findLostMarker(db, globals, address))
      assertNoProblem(await this.#naming(this.#findForeignNeighbour(marker, network.identity)))
      await this.#probe()
      await this.#naming(writeMarker(this.#objects, network.identity), 'write objects')
      assertNoProblem(findForeignStore(address, await read(), network))
      log.info({ store: this.name }, 'store of the static copies: it belongs to this network now')
    }
    if (!this.#isRecorded) await this.#record()
    this.#checkedUntil = performance.now() + db.timings.store.markerKeptMs
  }

  async assertWritable(): Promise<void> {
    await this.assertPresent()
    await this.#probe()
  }

  /** A clock that a store will refuse soon; undefined if it does not differ by much. */
  #findSkew(): string | undefined {
    const skew = Math.round(this.#client.skewMs / 1000)
    if (Math.abs(skew) <= this.#options.db.timings.store.maxSkewSeconds) return undefined
    return `the clock of this machine is ${Math.abs(skew)} seconds ${skew > 0 ? 'ahead of' : 'behind'} that of the store, which refuses requests if it differs by more. Synchronize the clock (NTP)`
  }

  async readNetwork(): Promise<string | undefined> {
    const marker = await this.#naming(readMarker(this.#objects, this.#options.address.prefix))
    return marker.network
  }

  async findWriteProblem(): Promise<string | undefined> {
    const { address, identities } = this.#options
    try {
      await this.#naming(readMarker(this.#objects, address.prefix))
      const network = await identities.read().catch(() => undefined)
      // Nothing is written into a store that may belong to another network.
      if (network && (await this.findForeign(network)) === undefined) await this.#probe()
      return this.#findSkew()
    } catch (error) {
      if (!(error instanceof CopyTargetError)) throw error
      return error.message.replace(CANNOT_WRITE, '')
    }
  }

  async findMissing(): Promise<string | undefined> {
    const { db, globals, address } = this.#options
    const marker = await readMarker(this.#objects, address.prefix).catch(ignoreStore)
    return marker?.exists === false ? findLostMarker(db, globals, address) : undefined
  }

  async findForeign(network: NetworkIdentity): Promise<string | undefined> {
    const { address } = this.#options
    const known = { ...network, isKnownDatabase: true }
    const marker = await readMarker(this.#objects, address.prefix).catch(ignoreStore)
    if (marker === undefined) return undefined
    return (
      findForeignStore(address, marker, known) ??
      (await this.#findForeignNeighbour(marker, network.identity).catch(ignoreStore))
    )
  }

  /** Called after the marker object exists: a crash in between must not leave a store that is rejected. */
  async #record(): Promise<void> {
    const { db, globals, address } = this.#options
    try {
      await recordStore(db, globals, address)
      this.#isRecorded = true
    } catch (error) {
      // The next call retries.
      if (!isDenied(error) && !isDatabaseUnavailable(error)) throw error
    }
  }

  /** Once in a process. */
  #probe(): Promise<void> {
    if (this.#probed) return this.#probed
    const probed = this.#naming(probeStore(this.#objects))
    this.#probed = probed
    probed.then(
      () => {
        const skew = this.#findSkew()
        if (skew !== undefined)
          this.#options.log.error({ store: this.name }, `static copies: ${skew}`)
      },
      () => {
        this.#probed = undefined
      },
    )
    return probed
  }

  async #naming<T>(request: Promise<T>, purpose?: string): Promise<T> {
    try {
      return await request
    } catch (error) {
      throw asTargetError(error, this.#options.address, purpose)
    }
  }

  locate(url: string): string | undefined {
    return copyKeyForUrl(this.#options.address.prefix, url)
  }

  async find(site: number, copies: readonly CopyQuery[]): Promise<(FoundCopy | null)[]> {
    const { db, globals } = this.#options
    const found: (FoundCopy | null)[] = copies.map(() => null)
    if (copies.length === 0) return found
    const doubtful = await readDoubtfulObjects(db, globals)
    await forEachBounded(copies.entries(), OBJECTS_AT_ONCE, async ([index, query]) => {
      const copy = await this.#find(site, query)
      const isDoubtful = doubtful.get(query.location)?.isSettled === false
      found[index] = copy && isDoubtful ? { ...copy, isDoubtful } : copy
    })
    return found
  }

  /** A copy that is written anyway is not asked for: the condition of its write finds out what is there. */
  async #find(site: number, query: CopyQuery): Promise<FoundCopy | null> {
    const { location, recorded, isReplaced } = query
    if (isReplaced) {
      if (recorded && this.#seen.get(location)?.etag != null)
        return { htmlBytes: recorded.htmlBytes, isAsRecorded: true }
      if (!recorded) {
        this.#seen.set(location, null)
        return null
      }
    }
    const object = await this.#naming(this.#look(site, location))
    return object ? describeObject(query, object) : null
  }

  async #look(site: number, location: string): Promise<CopyObject | undefined> {
    const headers = await this.#objects.head(site, location)
    const object = headers && objectOf(headers)
    this.#seen.set(location, object?.etag ?? null)
    return object
  }

  async *listOwned(): AsyncGenerator<OwnedCopy> {
    const { address, identities } = this.#options
    const { identity } = await identities.read()
    try {
      for await (const keys of this.#objects.list(LANE, address.prefix)) {
        const copies: OwnedCopy[] = []
        const candidates = keys.filter(isCopyKey)
        await forEachBounded(candidates, OBJECTS_AT_ONCE, async (location) => {
          const owner = (await this.#look(LANE, location))?.facts
          // A network may have a prefix within that of another one.
          if (owner?.network === identity) copies.push({ location, owner })
        })
        yield* copies
      }
    } catch (error) {
      throw asTargetError(error, address)
    }
  }

  async readOwner(location: string): Promise<CopyOwner | undefined> {
    return (await this.#naming(this.#look(LANE, location)))?.facts
  }

  async read(site: number, location: string): Promise<ReadCopy | undefined> {
    const object = await this.#naming(this.#objects.get(site, location))
    if (typeof object !== 'object') return undefined
    const { facts, isPlaceholder } = objectOf(object.headers)
    if (isPlaceholder) return undefined
    const isCompressed = object.headers['content-encoding'] === 'gzip'
    const html = isCompressed ? await decodeHtml(object.body) : object.body
    return { html: html ?? object.body, owner: facts }
  }

  async openClaim(site: number, claimId: string): Promise<CopyClaim> {
    const { db, globals, identities } = this.#options
    await this.#probe()
    const { identity: network } = await identities.read()
    const { objects, seen } = { objects: this.#objects, seen: this.#seen }
    return new StoreClaim({ db, globals, objects, seen, network, site, claimId })
  }

  /** The first call of a claim fences it. A later one forgets it, when its requests cannot arrive any more. */
  async fenceClaim(claimId: string, tx?: Tx): Promise<void> {
    const { db, globals, address } = this.#options
    if (tx) return recordFence(tx, globals, claimId)
    const safe = await readSafeObjects(db, globals, claimId)
    if (safe === undefined)
      return db.write({}, (own) => {
        recordFence(own, globals, claimId)
      })
    // While copies are moved from one store to another, their claims are in one table.
    const own = safe.filter((location) => location.startsWith(address.prefix))
    await this.#naming(this.#removePlaceholders(own), 'delete objects')
    await forgetFencedClaim(db, globals, claimId)
  }

  listClaims(): Promise<string[]> {
    const { db, globals } = this.#options
    return listStoreClaims(db, globals)
  }

  readNumbers(): Promise<PublicationNumbers> {
    return this.#naming(readStoreNumbers(this.#objects))
  }

  storeNumber(bucket: number, number: number): Promise<void> {
    return this.#naming(storeStoreNumber(this.#objects, bucket, number))
  }

  openReader(options: ReaderOptions): CopyReader {
    const { db, globals, address } = this.#options
    const { prefix } = address
    return new StoreReader({ ...options, db, globals, prefix, objects: this.#objects })
  }

  async removeMarker(): Promise<void> {
    await this.#naming(this.#removeOwn(), 'delete objects')
  }

  async #removeOwn(): Promise<void> {
    for await (const keys of this.#objects.list(LANE, this.#options.address.prefix))
      await this.#removePlaceholders(keys.filter(isCopyKey))
    await deleteMarker(this.#objects)
    await removeStoreNumbers(this.#objects)
  }

  #removePlaceholders(keys: readonly string[]): Promise<void> {
    return forEachBounded(keys, OBJECTS_AT_ONCE, async (key) => {
      const object = await this.#look(LANE, key)
      if (object?.isPlaceholder) await this.#objects.delete(LANE, key, { etag: object.etag })
    })
  }

  async close(): Promise<void> {
    this.#client.close()
  }
}

const isCopyKey = (key: string): boolean => key.endsWith('/index.html')

/** Another check reports a store that refuses requests. */
function ignoreStore(error: unknown): undefined {
  if (!(error instanceof StoreError)) throw error
}

/** A store that is away may be back soon. */
function ignoreUnreachable(error: unknown): undefined {
  if (error instanceof UnusableTargetError || !(error instanceof CopyTargetError)) throw error
}
