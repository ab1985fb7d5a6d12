import { MARKER, networkIn } from '#wp-frames/build/publishing/network-marker'
import { StoreError } from './store-error.ts'
import type { StoreObjects } from './store-objects.ts'

/** A store of another network, by the prefix of its keys. */
export type Neighbour = { readonly prefix: string; readonly network: string }

/** The requests of the service itself. */
const LANE = 0

/** The text of the marker object below a prefix; undefined if there is none. */
export async function readMarker(
  objects: StoreObjects,
  prefix: string,
): Promise<string | undefined> {
  const marker = await objects.get(LANE, prefix + MARKER)
  return typeof marker === 'object' ? marker.body.toString() : undefined
}

/** The store that contains this one, if it belongs to another network: its program would take these objects for its own. */
export async function findForeignParent(
  objects: StoreObjects,
  identity: string,
): Promise<Neighbour | undefined> {
  const segments = objects.address.prefix.split('/').slice(0, -1)
  for (let length = 0; length < segments.length; length += 1) {
    const prefix = segments.slice(0, length).map((segment) => `${segment}/`)
    const found = await findForeign(objects, prefix.join(''), identity).catch(ignoreDenied)
    if (found) return found
  }
  return undefined
}

/**
 * A store of another network below this one, if it is among the first keys: this program would contain its objects. Called before the first use,
 * when there should be nothing.
 */
export async function findForeignChild(
  objects: StoreObjects,
  identity: string,
): Promise<Neighbour | undefined> {
  const { value } = await objects.list(LANE, objects.address.prefix).next()
  const keys: readonly string[] = value ?? []
  for (const key of keys.filter((one) => one.endsWith(`/${MARKER}`))) {
    const found = await findForeign(objects, key.slice(0, -MARKER.length), identity)
    if (found) return found
  }
  return undefined
}

async function findForeign(
  objects: StoreObjects,
  prefix: string,
  identity: string,
): Promise<Neighbour | undefined> {
  const network = networkIn(await readMarker(objects, prefix))
  return network === undefined || network === identity ? undefined : { prefix, network }
}

/** Keys that are limited to a prefix cannot read what contains it. */
function ignoreDenied(error: unknown): undefined {
  if (!(error instanceof StoreError) || error.status !== 403) throw error
}
