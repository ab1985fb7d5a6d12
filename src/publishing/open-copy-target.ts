import type { StoreSettings } from '../config/store-settings.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import type { CopyTarget } from './copy-target.ts'
import type { NetworkIdentities } from './network-identity.ts'
import { StaticFolder } from './static-folder.ts'
import { ObjectStore } from './store/object-store.ts'

/** The target of the static copies in the settings: a folder, a store, or none. */
export type CopyTargetSettings = {
  /** Folder of the static copies. */
  readonly staticDir: string | undefined
  /** The store of the static copies, in place of a folder [none]. */
  readonly staticStore?: StoreSettings | undefined
}

export type CopyTargetOptions = CopyTargetSettings & {
  readonly db: Database
  readonly globals: GlobalTables
  readonly log: Log
  readonly identities: NetworkIdentities
}

/** Opens the target of the static copies; undefined if they are turned off. Nothing is connected or written yet. */
export function openCopyTarget(options: CopyTargetOptions): CopyTarget | undefined {
  const { staticDir, staticStore } = options
  if (staticStore) return new ObjectStore({ ...options, ...staticStore })
  return staticDir === undefined ? undefined : new StaticFolder({ ...options, staticDir })
}
