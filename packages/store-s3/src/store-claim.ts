import { forEachBounded } from '#wp-frames/concurrency/for-each'
import { KeyedMutex } from '#wp-frames/concurrency/keyed-mutex'
import type { Database } from '#wp-frames/db/database'
import { inBatches } from '#wp-frames/db/sql'
import type { Tx } from '#wp-frames/db/transaction'
import { type CopyFailure, copyFailure } from '#wp-frames/publishing/copy-failure'
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
  ): Promise<Map<number, WrittenFiles | 'over' | CopyFailure>> {
    const written = new Map<number, WrittenFiles | 'over' | CopyFailure>()
    const doubtful = await this.#readDoubtful()
    const settled: string[] = []
    const attempts = this.#beginAttempts('write')
    for (const some of inBatches(copies, CHARACTERS_PER_BATCH, ({ html }) => html.length))
      for (const batch of inBatches(some, COPIES_PER_BATCH)) {
        const accepted = await this.#accepting.run('', () =>
          this.#accept(batch, findQuota, written),
        )
        await this.#announce(accepted.map(({ copy }) => copy.location))
        await attempts.each(
          accepted.map((one) => ({ ...one.copy, one })),
          async ({ page, location, one }) => {
            written.set(page, await this.#store(one))
            if (doubtful.has(location)) settled.push(location)
          },
        )
        for (const { copy, growth } of accepted)
          if (attempts.failures.has(copy.page)) this.growth -= growth
      }
    for (const [page, failure] of attempts.failures) written.set(page, failure)
    await this.#settle(settled)
    return written
  }

  /** Compresses copies, and counts them as written. Those that would exceed the quota are `over`. */
  async #accept(
    copies: readonly NewCopy[],
    findQuota: (() => Promise<CopyQuota>) | undefined,
    written: Map<number, WrittenFiles | 'over' | CopyFailure>,
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
      if (attempt === ATTEMPTS) throw changedMeanwhile(location)
    }
  }

  async remove(copies: readonly FormerCopy[]): Promise<Map<number, CopyFailure>> {
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
    throw changedMeanwhile(location)
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
    throw changedMeanwhile(location)
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

  /** Changes copies. Once the store is away, those that are left fail too: each would wait for it. */
  #beginAttempts(purpose: 'write' | 'remove') {
    const failures = new Map<number, CopyFailure>()
    let away: CopyFailure | undefined
    return {
      failures,
      /** @throws what is not an error of the store, when no request is under way any more */
      each: async <Copy extends Pick<FormerCopy, 'page' | 'location'>>(
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
