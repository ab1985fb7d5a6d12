import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import type { CopyStore } from '../../build/publishing/copy-store.ts'
import { NetworkIdentities } from '../../build/publishing/network-identity.ts'
import { loadStore, openCopyStore } from '../../build/publishing/open-copy-store.ts'
import type { Config } from '../../host/config/config.ts'
import { nameOf, parseStoreAddress, type StoreAddress } from '../../host/config/store-address.ts'
import { type CliServices, CommandError } from '../cli-context.ts'

/** A folder, or the address of a store. */
export type NamedTarget = { readonly folder: string } | { readonly store: StoreAddress }

/**
 * Parses what names a target of static copies: the path of a folder, or what STATIC_TARGET takes.
 * @throws InvalidArgumentError
 */
export function parseNamedTarget(text: string): NamedTarget {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    if (text === '')
      throw new InvalidArgumentError('Name a folder, or a store as in STATIC_TARGET.')
    return { folder: resolve(text) }
  }
  const store = parseStoreAddress(text)
  if (typeof store === 'string') throw new InvalidArgumentError(`It ${store}.`)
  return { store }
}

/** The present target of the settings, and another one. */
type Targets = { readonly present: CopyStore; readonly other: CopyStore }

/**
 * Opens another target than that of the settings, for some work. The keys of a store are those of the settings.
 * @throws CommandError if there is no present target, or one contains the other
 */
export async function withOtherTarget<T>(
  services: CliServices,
  named: NamedTarget,
  work: (targets: Targets) => Promise<T>,
): Promise<T> {
  const { config, copies: present } = services
  if (present === undefined)
    throw new CommandError(
      'There are no static copies: STATIC_DIR is empty and STATIC_TARGET is not set. Set the one that the processes of the service have.',
    )
  await assertApart(config, named, present)
  const identities = new NetworkIdentities(services.db, services.globals)
  const options = { ...services, identities }
  const other = openCopyStore(
    'folder' in named
      ? { ...options, staticDir: named.folder }
      : {
          ...options,
          staticDir: undefined,
          openStore: await loadStore({
            address: named.store,
            credentials: config.storeCredentials,
          }),
        },
  )
  if (other === undefined) throw new Error('no target was opened')
  try {
    return await work({ present, other })
  } finally {
    await other.close()
  }
}

/** What is in the outer one would be in the inner one too, so that copies of one would be taken for orphans of the other. */
async function assertApart(
  { staticDir, staticStore }: Config,
  named: NamedTarget,
  present: CopyStore,
): Promise<void> {
  const own = staticStore ? extentOf({ store: staticStore.address }) : undefined
  const extents = await Promise.all([
    own ?? extentOf({ folder: resolve(staticDir ?? '') }),
    extentOf(named),
  ])
  const [first, second] = extents
  if (first === second)
    throw new CommandError(
      `"${describeTarget(named)}" is the present target of the static copies (${present.setting}). Name another one.`,
    )
  if (!first.startsWith(second) && !second.startsWith(first)) return
  throw new CommandError(
    `"${describeTarget(named)}" and the present target "${present.name}" (${present.setting}) are one within the other. Name one that is apart from it.`,
  )
}

/** The real path of a folder, or the address of the objects, with a slash at the end. */
async function extentOf(named: NamedTarget): Promise<string> {
  if ('store' in named) return `${named.store.endpoint}/${named.store.bucket}/${named.store.prefix}`
  const path = await realpath(named.folder).catch(() => named.folder)
  return path.endsWith('/') ? path : `${path}/`
}

export const describeTarget = (named: NamedTarget): string =>
  'folder' in named ? named.folder : nameOf(named.store)
