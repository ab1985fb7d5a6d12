import { setImmediate as nextMacrotask } from 'node:timers/promises'
import type { CacheTagSettings } from '../config/cache-purge.ts'
import type { Database } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { StaticEffect } from '../effects.ts'
import type { Site } from '../wordpress/network/site.ts'
import { tagsOfCopy } from './cache-tags.ts'
import {
  type CopyRecord,
  deleteCopyRecords,
  storeCopyRecords,
  sumCopyBytes,
  sumCopyBytesLater,
} from './copies-table.ts'
import type { CopyFailure } from './copy-failure.ts'
import type { FormerCopy, NewCopy, WrittenFiles } from './copy-jobs.ts'
import { type CopyState, findCopyStates, type WantedCopy } from './copy-states.ts'
import type { CopyClaim, CopyTarget } from './copy-target.ts'
import { beginPublication } from './publication-numbers.ts'
import type { CopyOwner } from './static-copy.ts'
import { effectOf, laterBuildEffect, quotaMessage, unchangedEffect } from './static-effects.ts'

export type PublishContext = {
  /** Its current data are read, not those of the snapshot of the build. */
  readonly db: Database
  readonly site: Site
  readonly copies: CopyTarget
  /** The version of the site that the build has read. */
  readonly version: number
  readonly claim: CopyClaim
  /**
   * Lets a transaction fail if the claim does not have these pages any more. Nobody else gets them until it ends, so the claim is not fenced
   * meanwhile.
   */
  readonly assertOwned: (tx: Tx, pages: readonly number[]) => void
  /**
   * Maximum size of the site's copies; undefined: no limit. A page beyond it loses its old copy too, since that would show outdated content.
   */
  readonly quotaBytes: number | undefined
  /** Pages have tags: what each copy shows is stored beside it [undefined: it is not]. */
  readonly cacheTags?: CacheTagSettings | undefined
  /** `CopyTarget.rewriteMs`: copies that were written less than this ago are left for later [0] */
  readonly rewriteMs?: number
}

export type PublishedCopies = {
  /** The effect on each page that did not fail, by page id. */
  readonly effects: Map<number, StaticEffect>
  /** By page id. */
  readonly errors: Map<number, CopyFailure>
  /** To be stored with the completion of the claim. */
  readonly records: readonly CopyRecord[]
  /** Pages whose records are to be deleted with the completion of the claim. */
  readonly removed: readonly number[]
  /** Pages whose copies may be written only so many milliseconds from now. They have no effect yet. */
  readonly deferred: ReadonlyMap<number, number>
}

/**
 * Writes, leaves or removes the static copies of pages so that they match their publications. A copy at a former URL of its page is removed.
 * A page that a later build has published stays as it is. No other claim may publish one of the pages at the same time, except one that was
 * fenced before this call.
 *
 * The order survives a crash at any point: copies at former URLs are removed first, then the records of all copies to be written are stored
 * without a digest, then the files are written. So there is never a copy without a record that has its URL, and a record with a digest
 * describes complete files.
 * @param records those of the pages, if the caller has read them; nobody else changes them
 * @throws LostLeaseError, AppError `service_busy` if the database is older than the folder, and errors of the database. Errors of single
 *   pages are in the result
 */
export async function publishCopies(
  context: PublishContext,
  wanted: readonly WantedCopy[],
  records?: ReadonlyMap<number, CopyRecord>,
): Promise<PublishedCopies> {
  const publisher = new CopyPublisher(context)
  const states = await findCopyStates(context, wanted, records)
  const removals = states.flatMap((state) => publisher.decide(state) ?? [])
  if (removals.length > 0) await begin(context)
  await publisher.remove(removals)
  await publisher.write()
  return publisher.result()
}

/** Once in a claim. */
function begin({ db, site, copies, claim }: PublishContext): Promise<void> {
  claim.publication ??= beginPublication(site, copies, (number) =>
    db.write({ site, isWork: true }, number),
  )
  return claim.publication
}

/**
 * Stores the records of published copies. Part of the transaction that completes the claim.
 * @throws LostLeaseError
 */
export async function storePublishedCopies(
  tx: Tx,
  { site, version, claim }: Pick<PublishContext, 'site' | 'version' | 'claim'>,
  { records, removed }: Pick<PublishedCopies, 'records' | 'removed'>,
): Promise<void> {
  await storeCopyRecords(tx, site, records)
  deleteCopyRecords(tx, site, removed, version)
  await claim.assertPresent(tx)
}

/** A copy to write. */
type Write = {
  readonly state: CopyState
  readonly copy: NewCopy
  /** The record before the files are written. */
  readonly record: CopyRecord
  readonly digest: string
}

/** A copy to remove, and the effect on the page afterwards; undefined if another copy is written then. */
type Removal = { readonly copy: FormerCopy; readonly effect: StaticEffect | undefined }

const NO_FOLDER = {
  reason: 'page_not_public',
  message: "The page's URL cannot be mapped to a file.",
} as const

const UP_TO_DATE = 'The copy was up to date.'

/** One call of `publishCopies`. */
class CopyPublisher {
  readonly #context: PublishContext
  readonly #effects = new Map<number, StaticEffect>()
  readonly #errors = new Map<number, CopyFailure>()
  readonly #records = new Map<number, CopyRecord>()
  readonly #removed = new Set<number>()
  readonly #deferred = new Map<number, number>()
  readonly #writes = new Map<number, Write>()

  constructor(context: PublishContext) {
    this.#context = context
  }

  result(): PublishedCopies {
    return {
      effects: this.#effects,
      errors: this.#errors,
      records: [...this.#records.values()],
      removed: [...this.#removed],
      deferred: this.#deferred,
    }
  }

  /** Decides what to do with a page: nothing, with its effect, or a removal, or a write, or both. */
  decide(state: CopyState): Removal | undefined {
    const { wanted, digest, location, record, recordLocation, found } = state
    const { page, url, publication } = wanted
    const isIntact = found?.isAsRecorded && !found.isDoubtful
    const isSame = isIntact && record?.url === url && record?.digest === digest
    if (record !== undefined && record.version > this.#context.version) {
      const isGone = !('html' in publication) && found === undefined
      const other = isGone ? effectOf(found, publication) : laterBuildEffect(found)
      this.#effects.set(page, isSame ? unchangedEffect(found, UP_TO_DATE) : other)
      return undefined
    }
    if (digest === undefined || url === undefined || location === undefined) {
      return this.#decideRemoval(state, 'html' in publication ? NO_FOLDER : publication)
    }
    if (record && isSame) {
      this.#records.set(page, { ...record, ...this.#inputsOf(wanted) })
      this.#effects.set(page, unchangedEffect(found, UP_TO_DATE))
      return undefined
    }
    const isElsewhere = recordLocation !== undefined && recordLocation !== location
    const waitMs = isElsewhere ? 0 : this.#waitBefore(record)
    if (waitMs > 0) {
      this.#deferred.set(page, waitMs)
      return undefined
    }
    this.#writes.set(page, this.#newWrite(state, url, location, digest))
    return isElsewhere ? { copy: this.#former(page, recordLocation), effect: undefined } : undefined
  }

  /** How long a copy may not be written again, in milliseconds. A time in the future is that of a machine with another clock. */
  #waitBefore(record: CopyRecord | undefined): number {
    const { rewriteMs = 0 } = this.#context
    if (record?.fileTime === undefined) return 0
    const waitMs = Math.ceil(record.fileTime / 1000 + rewriteMs - Date.now())
    return waitMs <= rewriteMs ? Math.max(waitMs, 0) : 0
  }

  #decideRemoval(
    { wanted: { page }, record, location, recordLocation, found }: CopyState,
    { reason, message }: Pick<StaticEffect, 'reason' | 'message'>,
  ): Removal | undefined {
    const removed = found !== undefined
    const effect = effectOf(found, { reason, message, removed, changed: removed })
    if (record) this.#forget(record)
    // A page with a record may have files or empty folders that a crash has left, even without a copy.
    const left = record ? recordLocation : found && location
    if (left !== undefined) return { copy: this.#former(page, left), effect }
    this.#effects.set(page, effect)
    return undefined
  }

  /** Removes copies from disk. */
  async remove(removals: readonly Removal[]): Promise<void> {
    if (removals.length === 0) return
    const copies = removals.map(({ copy }) => copy)
    const failures = await this.#context.claim.remove(copies)
    for (const { copy, effect } of removals) {
      const failure = failures.get(copy.page)
      if (failure) this.#fail(copy.page, failure)
      else if (effect) this.#effects.set(copy.page, effect)
    }
  }

  /** Writes the copies that differ. */
  async write(): Promise<void> {
    const writes = [...this.#writes.values()]
    if (writes.length === 0) return
    const { quotaBytes: limit, claim } = this.#context
    const used = await this.#announce(writes)
    const copies = writes.map(({ copy }) => copy)
    const findQuota =
      limit === undefined
        ? undefined
        : async () => ({ used: await this.#findUsedBytes(used, limit), limit })
    const outcomes = await claim.write(copies, findQuota)
    for (const write of writes) {
      const outcome = outcomes.get(write.copy.page)
      if (outcome === undefined || outcome === 'over') continue
      if ('isOutage' in outcome) this.#fail(write.copy.page, outcome)
      else this.#succeed(write, outcome)
    }
    const over = writes.filter(({ copy }) => outcomes.get(copy.page) === 'over')
    if (over.length > 0) await this.#removeOverQuota(over, limit ?? 0)
  }

  /**
   * Stores the records of copies before their files are written, and begins the publication with the first ones.
   * @returns the size of the site's copies as it is recorded, in bytes
   */
  async #announce(writes: readonly Write[]): Promise<number> {
    const { db, site, copies, claim, assertOwned } = this.#context
    let used = 0
    const records = writes.map(({ record }) => record)
    const announce = (number?: (tx: Tx) => void): Promise<void> =>
      db.write({ site, isWork: true }, async (tx) => {
        const pages = records.map(({ page }) => page)
        assertOwned(tx, pages)
        number?.(tx)
        await storeCopyRecords(tx, site, records)
        sumCopyBytesLater(tx, site, (bytes) => {
          used = bytes
        })
        await claim.assertPresent(tx)
      })
    if (claim.publication) {
      await claim.publication
      await announce()
      return used
    }
    const publication = beginPublication(site, copies, announce)
    claim.publication = publication
    try {
      await publication
    } catch (error) {
      // The next batch begins it: this one may have failed because of its pages.
      claim.publication = undefined
      throw error
    }
    return used
  }

  #succeed({ state, record, digest }: Write, { adoptedBytes, ...files }: WrittenFiles): void {
    const { wanted, location, recordLocation } = state
    const adopted =
      adoptedBytes === undefined ? undefined : { url: record.url, htmlBytes: adoptedBytes }
    const found = state.found ?? adopted
    this.#records.set(record.page, { ...record, ...this.#inputsOf(wanted), digest, ...files })
    const moved = found !== undefined && recordLocation !== undefined && recordLocation !== location
    const effect = effectOf(found, {
      published: true,
      url: record.url,
      bytes: files.htmlBytes,
      message: `The copy was written.${moved ? ` The one at ${found.url} was removed.` : ''}`,
      removed: moved,
      changed: true,
    })
    this.#effects.set(record.page, effect)
  }

  /** Removes the old copies of pages whose new copies would exceed the quota. */
  async #removeOverQuota(over: readonly Write[], limit: number): Promise<void> {
    for (const { record } of over) this.#forget(record)
    const message = quotaMessage(await this.#usedBytes(), limit)
    const removals = over.map(({ state: { found }, copy: { page, location } }) => {
      const removed = found !== undefined
      const effect = effectOf(found, { reason: 'quota', message, removed, changed: removed })
      return { copy: this.#former(page, location), effect }
    })
    await this.remove(removals)
  }

  /** Other claims may write meanwhile. As long as most of the quota is left, that does not matter. */
  async #findUsedBytes(recorded: number, limit: number): Promise<number> {
    if (recorded >= limit / 2) return this.#usedBytes()
    // A call that has just ended adds what it has written.
    await nextMacrotask()
    return recorded + this.#context.claim.growth
  }

  /** Size of the site's copies after what was written and removed so far, in bytes. */
  async #usedBytes(): Promise<number> {
    const { db, site, claim } = this.#context
    return (await sumCopyBytes(db, site)) + claim.growth
  }

  #newWrite(state: CopyState, url: string, location: string, digest: string): Write {
    const { wanted, record, found } = state
    const { page, publication } = wanted
    const { site, version, cacheTags } = this.#context
    const isOwned = record?.url === url && (found?.isAsRecorded || found?.ownerUrl === url)
    const shown = cacheTags && 'html' in publication ? publication.shown : undefined
    // What the former copy shows is not known.
    const owner =
      isOwned && shown === undefined
        ? {}
        : { owner: JSON.stringify({ site: site.blogId, page, url, shown } satisfies CopyOwner) }
    const html = 'html' in publication ? publication.html : ''
    const tagged = tagsOfCopy(cacheTags, { site: site.blogId, page, shown })
    const bytes = record?.bytes ?? 0
    return {
      state,
      copy: {
        page,
        location,
        html,
        url,
        version,
        digest,
        replacedBytes: bytes,
        ...owner,
        ...(tagged && { tagged }),
      },
      record: { page, url, version, bytes },
      digest,
    }
  }

  #inputsOf({ pageModified, publication }: WantedCopy): Partial<CopyRecord> {
    return {
      version: this.#context.version,
      ...('html' in publication ? { source: publication.sourceFingerprint } : {}),
      ...(pageModified === undefined ? {} : { pageModified }),
    }
  }

  #forget({ page, bytes }: CopyRecord): void {
    this.#removed.add(page)
    this.#context.claim.growth -= bytes
  }

  /** The record of a page that failed stays, so that its files are found. */
  #fail(page: number, failure: CopyFailure): void {
    this.#errors.set(page, failure)
    this.#removed.delete(page)
    this.#writes.delete(page)
  }

  #former(page: number, location: string): FormerCopy {
    return { location, site: this.#context.site.blogId, page }
  }
}
