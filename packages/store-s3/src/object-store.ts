import type { CopyStoreContext } from '#wp-frames/build/publishing/copy-store'
import {
  type CheckedCopy,
  type CopyFiles,
  type CopyReader,
  type CopyStore,
  CopyTargetError,
  type CopyWriter,
  type OwnedCopy,
  type PublicationNumbers,
  type ReadCopy,
  type ReaderOptions,
  type StoreInspection,
} from '#wp-frames/build/publishing/copy-store'
import { NUMBERS_FOLDER, numbersIn } from '#wp-frames/build/publishing/folder-numbers'
import type { NetworkIdentity } from '#wp-frames/build/publishing/network-identity'
import { MARKER, NetworkMarker } from '#wp-frames/build/publishing/network-marker'
import { forEachBounded } from '#wp-frames/host/concurrency/for-each'
import { nameOf } from '#wp-frames/host/config/store-address'
import type { StoreSettings } from '#wp-frames/host/config/store-settings'
import { type CopyObject, compareObject, decodeHtml, objectOf } from './copy-object.ts'
import { SeenObjects } from './seen-objects.ts'
import {
  forgetFencedClaim,
  listStoreClaims,
  readDoubtfulObjects,
  readSafeObjects,
  recordFence,
} from './store-claims-table.ts'
import { StoreClient } from './store-client.ts'
import { StoreCredentials } from './store-credentials.ts'
import { asTargetError, StoreError } from './store-error.ts'
import { copyKeyForUrl } from './store-key.ts'
import { findForeignChild, findForeignParent, readMarker } from './store-neighbours.ts'
import { StoreObjects } from './store-objects.ts'
import { probeStore } from './store-probe.ts'
import { StoreReader } from './store-reader.ts'
import { StoreWriter } from './store-writer.ts'

export type ObjectStoreOptions = CopyStoreContext & StoreSettings

/** Requests at once for the copies of one call. */
const OBJECTS_AT_ONCE = 16
/** The requests of the service itself. */
const LANE = 0

/**
 * The static copies as objects of an S3-compatible store. The copy of a page is one object, compressed with gzip, whose key is the host and
 * the path of its URL with `index.html` at the end. Its metadata say what the owner file of a folder says, and what the copy was made of.
 */
export class ObjectStore implements CopyStore {
  readonly name: string
  readonly setting = 'STATIC_TARGET'
  readonly rewriteMs: number
  readonly #options: ObjectStoreOptions
  readonly #client: StoreClient
  readonly #objects: StoreObjects
  readonly #marker: NetworkMarker
  readonly #seen = new SeenObjects()
  #probed: Promise<void> | undefined
  #checkedUntil = 0

  constructor(options: ObjectStoreOptions) {
    this.#options = options
    const { address, db } = options
    const { store } = db.timings
    this.rewriteMs = store.rewriteMs
    this.#client = new StoreClient(address, new StoreCredentials(options.credentials, store), store)
    this.#objects = new StoreObjects(this.#client)
    this.name = this.#objects.name
    const marker = address.prefix + MARKER
    this.#marker = new NetworkMarker(options, {
      name: this.name,
      path: address.baseUrl + address.prefix,
      read: () => this.#naming(readMarker(this.#objects, address.prefix)),
      prepare: async (network) => {
        const foreign = await this.#naming(this.#findForeignNeighbour(network, true))
        if (foreign !== undefined) throw new CopyTargetError(foreign)
        await this.test()
      },
      write: (text) => this.#naming(this.#writeMarker(marker, text), 'write objects'),
      texts: {
        marker: 'its object',
        ifForeign: 'STATIC_TARGET to a prefix or bucket of its own',
        ifMissing: `Check that STATIC_TARGET names the right bucket and endpoint. If it was emptied on purpose, store an empty object with the key ${marker}`,
      },
    })
  }

  async open(): Promise<void> {
    if (performance.now() < this.#checkedUntil || !(await this.#marker.open())) return
    this.#checkedUntil = performance.now() + this.#options.db.timings.store.markerKeptMs
  }

  async #writeMarker(key: string, text: string): Promise<void> {
    const headers = { 'Content-Type': 'text/plain; charset=utf-8' }
    await this.#objects.put(LANE, key, Buffer.from(text), { headers })
  }

  /** Once in a process. */
  test(): Promise<void> {
    this.#probed ??= this.#naming(probeStore(this.#objects)).then(
      () => {
        const skew = this.#findSkew()
        if (skew !== undefined)
          this.#options.log.error({ store: this.name }, `static copies: ${skew}`)
      },
      (error: unknown) => {
        this.#probed = undefined
        throw error
      },
    )
    return this.#probed
  }

  async inspect(network: NetworkIdentity): Promise<StoreInspection> {
    const ownership = await this.#marker.inspect(network)
    const isUnused = ownership.network === undefined
    const neighbour = () => this.#findForeignNeighbour(network, isUnused).catch(ignoreStore)
    const foreign = ownership.foreign ?? (await neighbour())
    return { ...ownership, foreign, warning: this.#findSkew() }
  }

  /** A clock that a store will refuse soon; undefined if it does not differ by much. */
  #findSkew(): string | undefined {
    const skew = Math.round(this.#client.skewMs / 1000)
    if (Math.abs(skew) <= this.#options.db.timings.store.maxSkewSeconds) return undefined
    return `the clock of this machine is ${Math.abs(skew)} seconds ${skew > 0 ? 'ahead of' : 'behind'} that of the store, which refuses requests if it differs by more. Synchronize the clock (NTP)`
  }

  /** A store of another network that contains this one or, before the first use, is contained in it. */
  async #findForeignNeighbour(
    network: NetworkIdentity,
    isUnused: boolean,
  ): Promise<string | undefined> {
    const found =
      (await findForeignParent(this.#objects, network.identity)) ??
      (isUnused ? await findForeignChild(this.#objects, network.identity) : undefined)
    if (found === undefined) return undefined
    const name = nameOf({ ...this.#options.address, prefix: found.prefix })
    return this.#marker.describeForeign(name, found.network, network)
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

  async check(site: number, copies: readonly CheckedCopy[]): Promise<CopyFiles[]> {
    const { db, globals } = this.#options
    const files: CopyFiles[] = copies.map(() => 'missing')
    if (copies.length === 0) return files
    const doubtful = await readDoubtfulObjects(db, globals)
    await forEachBounded(copies.entries(), OBJECTS_AT_ONCE, async ([index, copy]) => {
      const location = this.locate(copy.url)
      if (location === undefined) return
      const found = await this.#check(site, location, copy)
      const isDoubtful = found === 'intact' && doubtful.get(location)?.isSettled === false
      files[index] = isDoubtful ? 'doubtful' : found
    })
    return files
  }

  /** A copy that is written anyway is not asked for: the condition of its write finds out what is there. */
  async #check(site: number, location: string, copy: CheckedCopy): Promise<CopyFiles> {
    if (copy.isReplaced && copy.fileTime === undefined) {
      this.#seen.set(location, null)
      return 'missing'
    }
    if (copy.isReplaced && this.#seen.get(location)?.etag != null) return 'intact'
    return compareObject(site, copy, await this.#naming(this.#look(site, location)))
  }

  async #look(site: number, location: string): Promise<CopyObject | undefined> {
    const headers = await this.#objects.head(site, location)
    const object = headers && objectOf(headers)
    this.#seen.set(location, object?.etag ?? null)
    return object
  }

  async *list(): AsyncGenerator<OwnedCopy> {
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

  async read(site: number, location: string): Promise<ReadCopy | undefined> {
    const object = await this.#naming(this.#objects.get(site, location))
    if (typeof object !== 'object') return undefined
    const { facts, isPlaceholder } = objectOf(object.headers)
    if (isPlaceholder) return undefined
    const isCompressed = object.headers['content-encoding'] === 'gzip'
    const html = isCompressed ? await decodeHtml(object.body) : object.body
    return { html: html ?? object.body, owner: facts }
  }

  async begin(site: number, owner: string): Promise<CopyWriter> {
    const { db, globals, identities } = this.#options
    await this.test()
    const { identity: network } = await identities.read()
    const { objects, seen } = { objects: this.#objects, seen: this.#seen }
    return new StoreWriter({ db, globals, objects, seen, network, site, claimId: owner })
  }

  /** The first call for a claim fences it. A later one forgets it, when its requests cannot arrive any more. */
  async fence(owner: string): Promise<void> {
    const { db, globals, address } = this.#options
    const safe = await readSafeObjects(db, globals, owner)
    if (safe === undefined)
      return db.write({}, (own) => {
        recordFence(own, globals, owner)
      })
    // While copies are moved from one store to another, their claims are in one table.
    const own = safe.filter((location) => location.startsWith(address.prefix))
    await this.#naming(this.#removePlaceholders(own), 'delete objects')
    await forgetFencedClaim(db, globals, owner)
  }

  owners(): Promise<string[]> {
    const { db, globals } = this.#options
    return listStoreClaims(db, globals)
  }

  /** One empty object for each number: stores refuse more than one write per second of a key. */
  marks(raise?: { bucket: number; number: number }): Promise<PublicationNumbers> {
    return this.#naming(this.#marks(raise))
  }

  async #marks(raise?: { bucket: number; number: number }): Promise<PublicationNumbers> {
    const keys = await this.#numberKeys()
    const numbers = numbersIn(keys)
    if (raise === undefined || (numbers.get(raise.bucket) ?? 0) >= raise.number) return numbers
    const { bucket, number } = raise
    const ofBucket = `${this.#options.address.prefix}${NUMBERS_FOLDER}/${bucket}.`
    await this.#objects.put(LANE, ofBucket + number, Buffer.alloc(0))
    await this.#delete(keys.filter((key) => key.startsWith(ofBucket)))
    return numbers.set(bucket, number)
  }

  async #numberKeys(): Promise<string[]> {
    const keys: string[] = []
    const folder = `${this.#options.address.prefix}${NUMBERS_FOLDER}/`
    for await (const some of this.#objects.list(LANE, folder)) keys.push(...some)
    return keys
  }

  #delete(keys: readonly string[]): Promise<void> {
    return forEachBounded(keys, OBJECTS_AT_ONCE, async (key) => {
      await this.#objects.delete(LANE, key)
    })
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
    const { prefix } = this.#options.address
    for await (const keys of this.#objects.list(LANE, prefix))
      await this.#removePlaceholders(keys.filter(isCopyKey))
    await this.#delete([prefix + MARKER])
    await this.#delete(await this.#numberKeys())
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

/** `test` reports a store that refuses requests. */
function ignoreStore(error: unknown): undefined {
  if (!(error instanceof StoreError)) throw error
}
