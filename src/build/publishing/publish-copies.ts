import type { Database } from '../../db/database.ts'
import type { Tx } from '../../db/transaction.ts'
import type { CacheTagSettings } from '../../host/config/cache-purge.ts'
import type { StaticReason } from '../../host/effects.ts'
import { sha256Hex } from '../../host/hash.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { type ShownTags, tagsOfCopy } from './cache-tags.ts'
import {
  type CopyRecord,
  deleteCopyRecords,
  readCopyRecords,
  storeCopyRecords,
  sumCopyBytes,
} from './copies-table.ts'
import { isFailure } from './copy-failure.ts'
import type {
  CheckedCopy,
  CopyFailure,
  CopyFiles,
  CopyStore,
  CopyWriter,
  NewCopy,
  PlacedCopy,
  WrittenCopy,
} from './copy-store.ts'
import { beginPublication } from './publication-numbers.ts'

/** The desired state of a page's static copy: its content, or why there is none. */
export type CopyContent =
  | {
      readonly html: string
      /** Identifies the inputs of the copy other than the page itself. The copy is stale once they have another fingerprint. */
      readonly sourceFingerprint: string
      /** For the tags of the page. */
      readonly shown?: ShownTags
    }
  | { readonly reason: StaticReason; readonly message: string }

/** A page and the desired state of its copy. */
export type WantedCopy = {
  readonly page: number
  /** Undefined if the page has none. */
  readonly url: string | undefined
  /** `post_modified_gmt`; undefined for a deleted page. */
  readonly pageModified: string | undefined
  readonly publication: CopyContent
}

/** What a builder publishes, in several calls. */
export type Publication = {
  readonly writer: CopyWriter
  /** Settled when its number is stored; undefined before the first change. */
  begun?: Promise<void> | undefined
  /** By how much the copies that it has written and removed so far exceed what is recorded, in bytes. */
  growth: number
}

export type PublishContext = {
  /** Its current data are read, not those of the snapshot of the build. */
  readonly db: Database
  readonly site: Site
  readonly copies: CopyStore
  /** The version of the site that the build has read. */
  readonly version: number
  readonly publication: Publication
  /** Runs a transaction of the builder of the site. It fails if another builder has the site now, and nobody else gets the site before it ends. */
  readonly commit: <T>(work: (tx: Tx) => T | Promise<T>) => Promise<T>
  /**
   * Maximum size of the site's copies; undefined: no limit. A page beyond it loses its old copy too, since that would show outdated content.
   */
  readonly quotaBytes: number | undefined
  /** Pages have tags: what each copy shows is stored beside it [undefined: it is not]. */
  readonly cacheTags?: CacheTagSettings | undefined
}

/**
 * What became of the copy of a page. `written`: it is new, or differs from the former one. `none`: the page has none. `quota`: it exceeded the
 * quota, so the page has none. `kept`: it was up to date. `failed`: it is in the errors.
 */
export type CopyOutcome = {
  readonly state: 'written' | 'kept' | 'none' | 'quota' | 'failed'
  /** Where the page had a copy before. */
  readonly formerUrl: string | undefined
}

export type PublishedCopies = {
  /** Of each page that is not deferred, by page id. */
  readonly outcomes: Map<number, CopyOutcome>
  /** By page id. */
  readonly errors: Map<number, CopyFailure>
  /** To be stored with the completion of the pages. */
  readonly records: CopyRecord[]
  /** Pages whose records are to be deleted with the completion of the pages. */
  readonly removed: number[]
  /** Pages whose copies may be written only so many milliseconds from now. They have no outcome yet. */
  readonly deferred: Map<number, number>
}

/**
 * Writes, leaves or removes the static copies of pages so that they match their publications. A copy at a former URL of its page is removed.
 * A page that a later build has published stays as it is. No other builder may publish one of the pages at the same time, except one that was
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
  const published: PublishedCopies = {
    outcomes: new Map(),
    errors: new Map(),
    records: [],
    removed: [],
    deferred: new Map(),
  }
  const plans = (await findStates(context, wanted, records)).map((state) => decide(context, state))
  for (const { page, formerUrl, write, kept, waitMs } of plans) {
    if (waitMs !== undefined) published.deferred.set(page, waitMs)
    else if (!write) published.outcomes.set(page, { state: kept ? 'kept' : 'none', formerUrl })
    if (kept) published.records.push(kept)
  }
  await remove(context, plans, published)
  const writes = plans.filter(({ page, write }) => write && !published.errors.has(page))
  if (writes.length > 0) await write(context, writes, published)
  return published
}

/**
 * Stores the records of published copies. Part of the transaction that completes the pages. Whether the builder still has the site, the caller
 * lets the transaction find out.
 */
export async function storePublishedCopies(
  tx: Tx,
  { site, version, publication }: Pick<PublishContext, 'site' | 'version' | 'publication'>,
  { records, removed }: { records: readonly CopyRecord[]; removed: readonly number[] },
): Promise<void> {
  await storeCopyRecords(tx, site, records)
  deleteCopyRecords(tx, site, removed, version)
  publication.growth = 0
}

/** The desired and the present state of a page's copy. */
type CopyState = {
  readonly wanted: WantedCopy
  /** SHA-256 of the wanted HTML; undefined if the page is to have no copy. */
  readonly digest: string | undefined
  readonly record: CopyRecord | undefined
  /** That of the copy at the URL in the record; without a record, at the page's URL. */
  readonly files: CopyFiles
}

async function findStates(
  { db, site, copies }: PublishContext,
  wanted: readonly WantedCopy[],
  known?: ReadonlyMap<number, CopyRecord>,
): Promise<CopyState[]> {
  const pages = wanted.map(({ page }) => page)
  const records = known ?? (await readCopyRecords(db, site, pages))
  const states = wanted.map((one) => ({
    wanted: one,
    digest: 'html' in one.publication ? sha256Hex(one.publication.html) : undefined,
    record: records.get(one.page),
  }))
  const checked = states.flatMap((state) => comparedCopy(state) ?? [])
  const files = await copies.check(site.blogId, checked)
  const filesOf = new Map(checked.map(({ page }, index) => [page, files[index]]))
  return states.map((state) => ({ ...state, files: filesOf.get(state.wanted.page) ?? 'missing' }))
}

/** What is compared of a copy: its contents only if they may stay. */
function comparedCopy({
  wanted: { page, url },
  digest,
  record,
}: Omit<CopyState, 'files'>): CheckedCopy | undefined {
  if (record === undefined)
    return url === undefined
      ? undefined
      : { page, url, ...(digest === undefined ? {} : { isReplaced: true }) }
  // What a crash has left is not known.
  if (record.digest === undefined || record.digest === digest) return record
  const { digest: _, ...sizeAndTime } = record
  return digest === undefined ? sizeAndTime : { ...sizeAndTime, isReplaced: true }
}

/** What is to be done with the copy of a page. */
type Plan = {
  readonly page: number
  /** Where the page has a copy: the URL in the record; without a record, the page's URL. */
  readonly formerUrl: string | undefined
  /** The record of a copy that stays. */
  readonly kept?: CopyRecord
  readonly waitMs?: number
  /** A copy to remove before anything is written. */
  readonly former?: PlacedCopy
  /** The record to delete. */
  readonly forgotten?: CopyRecord | undefined
  readonly write?: Write
}

/** A copy to write. */
type Write = {
  readonly copy: NewCopy
  /** The record before the files are written. */
  readonly record: CopyRecord
  /** What it has besides when they are. */
  readonly inputs: Partial<CopyRecord>
}

function decide(context: PublishContext, state: CopyState): Plan {
  const { copies, version } = context
  const { wanted, digest, record, files } = state
  const { page, url } = wanted
  const formerUrl = files === 'missing' ? undefined : (record?.url ?? url)
  const plan = { page, formerUrl }
  const isSame =
    files === 'intact' &&
    record !== undefined &&
    record.url === url &&
    digest !== undefined &&
    record.digest === digest
  const location = url === undefined ? undefined : copies.locate(url)
  const recorded = record && copies.locate(record.url)
  if (digest === undefined || url === undefined || location === undefined) {
    // A page with a record may have files or empty folders that a crash has left, even without a copy.
    const left = record ? recorded : formerUrl && location
    return { ...plan, forgotten: record, ...(left ? { former: { page, location: left } } : {}) }
  }
  const inputs = inputsOf(context, wanted)
  if (isSame) return { ...plan, kept: { ...record, ...inputs } }
  const isElsewhere = recorded !== undefined && recorded !== location
  const waitMs = isElsewhere ? 0 : waitBefore(copies.rewriteMs, record)
  if (waitMs > 0) return { ...plan, waitMs }
  const copy = newCopy(context, state, { url, location, digest })
  const write: Write = { copy, record: { page, url, version, bytes: record?.bytes ?? 0 }, inputs }
  return { ...plan, write, ...(isElsewhere ? { former: { page, location: recorded } } : {}) }
}

/** How long a copy may not be written again, in milliseconds. A time in the future is that of a machine with another clock. */
function waitBefore(rewriteMs: number, record: CopyRecord | undefined): number {
  if (record?.fileTime === undefined) return 0
  const waitMs = Math.ceil(record.fileTime / 1000 + rewriteMs - Date.now())
  return waitMs <= rewriteMs ? Math.max(waitMs, 0) : 0
}

function newCopy(
  { site, version, cacheTags }: PublishContext,
  { wanted: { page, publication }, record, files }: CopyState,
  to: Pick<NewCopy, 'url' | 'location' | 'digest'>,
): NewCopy {
  const shown = cacheTags && 'html' in publication ? publication.shown : undefined
  return {
    ...to,
    page,
    html: 'html' in publication ? publication.html : '',
    version,
    shown,
    tagged: tagsOfCopy(cacheTags, { site: site.blogId, page, shown }),
    // What the former copy shows is not known.
    isOwned:
      shown === undefined &&
      files === 'intact' &&
      record?.url === to.url &&
      record.digest !== undefined,
  }
}

/** What a record says of what its copy was made of. */
const inputsOf = (
  { version }: PublishContext,
  { pageModified, publication }: WantedCopy,
): Partial<CopyRecord> => ({
  version,
  ...('html' in publication ? { source: publication.sourceFingerprint } : {}),
  ...(pageModified === undefined ? {} : { pageModified }),
})

/** Removes the former copies. The record of a page that failed stays, so that its files are found. */
async function remove(
  context: PublishContext,
  plans: readonly Plan[],
  published: PublishedCopies,
): Promise<void> {
  const { site, copies, publication, commit } = context
  const formers = plans.flatMap(({ former }) => former ?? [])
  if (formers.length > 0) {
    publication.begun ??= beginPublication(site, copies, commit)
    await publication.begun
    const failures = await publication.writer.remove(formers)
    for (const plan of plans) {
      const failure = failures.get(plan.page)
      if (failure) fail(plan, failure, published)
    }
  }
  for (const { page, forgotten } of plans) {
    if (forgotten === undefined || published.errors.has(page)) continue
    published.removed.push(page)
    publication.growth -= forgotten.bytes
  }
}

function fail({ page, formerUrl }: Plan, failure: CopyFailure, published: PublishedCopies): void {
  published.errors.set(page, failure)
  published.outcomes.set(page, { state: 'failed', formerUrl })
}

/** Writes copies. Those that exceed the quota are removed again. */
async function write(
  context: PublishContext,
  plans: readonly Plan[],
  published: PublishedCopies,
): Promise<void> {
  const { publication, quotaBytes: limit = Number.POSITIVE_INFINITY } = context
  const writes = plans.flatMap(({ write }) => write ?? [])
  const recorded = await announce(context, writes)
  const outcomes = await publication.writer.write(writes.map(({ copy }) => copy))
  const over: Plan[] = []
  for (const plan of plans) {
    const outcome = outcomes.get(plan.page)
    const { write } = plan
    if (write === undefined || outcome === undefined) continue
    if (isFailure(outcome)) {
      fail(plan, outcome, published)
      continue
    }
    const growth = outcome.bytes - write.record.bytes
    // A copy that does not grow is always accepted.
    if (growth > 0 && recorded + publication.growth + growth > limit) {
      const { page, location } = write.copy
      over.push({ ...plan, former: { page, location }, forgotten: write.record })
    } else {
      publication.growth += growth
      succeed(plan, write, outcome, published)
    }
  }
  for (const { page, formerUrl } of over)
    published.outcomes.set(page, { state: 'quota', formerUrl })
  await remove(context, over, published)
}

/**
 * Stores the records of copies before their files are written, and begins the publication with the first ones.
 * @returns the size of the site's copies as it is recorded, in bytes; 0 without a quota
 */
async function announce(context: PublishContext, writes: readonly Write[]): Promise<number> {
  const { site, copies, publication, commit, quotaBytes } = context
  const records = writes.map(({ record }) => record)
  let recorded = 0
  const store = (number?: (tx: Tx) => void): Promise<void> =>
    commit(async (tx) => {
      number?.(tx)
      await storeCopyRecords(tx, site, records)
      if (quotaBytes !== undefined)
        sumCopyBytes(tx, site, (bytes) => {
          recorded = bytes
        })
    })
  if (publication.begun) {
    await publication.begun
    await store()
    return recorded
  }
  publication.begun = beginPublication(site, copies, store)
  try {
    await publication.begun
  } catch (error) {
    // The next batch begins it: this one may have failed because of its pages.
    publication.begun = undefined
    throw error
  }
  return recorded
}

function succeed(
  { formerUrl }: Plan,
  { record, inputs, copy: { digest } }: Write,
  { wasThere, ...files }: WrittenCopy,
  { outcomes, records }: PublishedCopies,
): void {
  records.push({ ...record, ...inputs, digest, ...files })
  const before = formerUrl ?? (wasThere && record.url)
  outcomes.set(record.page, { state: 'written', formerUrl: before })
}
