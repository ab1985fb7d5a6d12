import { copyFailure } from '#wp-frames/build/publishing/copy-failure'
import type {
  CopyFailure,
  CopyWriter,
  NewCopy,
  PlacedCopy,
  WrittenCopy,
} from '#wp-frames/build/publishing/copy-store'
import type { Database } from '#wp-frames/db/database'
import { inBatches } from '#wp-frames/db/sql'
import { LostLeaseError } from '#wp-frames/db/tasks/tasks-table'
import { forEachBounded } from '#wp-frames/host/concurrency/for-each'
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
  fenceEndedClaim,
  forgetClaim,
  isClaimOpen,
  readDoubtfulObjects,
  settleObjects,
} from './store-claims-table.ts'
import type { StoreRequest } from './store-client.ts'
import { describeStoreError, StoreError } from './store-error.ts'
import type { StoreObjects } from './store-objects.ts'

export type StoreWriterOptions = {
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
export class StoreWriter implements CopyWriter {
  readonly #options: StoreWriterOptions
  #hasAnnounced = false
  readonly #confirmation: ClaimConfirmation
  /** Objects of requests that were sent and not answered. They may arrive late, like those of a suspended process. */
  readonly #unanswered = new Set<string>()

  constructor(options: StoreWriterOptions) {
    this.#options = options
    this.#confirmation = new ClaimConfirmation(
      options.seen,
      options.db.timings.store.confirmedMs,
      () => this.#assertOpen(),
    )
  }

  async write(copies: readonly NewCopy[]): Promise<Map<number, WrittenCopy | CopyFailure>> {
    const written = new Map<number, WrittenCopy | CopyFailure>()
    const doubtful = await this.#readDoubtful()
    const settled: string[] = []
    const { each, failures } = this.#beginAttempts('write')
    for (const some of inBatches(copies, CHARACTERS_PER_BATCH, ({ html }) => html.length))
      for (const batch of inBatches(some, COPIES_PER_BATCH)) {
        await this.#announce(batch.map(({ location }) => location))
        await each(batch, async (copy) => {
          written.set(copy.page, await this.#store(copy))
          if (doubtful.has(copy.location)) settled.push(copy.location)
        })
      }
    await this.#settle(settled)
    return new Map([...written, ...failures])
  }

  /** @throws LostLeaseError */
  async #store(copy: NewCopy): Promise<WrittenCopy> {
    const { objects, network, site, seen, claimId } = this.#options
    const { page, location, url, version, digest: sha256 } = copy
    const html = Buffer.from(copy.html)
    const body = await encodeHtml(html)
    const htmlBytes = html.length
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
    let adopted: Pick<WrittenCopy, 'wasThere'> = {}
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
      if (present && !present.isPlaceholder && this.#owns(page, present))
        adopted = { wasThere: true }
      if (attempt === ATTEMPTS) throw changedMeanwhile(location)
    }
  }

  async remove(copies: readonly PlacedCopy[]): Promise<Map<number, CopyFailure>> {
    await this.#announce(copies.map(({ location }) => location))
    const doubtful = await this.#readDoubtful()
    const { each, failures } = this.#beginAttempts('remove')
    await each(copies, async (copy) => {
      await this.#remove(copy)
    })
    // A late request must not create the object again.
    const occupied = copies.filter(
      ({ page, location }) => doubtful.has(location) && !failures.has(page),
    )
    await each(occupied, (copy) => this.#occupy(copy))
    await this.#settle(
      occupied.filter(({ page }) => !failures.has(page)).map(({ location }) => location),
    )
    return failures
  }

  async #remove(copy: PlacedCopy): Promise<boolean> {
    const { objects, seen, site } = this.#options
    const { location } = copy
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const { object, seen: former } = await this.#see(location)
      seen.delete(location)
      if (!object || object.isPlaceholder || !this.#owns(copy.page, object)) return false
      const condition = { etag: object.etag, ...this.#attempts(location, former.look) }
      if (await objects.delete(site, location, condition)) return true
    }
    throw changedMeanwhile(location)
  }

  /**
   * Stores a placeholder where a copy was removed, until late requests cannot arrive any more (`ObjectStore.fence`). One that has arrived
   * meanwhile has created the copy again, so it is removed again.
   */
  async #occupy(copy: PlacedCopy): Promise<void> {
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
    throw changedMeanwhile(location)
  }

  /** Objects without metadata were stored by hand. */
  #owns(page: number, { facts }: CopyObject): boolean {
    return facts === undefined || (facts.site === this.#options.site && facts.page === page)
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

  /** Changes copies. Once the store is away, those that are left fail too: each would wait for it. */
  #beginAttempts(purpose: 'write' | 'remove') {
    const failures = new Map<number, CopyFailure>()
    let away: CopyFailure | undefined
    return {
      failures,
      /** @throws what is not an error of the store, when no request is under way any more */
      each: async <Copy extends PlacedCopy>(
        copies: readonly Copy[],
        change: (copy: Copy) => Promise<void>,
      ): Promise<void> => {
        let fatal: unknown
        await forEachBounded(copies, OBJECTS_AT_ONCE, async (copy) => {
          if (fatal !== undefined) return
          if (away) return void failures.set(copy.page, away)
          try {
            await change(copy)
          } catch (error) {
            if (!(error instanceof StoreError)) {
              fatal = error
              return
            }
            const failure = this.#describe(error, copy.location, purpose)
            failures.set(copy.page, failure)
            if (failure.isTemporary) away = failure
          }
        })
        if (fatal !== undefined) throw fatal
      },
    }
  }

  #describe(error: StoreError, location: string, purpose: 'write' | 'remove'): CopyFailure {
    const { address } = this.#options.objects
    const right = purpose === 'write' ? 'write objects' : 'delete objects'
    return copyFailure({
      purpose,
      name: location.slice(address.prefix.length),
      problem: `: ${describeStoreError(error, address, right)}.`,
      reason: error.message,
      isTemporary: error.isTemporary,
    })
  }
}

/** Others have changed an object each time. */
const changedMeanwhile = (location: string): StoreError =>
  new StoreError(`PUT or DELETE "${location}"`, {
    status: 412,
    code: 'PreconditionFailed',
    reason: 'the object was changed at the same time',
  })

/** The condition that an object is what was seen. */
const conditionOf = ({ etag }: SeenObject): Record<string, string> =>
  etag === null ? { 'If-None-Match': '*' } : { 'If-Match': etag }
