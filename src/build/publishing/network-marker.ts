import { createHash } from 'node:crypto'
import { isDatabaseUnavailable, isDenied } from '../../db/database-error.ts'
import { readRows, runStatement } from '../../db/sql.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { type CopyStoreContext, CopyTargetError, type StoreInspection } from './copy-store.ts'
import type { NetworkIdentity } from './network-identity.ts'

/** The marker. It distinguishes the folder of static copies from the empty mount point of a file system that is not mounted. */
export const MARKER = '.wp-frames'

/** The paths and addresses that were used for static copies. */
export const foldersTable = ({ basePrefix }: GlobalTables): string =>
  `${basePrefix}svc_static_folders`

/** A folder or store that has a marker. */
export type MarkedTarget = {
  readonly name: string
  /** What identifies it in the table of those that were used. */
  readonly path: string
  /** The text of the marker; undefined if there is none. */
  read(): Promise<string | undefined>
  write(text: string): Promise<void>
  /** Called before the marker is written for the first time. */
  prepare(network: NetworkIdentity): Promise<void>
  /** In messages: `the file`, and what to do if the marker is that of another network, or is gone. */
  readonly texts: {
    readonly marker: string
    readonly ifForeign: string
    readonly ifMissing: string
  }
}

const TEXT =
  'These are the static copies of wp-frames. Do not delete this: without it wp-frames writes nothing here, because the file system may not be mounted.\n'

/** The operator decides, because a database does not show whether its original is still in use. */
const MOVED_OR_COPIED =
  'The database is at a new name: it was moved or copied. If it was moved, run: wp-frames network moved. If it is a copy and the original stays in use, for example for staging, run: wp-frames network copied. Until then nothing is published, no page cache is purged, and nothing is passed to LEGACY_URL'

/** What a marker says. */
type Marker = { readonly exists: boolean; readonly network: string | undefined }

/**
 * The marker of what keeps the static copies: it names the network that this belongs to. The first use of a path creates it. The table
 * `svc_static_folders` records the paths that were used; without a marker, one of these is rejected.
 */
export class NetworkMarker {
  readonly #context: CopyStoreContext
  readonly #target: MarkedTarget
  #isRecorded = false

  constructor(context: CopyStoreContext, target: MarkedTarget) {
    this.#context = context
    this.#target = target
  }

  /**
   * Resolves if the network may change what is here.
   * @returns false if the database is unavailable: nothing is published then, and it is not the target that is at fault
   * @throws CopyTargetError
   */
  async open(): Promise<boolean> {
    const { log, identities } = this.#context
    const network = await identities.read().catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error
    })
    if (network === undefined) return false
    const marker = await this.#read()
    this.#assertNoProblem(this.#foreign(marker, network))
    if (!network.isKnownDatabase) throw new CopyTargetError(MOVED_OR_COPIED)
    if (marker.network === undefined) {
      this.#assertNoProblem(await this.#missing(marker))
      await this.#target.prepare(network)
      await this.#target.write(`${TEXT}network: ${network.identity}\n`)
      // Of two networks that do so at the same time, one finds the other's identity.
      this.#assertNoProblem(this.#foreign(await this.#read(), network))
      log.info(
        { target: this.#target.name },
        'static copies: the target belongs to this network now',
      )
    }
    if (!this.#isRecorded) await this.#record()
    return true
  }

  async inspect(network: NetworkIdentity): Promise<StoreInspection> {
    const marker = await this.#read()
    const foreign = this.#foreign(marker, network)
    return { network: marker.network, foreign, missing: await this.#missing(marker) }
  }

  /** Why a network may not use what another one has. */
  describeForeign(name: string, owner: string, { identity }: NetworkIdentity): string {
    const { marker, ifForeign } = this.#target.texts
    return `"${name}" belongs to another network: ${marker} ${MARKER} names ${owner}, this database is ${identity}. Set ${ifForeign}, or DATABASE_URL to the database of that network. If this database replaces it, for example from an old backup, run: wp-frames network moved --take-folder`
  }

  async #read(): Promise<Marker> {
    const text = await this.#target.read()
    return { exists: text !== undefined, network: networkIn(text) }
  }

  #foreign({ network: owner }: Marker, network: NetworkIdentity): string | undefined {
    return owner === undefined || owner === network.identity
      ? undefined
      : this.describeForeign(this.#target.name, owner, network)
  }

  async #missing({ exists }: Marker): Promise<string | undefined> {
    if (exists) return undefined
    const { db, globals } = this.#context
    const { name, path, texts } = this.#target
    const used = await readRows(db, 'SELECT 1 FROM :folders: WHERE digest = :digest', {
      folders: foldersTable(globals),
      digest: digestOf(path),
    })
    return used.length === 0
      ? undefined
      : `"${name}" was used for static copies before, but ${texts.marker} ${MARKER} is missing. ${texts.ifMissing}`
  }

  #assertNoProblem(problem: string | undefined): void {
    if (problem !== undefined) throw new CopyTargetError(problem)
  }

  /** Called after the marker exists: a crash in between must not leave a target that is rejected. */
  async #record(): Promise<void> {
    const { db, globals } = this.#context
    const { path } = this.#target
    try {
      await db.write({}, async (tx) => {
        await runStatement(
          tx,
          'INSERT IGNORE INTO :folders: (digest, path) VALUES (:digest, :path)',
          { folders: foldersTable(globals), digest: digestOf(path), path },
        )
      })
      this.#isRecorded = true
    } catch (error) {
      // The next call retries.
      if (!isDenied(error) && !isDatabaseUnavailable(error)) throw error
    }
  }
}

/** The identity in the text of a marker. */
export const networkIn = (text: string | undefined): string | undefined =>
  /^network: ([0-9a-f-]{36})$/m.exec(text ?? '')?.[1]

const digestOf = (path: string): Buffer => createHash('sha256').update(path).digest()
