import type { Database } from '../../db/database.ts'
import { OperatorError } from '../../host/errors.ts'
import type { Log } from '../../host/log.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import type { Address } from '../../wordpress/permalinks/address.ts'
import type { CopyTags, ShownTags } from './cache-tags.ts'
import type { CopyRecord } from './copies-table.ts'
import type { NetworkIdentities, NetworkIdentity } from './network-identity.ts'
import type { CopyOwner } from './static-copy.ts'
import type { ServedCopy } from './static-copy-cache.ts'

/**
 * What keeps the static copies of a network: a folder or an object store. The database has a record of each copy; this has the copies
 * themselves, and what shows that the database is older than they are.
 */
export interface CopyStore {
  /** Its name in messages, such as the path of a folder. */
  readonly name: string
  /** The setting that names it. */
  readonly setting: 'STATIC_DIR' | 'STATIC_TARGET'
  /** Shortest time between two writes of the same copy, in milliseconds: stores refuse more. */
  readonly rewriteMs: number

  /**
   * Resolves if the network may change copies. The first network that opens it gets it.
   * @throws CopyTargetError if it may not, or not now; errors of the system and the database
   */
  open(): Promise<void>
  /**
   * Finds out whether a copy could be written now. Leaves nothing behind.
   * @throws CopyTargetError that says why not
   */
  test(): Promise<void>
  /**
   * Whose it is. Changes nothing.
   * @throws CopyTargetError if it cannot be read; errors of the database
   */
  inspect(network: NetworkIdentity): Promise<StoreInspection>

  /** Where the copy of a URL is. URLs with the same location share a copy. Undefined for a URL that can have none. */
  locate(url: string): string | undefined
  /**
   * Compares copies of a site with what their records say, in this order.
   * @throws CopyTargetError, and errors of the system
   */
  check(site: number, copies: readonly CheckedCopy[]): Promise<CopyFiles[]>
  /** All copies that have an owner. Copies without one were created by hand. */
  list(): AsyncIterable<OwnedCopy>
  /** The copy at a location; undefined if there is none. It may be damaged. */
  read(site: number, location: string): Promise<ReadCopy | undefined>

  /**
   * Begins to change copies of a site.
   * @param owner id of the builder, or of another writer: 16 hexadecimal digits, never used before
   */
  begin(site: number, owner: string): Promise<CopyWriter>
  /**
   * Ends the influence of a writer whose lease has ended: it can change no copy any more, however late its process wakes up.
   */
  fence(owner: string): Promise<void>
  /** The ids of the writers that are open, or have left something behind, sorted. */
  owners(): Promise<string[]>
  /**
   * The publication numbers that it remembers, by bucket; a missing one is 0.
   * @param raise a number to remember; a higher one stays, also one of another process
   */
  marks(raise?: { readonly bucket: number; readonly number: number }): Promise<PublicationNumbers>

  /** Opens the copies for visitors. */
  openReader(options: ReaderOptions): CopyReader
  /**
   * Removes the marker, the publication numbers and what keeps locations occupied: a process that still uses it writes nothing there any more. Call
   * it once the copies are removed.
   */
  removeMarker(): Promise<void>
  /** Frees what it uses in this process. */
  close(): Promise<void>
}

/** What it is made of. */
export type CopyStoreContext = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly log: Log
  readonly identities: NetworkIdentities
}

/** Changes copies of a site until it ends or is fenced. */
export interface CopyWriter {
  /**
   * Writes copies. One that fails does not affect the others; once nothing can be written, all further ones fail.
   * @returns by page
   * @throws LostLeaseError, and errors of the system
   */
  write(copies: readonly NewCopy[]): Promise<Map<number, WrittenCopy | CopyFailure>>
  /**
   * Removes copies, and what a crash has left of them. The copy of another page at the same location stays.
   * @returns those that could not be removed, by page
   * @throws LostLeaseError, and errors of the system
   */
  remove(copies: readonly PlacedCopy[]): Promise<Map<number, CopyFailure>>
  end(): Promise<void>
}

/** A page and the location of its copy. */
export type PlacedCopy = { readonly page: number; readonly location: string }

/** A copy to write. */
export type NewCopy = PlacedCopy &
  Pick<CopyRecord, 'url' | 'version' | 'fileTime'> & {
    readonly html: string
    /** SHA-256 of the HTML. */
    readonly digest: string
    /** What the page shows, if pages have tags. */
    readonly shown?: ShownTags | undefined
    /** For the metadata of a store, if pages have tags. */
    readonly tagged?: CopyTags | undefined
    /** The copy that it replaces names the right owner. */
    readonly isOwned?: boolean
  }

/** A copy that was written. */
export type WrittenCopy = Required<Pick<CopyRecord, 'fileTime' | 'htmlBytes' | 'bytes'>> & {
  /** There was a copy of the page, although no record had it. */
  readonly wasThere?: true
}

/** Why a copy could not be written or removed: plain data, which may come from a thread. */
export type CopyFailure = {
  /** `exposed`: visitors see a copy that must not be there. `unwritable`: the page has no copy, or an old one. */
  readonly code: 'exposed' | 'unwritable'
  /** For clients: it names the folder relative to STATIC_DIR, or the object, and says what to do. */
  readonly message: string
  /** The error of the system or the store, for the log: it may contain paths. */
  readonly reason: string
  /** The target is busy or away, so that the same may succeed soon. */
  readonly isTemporary: boolean
  /** The target accepts nothing now: a condition of the system, not of one copy. */
  readonly isOutage: boolean
}

/**
 * What a copy is compared with. Contents are compared only if there is a digest. Without size and time, as while its files are written, nothing is
 * compared: it is intact if the page has any copy there.
 */
export type CheckedCopy = Pick<CopyRecord, 'page' | 'url' | 'digest' | 'fileTime' | 'htmlBytes'> & {
  /** The copy is about to be written: whether it exists may be answered as it is recorded. */
  readonly isReplaced?: true
}

/**
 * What became of a copy. The copy of another page does not count. `doubtful`: it is as recorded, but a request of a process that was killed can
 * still change it. When its page is published, it is written again, so that the request fails.
 */
export type CopyFiles = 'intact' | 'doubtful' | 'damaged' | 'missing'

/** A copy and the page that it belongs to. */
export type OwnedCopy = { readonly location: string; readonly owner: CopyOwner }

/** A copy as it was read. */
export type ReadCopy = { readonly html: Buffer; readonly owner: CopyOwner | undefined }

/** To whom a target belongs. */
export type StoreInspection = {
  /** The identity of its network; undefined if it belongs to none yet. */
  readonly network: string | undefined
  /** Why nothing may be written: it belongs to another network. */
  readonly foreign: string | undefined
  /** Why nothing may be written: it is not the one that was used before. */
  readonly missing: string | undefined
  /** What will keep copies from being written soon. */
  readonly warning?: string | undefined
}

/** Publication numbers by bucket; a missing one is 0. */
export type PublicationNumbers = ReadonlyMap<number, number>

/** Finds copies for visitors. */
export type CopyReader = {
  /**
   * The copy at an address; undefined if there is none. The query and a trailing slash of the address are ignored.
   * @throws errors of the system; the page can be rendered
   */
  find(address: Address): Promise<ServedCopy | undefined>
}

export type ReaderOptions = {
  /** Receives the names of damaged files when they are read. */
  readonly onDamage: (names: readonly string[]) => void
}

/** The beginning of messages that say why nothing can be written. */
export const CANNOT_WRITE = 'Static copies cannot be written: '

/** What keeps the copies must not be used, or cannot be used now. The message is for the operator: it may contain paths. */
export class CopyTargetError extends OperatorError {
  override readonly name: string = 'CopyTargetError'
}

/** It cannot be used, and will not be usable by itself. */
export class UnusableTargetError extends CopyTargetError {
  override readonly name = 'UnusableTargetError'
}
