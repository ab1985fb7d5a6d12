import type { StoreSettings } from '../../host/config/store-settings.ts'
import { isNotInstalled } from '../../host/load-package.ts'
import { type CopyStore, type CopyStoreContext, UnusableTargetError } from './copy-store.ts'
import { StaticFolder } from './static-folder.ts'

/** What keeps the static copies in the settings: a folder, an object store, or nothing. */
export type CopyStoreSettings = {
  /** Folder of the static copies. */
  readonly staticDir: string | undefined
  /** Opens the store of the static copies, in place of a folder [none]. */
  readonly openStore?: OpenStore | undefined
}

/** Opens a store. Nothing is connected or written yet. */
export type OpenStore = (context: CopyStoreContext) => CopyStore

export type CopyStoreOptions = CopyStoreSettings & CopyStoreContext

/** Opens what keeps the static copies; undefined if they are turned off. Nothing is connected or written yet. */
export function openCopyStore({
  staticDir,
  openStore,
  ...context
}: CopyStoreOptions): CopyStore | undefined {
  if (openStore) return openStore(context)
  return staticDir === undefined ? undefined : new StaticFolder({ ...context, staticDir })
}

/**
 * Loads the package for stores (`packages/store-s3`), which a process without a store does without.
 * @throws UnusableTargetError if what the package needs is not installed
 */
export async function loadStore(settings: StoreSettings): Promise<OpenStore> {
  const { ObjectStore } = await import('#store-s3').catch((error: unknown) => {
    if (!isNotInstalled(error)) throw error
    throw new UnusableTargetError(
      'STATIC_TARGET names a store, but the package aws4fetch, which stores need, is not installed. Install it beside wp-frames (npm install aws4fetch@1), or set STATIC_DIR to a folder instead',
    )
  })
  return (context) => new ObjectStore({ ...context, ...settings })
}
