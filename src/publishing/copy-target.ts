import type {
  CopyQuery,
  CopyQuota,
  FormerCopy,
  FoundCopy,
  NewCopy,
  WrittenFiles,
} from './copy-jobs.ts'
import type { CopyOwner } from './static-copy.ts'

/**
 * Where the static copies of a network are kept. The database has a record of each copy; a target has the copies themselves, and what shows
 * that the database is older than they are.
 */
export interface CopyTarget {
  /**
   * Resolves unless the target belongs to another network. A moved or copied database may use it, because the operator decides later.
   * @throws StaticFolderError
   */
  assertOwn(): Promise<void>
  /**
   * Resolves if copies may be written.
   * @throws StaticFolderError, and errors of the target and the database
   */
  assertPresent(): Promise<void>
  /**
   * Like `assertPresent`. Also throws if writing a copy would fail.
   * @throws Error whose message says what the problem is
   */
  assertWritable(): Promise<void>

  /** Where the copy of a URL is. URLs with the same location share a copy. Undefined for a URL that can have none. */
  locate(url: string): string | undefined
  /** Finds the copies of a site, in the order of the queries; null for a page that has none. */
  find(site: number, copies: readonly CopyQuery[]): Promise<(FoundCopy | null)[]>
  /** All copies that have an owner. Copies without one were created by hand. */
  listOwned(): AsyncIterable<OwnedCopy>
  /** The owner of the copy at a location; undefined if there is none. */
  readOwner(location: string): Promise<CopyOwner | undefined>

  /**
   * Opens a claim, which can change copies until it ends or is fenced.
   * @param site blog id
   * @param claimId 16 hexadecimal digits, never used before
   */
  openClaim(site: number, claimId: string): Promise<CopyClaim>
  /** Ends the influence of a claim whose lease has ended: it can change no copy any more, however late its worker wakes up. */
  fenceClaim(claimId: string): Promise<void>
  /** The ids of the claims that are open, or have left something behind, sorted. */
  listClaims(): Promise<string[]>

  /** The publication numbers that the target remembers. */
  readNumbers(): Promise<PublicationNumbers>
  /** Stores a number. A higher one stays, also one of another process. */
  storeNumber(bucket: number, number: number): Promise<void>

  /** Frees what the target uses in this process. */
  close(): Promise<void>
}

/** What one claim changes. */
export interface CopyClaim {
  /** By how much the copies that the claim has written and removed so far exceed what is recorded, in bytes. */
  growth: number
  /** The publication of the claim, once it has begun (`beginPublication`). */
  publication: Promise<void> | undefined
  /**
   * Writes copies. One that fails does not affect the others; once the target accepts no data, all further ones fail.
   * @param findQuota finds the quota of the site; called when the copies of the site that other calls write at the same time are written
   * @returns by page: what was written, `over` if the copy would exceed the quota, or the error
   * @throws LostLeaseError
   */
  write(
    copies: readonly NewCopy[],
    findQuota?: () => Promise<CopyQuota>,
  ): Promise<Map<number, WrittenFiles | 'over' | Error>>
  /**
   * Removes copies, and what a crash has left of them. The copy of another page at the same location stays.
   * @returns by page: whether anything was removed, or the error
   * @throws LostLeaseError
   */
  remove(copies: readonly FormerCopy[]): Promise<Map<number, boolean | Error>>
  /**
   * Call it in a transaction that stores copy records, so that it ends early. Whether the records are stored, the database decides
   * (`PublishContext.assertOwned`).
   * @throws LostLeaseError if the claim was fenced
   */
  assertPresent(): Promise<void>
  /** Ends the claim. */
  end(): Promise<void>
}

/** A copy and the page that it belongs to. */
export type OwnedCopy = { readonly location: string; readonly owner: CopyOwner }

/** Publication numbers by bucket; a missing one is 0. */
export type PublicationNumbers = ReadonlyMap<number, number>

/** Another worker fenced the claim, because its lease had ended: nothing that it would still write may be seen. */
export class LostLeaseError extends Error {
  override readonly name = 'LostLeaseError'

  constructor(claimId: string) {
    super(`the claim ${claimId} has lost its lease: it was fenced`)
  }
}
