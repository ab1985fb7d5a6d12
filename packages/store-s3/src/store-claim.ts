import { forEachBounded } from '#wp-frames/concurrency/for-each'
import { KeyedMutex } from '#wp-frames/concurrency/keyed-mutex'
import type { Database } from '#wp-frames/db/database'
import { inBatches } from '#wp-frames/db/sql'
import type { Tx } from '#wp-frames/db/transaction'
import { CopyFileError } from '#wp-frames/publishing/copy-file-error'
import type { CopyQuota, FormerCopy, NewCopy, WrittenFiles } from '#wp-frames/publishing/copy-jobs'
import { type CopyClaim, LostLeaseError } from '#wp-frames/publishing/copy-target'
import type { GlobalTables } from '#wp-frames/wordpress/network/site'
import { ClaimConfirmation } from './claim-confirmation.ts'
import {
  type CopyObject,
  encodeHtml,
  headersOf,
  objectOf,
  PLACEHOLDER_HEADERS,
} from './copy-object.ts'
import type { SeenObject, SeenObjects } from './seen-objects.ts'
import {
  announceObjects,
  assertNotFenced,
  fenceEndedClaim,
  forgetClaim,
  isClaimOpen,
  readDoubtfulObjects,
  settleObjects,
} from './store-claims-table.ts'
import type { StoreRequest } from './store-client.ts'
import { describeStoreError, StoreError } from './store-error.ts'
import type { StoreObjects } from './store-objects.ts'

export type StoreClaimOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly objects: StoreObjects
  readonly seen: SeenObjects
  /** Identity of the network. */
  readonly network: string
  /** Blog id. */
  readonly site: number
  readonly claimId: string
}

/** Copies that are compressed and sent together. */
const COPIES_PER_BATCH = 50
/** HTML of these, in characters. */
const CHARACTERS_PER_BATCH = 4 * 1024 * 1024
/** Requests at once. */
const OBJECTS_AT_ONCE = 16
/** Attempts at an object that others change at the same time. */
const ATTEMPTS = 3

/**
 * What a claim changes in a store. Before it writes objects, it records their keys (`svc_store_claims`). It signs a request only if the
 * database has just confirmed that it is open (`ClaimConfirmation`). A request that arrives later, because the machine was suspended, is refused
 * by the store: each write and removal names the entity tag of the object that was seen before that, and no two writes have the same one. A
 * request whose connection has ended without an answer can arrive late, too: a claim with such requests ends as if it was fenced.
 */
export class StoreClaim implements CopyClaim {
  readonly #options: StoreClaimOptions
  growth = 0
  publication: Promise<void> | undefined
  /** One call at a time asks for the quota, so that it knows what the others write. */
  readonly #accepting = new KeyedMutex()
  #hasAnnounced = false
  readonly #confirmation: ClaimConfirmation
  /** Objects of requests that were sent and not answered. They may arrive late, like those of a suspended process. */
  readonly #unanswered = new Set<string>()

  constructor(options: StoreClaimOptions) {
    this.#options = options
    this.#confirmation = new ClaimConfirmation(
      options.seen,
      options.db.timings.store.confirmedMs,
      () => this.#assertOpen(),
    )
  }

  async write(
    copies: readonly NewCopy[],
    findQuota?: () => Promise<CopyQuota>,
  ): Promise<Map<number, WrittenFiles | 'over' | Error>> {
    const written = new Map<number, WrittenFiles | 'over' | Error>()
    const doubtful = await this.#readDoubtful()
    const settled: string[] = []
    let failure: Error | undefined
    for (const some of inBatches(copies, CHARACTERS_PER_BATCH, ({ html }) => html.length))
      for (const batch of inBatches(some, COPIES_PER_BATCH)) {
        const accepted = await this.#accepting.run('', () =>
          this.#accept(batch, findQuota, written),
        )
        await this.#announce(accepted.map(({ copy }) => copy.location))
        await forEachBounded(accepted, OBJECTS_AT_ONCE, async (one) => {
          const { page, location } = one.copy
          const outcome = failure ?? (await this.#orError(this.#store(one), location, 'write'))
          written.set(page, outcome)
          if (isAway(outcome)) failure = outcome
          if (outcome instanceof Error) this.growth -= one.growth
          else if (doubtful.has(location)) settled.push(location)
        })
      }
    await this.#settle(settled)
    return written
  }

  /** Compresses copies, and counts them as written. Those that would exceed the quota are `over`. */
  async #accept(
    copies: readonly NewCopy[],
    findQuota: (() => Promise<CopyQuota>) | undefined,
    written: Map<number, WrittenFiles | 'over' | Error>,
  ): Promise<PackedCopy[]> {
    const quota = await findQuota?.()
    let used = quota?.used ?? 0
    const accepted: PackedCopy[] = []
    const encoded = await Promise.all(copies.map(encode))
    for (const { copy, html, body } of encoded) {
      const growth = body.length - copy.replacedBytes
      // A copy that does not grow is always accepted.
      if (quota && growth > 0 && used + growth > quota.limit) written.set(copy.page, 'over')
      else {
        used += growth
        this.growth += growth
        accepted.push({ copy, body, growth, htmlBytes: html.length })
      }
    }
    return accepted
  }

  /** @throws LostLeaseError */
  async #store({ copy, body, htmlBytes }: PackedCopy): Promise<WrittenFiles> {
    const { objects, network, site, seen, claimId } = this.#options
    const { page, location, url, version, digest: sha256 } = copy
    // The random fraction distinguishes copies that are written in the same millisecond.
    const written = copy.fileTime ?? Math.round((Date.now() + Math.random()) * 1000)
    const facts = { network, site, page, url, version, written, sha256, htmlBytes, claim: claimId }
    const headers = {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Encoding': 'gzip',
      'Cache-Control': objects.address.cacheControl,
      ...headersOf(facts, copy.tagged),
    }
    const files = { fileTime: written, htmlBytes, bytes: body.length }
    let adopted: { readonly adoptedBytes?: number } = {}
    for (let attempt = 1; ; attempt += 1) {
      const former = seen.get(location) ?? (await this.#see(location)).seen
      const put = {
        headers,
        condition: conditionOf(former),
        ...this.#attempts(location, former.look),
      }
      const etag = await objects.put(site, location, body, put)
      if (etag !== undefined) {
        seen.set(location, etag)
        return { ...files, ...adopted }
      }
      // Perhaps a successor has written it.
      const { object: present } = await this.#see(location)
      // The answer to an earlier attempt was lost.
      if (present?.facts?.written === written && present.facts.claim === claimId) return files
      // Nobody else publishes the page while the claim has it.
      if (present?.facts?.site === site && present.facts.page === page)
        if (present.facts.version > version) throw new LostLeaseError(claimId)
      if (present && !present.isPlaceholder && belongsTo({ site, page }, present))
        adopted = { adoptedBytes: present.htmlBytes }
      if (attempt === ATTEMPTS)
        throw new Error(`"${location}" was changed while it was written; it is tried again`)
    }
  }

  async remove(copies: readonly FormerCopy[]): Promise<Map<number, boolean | Error>> {
    const removed = new Map<number, boolean | Error>()
    await this.#announce(copies.map(({ location }) => location))
    const doubtful = await this.#readDoubtful()
    let failure: Error | undefined
    await forEachBounded(copies, OBJECTS_AT_ONCE, async (copy) => {
      const outcome = failure ?? (await this.#orError(this.#remove(copy), copy.location, 'remove'))
      removed.set(copy.page, outcome)
      if (isAway(outcome)) failure = outcome
    })
    // A late request must not create the object again.
    const occupied = copies.filter(
      ({ page, location }) => doubtful.has(location) && !(removed.get(page) instanceof Error),
    )
    await forEachBounded(occupied, OBJECTS_AT_ONCE, async (copy) => {
      const outcome = await this.#orError(this.#occupy(copy), copy.location, 'remove')
      if (outcome instanceof Error) removed.set(copy.page, outcome)
    })
    await this.#settle(occupied.map(({ location }) => location))
    return removed
  }

  async #remove(copy: FormerCopy): Promise<boolean> {
    const { objects, seen } = this.#options
    const { location, site } = copy
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const { object, seen: former } = await this.#see(location)
      seen.delete(location)
      if (!object || object.isPlaceholder || !belongsTo(copy, object)) return false
      const condition = { etag: object.etag, ...this.#attempts(location, former.look) }
      if (await objects.delete(site, location, condition)) return true
    }
    throw new Error(`"${location}" was changed while it was removed; it is tried again`)
  }

  /**
   * Stores a placeholder where a copy was removed, until late requests cannot arrive any more (`ObjectStore.fenceClaim`). One that has arrived
   * meanwhile has created the copy again, so it is removed again.
   */
  async #occupy(copy: FormerCopy): Promise<void> {
    const { objects, site } = this.#options
    const { location } = copy
    const options = {
      headers: PLACEHOLDER_HEADERS,
      condition: { 'If-None-Match': '*' },
      ...this.#attempts(location),
    }
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const body = await encodeHtml(Buffer.alloc(0))
      if ((await objects.put(site, location, body, options)) !== undefined) return
      if (!(await this.#remove(copy))) return
    }
    throw new Error(`"${location}" was created while it was removed; it is tried again`)
  }

  #readDoubtful(): Promise<ReadonlyMap<string, unknown>> {
    return readDoubtfulObjects(this.#options.db, this.#options.globals)
  }

  async #settle(locations: readonly string[]): Promise<void> {
    if (locations.length > 0) await settleObjects(this.#options.db, this.#options, locations)
  }

  async #see(location: string): Promise<{ object: CopyObject | undefined; seen: SeenObject }> {
    const { objects, site, seen } = this.#options
    const headers = await objects.head(site, location)
    const object = headers && objectOf(headers)
    return { object, seen: seen.set(location, object?.etag ?? null) }
  }

  /** @throws LostLeaseError */
  async #announce(locations: readonly string[]): Promise<void> {
    const { db } = this.#options
    await this.#confirmation.by(() => announceObjects(db, this.#options, locations))
    this.#hasAnnounced = true
  }

  async #assertOpen(): Promise<void> {
    const { db, claimId } = this.#options
    if (!(await isClaimOpen(db, this.#options))) throw new LostLeaseError(claimId)
  }

  async assertPresent(tx?: Tx): Promise<void> {
    if (tx) assertNotFenced(tx, this.#options)
    else if (this.#hasAnnounced) await this.#assertOpen()
  }

  async end(): Promise<void> {
    if (!this.#hasAnnounced) return
    const { db } = this.#options
    if (this.#unanswered.size === 0) await forgetClaim(db, this.#options)
    else await fenceEndedClaim(db, this.#options, [...this.#unanswered])
  }

  /**
   * What is the same for all requests that change an object.
   * @param look the one that the condition of the request comes from [none]
   */
  #attempts(location: string, look = 0): Pick<StoreRequest, 'beforeSigning' | 'onUnanswered'> {
    return {
      beforeSigning: () => this.#confirmation.after(look),
      onUnanswered: () => {
        this.#unanswered.add(location)
      },
    }
  }

  /** The error of one copy as a value. That of the whole claim is thrown. */
  async #orError<T>(
    outcome: Promise<T>,
    location: string,
    purpose: 'write' | 'remove',
  ): Promise<T | Error> {
    try {
      return await outcome
    } catch (error) {
      if (error instanceof LostLeaseError || !(error instanceof Error)) throw error
      return this.#named(error, location, purpose)
    }
  }

  /** Names the object and what to do in an error of the store. Others stay as they are. */
  #named(error: Error, location: string, purpose: 'write' | 'remove'): Error {
    if (!(error instanceof StoreError)) return error
    const { address } = this.#options.objects
    const right = purpose === 'write' ? 'write objects' : 'delete objects'
    const problem = describeStoreError(error, address, right)
    const key = location.slice(address.prefix.length)
    const [message, failure] =
      purpose === 'remove'
        ? ([
            `Visitors see a page that should not be there: the static copy "${key}" cannot be removed: ${problem}.`,
            'exposed',
          ] as const)
        : ([`The static copy in "${key}" cannot be written: ${problem}.`, 'unwritable'] as const)
    return new CopyFileError(message, error.code, failure, error, error.isTemporary)
  }
}

async function encode(copy: NewCopy) {
  const html = Buffer.from(copy.html)
  return { copy, html, body: await encodeHtml(html) }
}

/** The condition that an object is what was seen. */
const conditionOf = ({ etag }: SeenObject): Record<string, string> =>
  etag === null ? { 'If-None-Match': '*' } : { 'If-Match': etag }

type PackedCopy = {
  readonly copy: NewCopy
  readonly body: Buffer
  /** By how much it is larger than the copy that it replaces, in bytes. */
  readonly growth: number
  readonly htmlBytes: number
}

/** Objects without metadata were stored by hand. */
function belongsTo(
  { site, page }: Pick<FormerCopy, 'site' | 'page'>,
  { facts }: CopyObject,
): boolean {
  return facts === undefined || (facts.site === site && facts.page === page)
}

/** Whether the store is away: further copies would each wait for it. */
function isAway(outcome: unknown): outcome is Error {
  const cause = outcome instanceof Error ? outcome.cause : undefined
  return cause instanceof StoreError && cause.isTemporary
}
