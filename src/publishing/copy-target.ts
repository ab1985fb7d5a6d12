import type { Tx } from '../db/transaction.ts'
import { OperatorError } from '../errors.ts'
import type { Address } from '../wordpress/permalinks/address.ts'
import type { CopyFailure } from './copy-failure.ts'
import type {
  CopyQuery,
  CopyQuota,
  FormerCopy,
  FoundCopy,
  NewCopy,
  WrittenFiles,
} from './copy-jobs.ts'
import type { NetworkIdentity } from './network-identity.ts'
import type { CopyOwner } from './static-copy.ts'
import type { ServedCopy } from './static-copy-cache.ts'

/**
 * Where the static copies of a network are kept. The database has a record of each copy; a target has the copies themselves, and what shows
 * that the database is older than they are.
 */
export interface CopyTarget {
  /** Its name in messages, such as the path of a folder. */
  readonly name: string
  /** The setting that names it. */
  readonly setting: 'STATIC_DIR' | 'STATIC_TARGET'
  /** Shortest time between two writes of the same copy, in milliseconds: stores refuse more. */
  readonly rewriteMs: number
  /**
   * Resolves unless the target belongs to another network. A moved or copied database may use it, because the operator decides later.
   * @throws CopyTargetError
   */
  assertOwn(): Promise<void>
  /**
   * Resolves if copies may be written.
   * @throws CopyTargetError, and errors of the target and the database
   */
  assertPresent(): Promise<void>
  /**
   * Like `assertPresent`. Also throws if writing a copy would fail.
   * @throws Error whose message says what the problem is
   */
  assertWritable(): Promise<void>
  /** The identity of the network that the target belongs to; undefined if it belongs to none yet. */
  readNetwork(): Promise<string | undefined>
  /** Why copies cannot be written and how to fix it, without a full stop; undefined if they can. Leaves nothing behind. */
  findWriteProblem(): Promise<string | undefined>
  /** Why nothing may be written: the target is not the one that was used before. Undefined if it is, or cannot be read. */
  findMissing(): Promise<string | undefined>
  /** Why nothing may be written: the target belongs to another network. Undefined if it does not, or cannot be read. */
  findForeign(network: NetworkIdentity): Promise<string | undefined>

  /** Where the copy of a URL is. URLs with the same location share a copy. Undefined for a URL that can have none. */
  locate(url: string): string | undefined
  /** Finds the copies of a site, in the order of the queries; null for a page that has none. */
  find(site: number, copies: readonly CopyQuery[]): Promise<(FoundCopy | null)[]>
  /** All copies that have an owner. Copies without one were created by hand. */
  listOwned(): AsyncIterable<OwnedCopy>
  /** The owner of the copy at a location; undefined if there is none. */
  readOwner(location: string): Promise<CopyOwner | undefined>
  /** The HTML of the copy at a location, and its owner; undefined if there is none. It may be damaged. */
  read(site: number, location: string): Promise<ReadCopy | undefined>

  /**
   * Opens a claim, which can change copies until it ends or is fenced.
   * @param site blog id
   * @param claimId 16 hexadecimal digits, never used before
   */
  openClaim(site: number, claimId: string): Promise<CopyClaim>
  /**
   * Ends the influence of a claim whose lease has ended: it can change no copy any more, however late its worker wakes up.
   * @param tx the transaction in which the next owner takes over, if there is one
   */
  fenceClaim(claimId: string, tx?: Tx): Promise<void>
  /** The ids of the claims that are open, or have left something behind, sorted. */
  listClaims(): Promise<string[]>

  /** The publication numbers that the target remembers. */
  readNumbers(): Promise<PublicationNumbers>
  /** Stores a number. A higher one stays, also one of another process. */
  storeNumber(bucket: number, number: number): Promise<void>

  /** Opens the copies for visitors. */
  openReader(options: ReaderOptions): CopyReader

  /**
   * Removes the marker, the publication numbers and what keeps locations occupied: a process that still has this target writes nothing there any
   * more. Call it once the copies are removed.
   */
  removeMarker(): Promise<void>

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
   * @returns by page: what was written, `over` if the copy would exceed the quota, or the failure
   * @throws LostLeaseError
   */
  write(
    copies: readonly NewCopy[],
    findQuota?: () => Promise<CopyQuota>,
  ): Promise<Map<number, WrittenFiles | 'over' | CopyFailure>>
  /**
   * Removes copies, and what a crash has left of them. The copy of another page at the same location stays.
   * @returns by page: why it could not be removed
   * @throws LostLeaseError
   */
  remove(copies: readonly FormerCopy[]): Promise<Map<number, CopyFailure>>
  /**
   * Call it in a transaction that stores copy records, so that it ends early. Whether the records are stored, the database decides
   * (`PublishContext.assertOwned`).
   * @param tx this transaction; missing outside of one
   * @throws LostLeaseError if the claim was fenced
   */
  assertPresent(tx?: Tx): Promise<void>
  /** Ends the claim. */
  end(): Promise<void>
}

/** Finds copies for visitors. */
export type CopyReader = {
  /**
   * The copy at an address; undefined if there is none. The query and a trailing slash of the address are ignored.
   * @throws errors of the target; the page can be rendered
   */
  find(address: Address): Promise<ServedCopy | undefined>
}

export type ReaderOptions = {
  /** Receives the names of damaged files when they are read. */
  readonly onDamage: (names: readonly string[]) => void
}

/** The target of the static copies must not be used, or cannot be used now. The message is for the operator: it may contain paths. */
export class CopyTargetError extends OperatorError {
  override readonly name: string = 'CopyTargetError'
}

/** The target cannot be used, and will not be usable by itself. */
export class UnusableTargetError extends CopyTargetError {
  override readonly name = 'UnusableTargetError'
}

/** A copy and the page that it belongs to. */
export type OwnedCopy = { readonly location: string; readonly owner: CopyOwner }

/** A copy as it was read. */
export type ReadCopy = { readonly html: Buffer; readonly owner: CopyOwner | undefined }

/** Publication numbers by bucket; a missing one is 0. */
export type PublicationNumbers = ReadonlyMap<number, number>

/** Another worker fenced the claim, because its lease had ended: nothing that it would still write may be seen. */
export class LostLeaseError extends Error {
  override readonly name = 'LostLeaseError'

  constructor(claimId: string) {
    super(`the claim ${claimId} has lost its lease: it was fenced`)
  }
}
