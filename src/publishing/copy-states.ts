import type { Db } from '../db/database.ts'
import type { StaticReason } from '../effects.ts'
import { sha256Hex } from '../hash.ts'
import type { ShownTags } from './cache-tags.ts'
import { type CopyRecord, type CopySite, readCopyRecords } from './copies-table.ts'
import type { CopyQuery, FoundCopy } from './copy-jobs.ts'
import type { CopyTarget } from './copy-target.ts'

/** The copy of a page that exists, or existed before the page was published. */
export type ExistingCopy = { readonly url: string; readonly htmlBytes: number }

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

/** The desired and the present state of a page's copy. */
export type CopyState = {
  readonly wanted: WantedCopy
  /** SHA-256 of the wanted HTML; undefined if the page is to have no copy. */
  readonly digest: string | undefined
  /** Where its URL has its copy; undefined if it can have none. */
  readonly location: string | undefined
  readonly record: CopyRecord | undefined
  /** The location of the URL in the record. */
  readonly recordLocation: string | undefined
  /** The copy that exists, at the URL in the record; without a record, at the page's URL. */
  readonly found: (FoundCopy & ExistingCopy) | undefined
}

/** Reads the records of pages, in one statement for some thousand pages, and finds their copies. */
export async function findCopyStates(
  { db, site, copies: target }: FindContext,
  wanted: readonly WantedCopy[],
  known?: ReadonlyMap<number, CopyRecord>,
): Promise<CopyState[]> {
  const pages = wanted.map(({ page }) => page)
  const records = known ?? (await readCopyRecords(db, site, pages))
  const locate = (url: string | undefined) => (url === undefined ? undefined : target.locate(url))
  const states = wanted.map((one) => {
    const record = records.get(one.page)
    const { publication } = one
    const digest = 'html' in publication ? sha256Hex(publication.html) : undefined
    const locations = { location: locate(one.url), recordLocation: locate(record?.url) }
    return { wanted: one, record, digest, ...locations }
  })
  const queries = states.flatMap(({ wanted: { page }, record, digest, ...locations }) => {
    const at = record ? locations.recordLocation : locations.location
    if (at === undefined) return []
    const query = queryOf(site.blogId, page, at, record)
    // A copy that is replaced anyway is not read.
    if (digest === undefined) return query
    if (digest === record?.digest) return { ...query, digest }
    // A record without a digest: what a crash has left is not known.
    const isKnown = record === undefined || record.digest !== undefined
    return isKnown ? { ...query, isReplaced: true as const } : query
  })
  const copies = await target.find(site.blogId, queries)
  const copyOf = new Map(queries.map(({ page }, index) => [page, copies[index]]))
  return states.map((state) => {
    const { page, url: wantedUrl } = state.wanted
    const copy = copyOf.get(page)
    const url = state.record?.url ?? wantedUrl
    return { ...state, found: copy && url !== undefined ? { ...copy, url } : undefined }
  })
}

type FindContext = {
  readonly db: Db
  readonly site: CopySite
  readonly copies: CopyTarget
}

/** The query for a copy, by its record if there is one. */
export function queryOf(
  site: number,
  page: number,
  location: string,
  { digest, htmlBytes, fileTime }: Partial<CopyRecord> = {},
): CopyQuery {
  const isComplete = digest !== undefined && htmlBytes !== undefined && fileTime !== undefined
  return { location, site, page, ...(isComplete ? { recorded: { htmlBytes, fileTime } } : {}) }
}
