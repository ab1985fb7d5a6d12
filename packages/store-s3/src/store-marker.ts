import { nameOf, type StoreAddress } from '#wp-frames/config/store-address'
import type { Database } from '#wp-frames/db/database'
import { CopyTargetError } from '#wp-frames/publishing/copy-target'
import {
  foldersTable,
  MARKER,
  MOVED_OR_COPIED,
  pathDigest,
} from '#wp-frames/publishing/folder-marker'
import type { NetworkIdentity } from '#wp-frames/publishing/network-identity'
import type { GlobalTables } from '#wp-frames/wordpress/network/site'
import { StoreError } from './store-error.ts'
import type { StoreObjects } from './store-objects.ts'

/** The requests of the service itself. */
const LANE = 0

const TEXT =
  'These are the static copies of wp-frames. Do not delete this object: without it wp-frames writes nothing here.\n'

/** What a store says about the network that it belongs to. */
export type StoreMarker = {
  /** Whether there is a marker object. */
  readonly exists: boolean
  /** The identity that it names. */
  readonly network: string | undefined
}

/** Reads the marker object, which names the network, as the marker file of a folder does. */
export async function readMarker(objects: StoreObjects, prefix: string): Promise<StoreMarker> {
  const marker = await objects.get(LANE, prefix + MARKER)
  const text = typeof marker === 'object' ? marker.body.toString() : ''
  const network = /^network: ([0-9a-f-]{36})$/m.exec(text)?.[1]
  return { exists: marker !== undefined, network }
}

/** Writes the marker object. Of two networks that do so at the same time, the second one finds the first one's identity afterwards. */
export async function writeMarker(objects: StoreObjects, identity: string): Promise<void> {
  const body = Buffer.from(`${TEXT}network: ${identity}\n`)
  await objects.put(LANE, objects.address.prefix + MARKER, body, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  })
}

/** Removes the marker object. */
export async function deleteMarker(objects: StoreObjects): Promise<void> {
  await objects.delete(LANE, objects.address.prefix + MARKER)
}

/** The store that contains this one, if it belongs to another network: its program would take these objects for its own. */
export async function findForeignParent(
  objects: StoreObjects,
  identity: string,
): Promise<string | undefined> {
  const segments = objects.address.prefix.split('/').slice(0, -1)
  for (let length = 0; length < segments.length; length += 1) {
    const prefix = segments.slice(0, length).map((segment) => `${segment}/`)
    const { network } = await readMarker(objects, prefix.join('')).catch(ignoreDenied)
    if (network !== undefined && network !== identity)
      return describeForeign({ ...objects.address, prefix: prefix.join('') }, network, identity)
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
): Promise<string | undefined> {
  const { prefix } = objects.address
  const { value } = await objects.list(LANE, prefix).next()
  const keys: readonly string[] = value ?? []
  for (const key of keys.filter((one) => one.endsWith(`/${MARKER}`))) {
    const inner = key.slice(0, -MARKER.length)
    const { network } = await readMarker(objects, inner)
    if (network !== undefined && network !== identity)
      return describeForeign({ ...objects.address, prefix: inner }, network, identity)
  }
  return undefined
}

/** Keys that are limited to a prefix cannot read what contains it. */
function ignoreDenied(error: unknown): StoreMarker {
  if (error instanceof StoreError && error.status === 403)
    return { exists: false, network: undefined }
  throw error
}

/** Why a store may not be used with this database; undefined if it may. */
export function findForeignStore(
  address: StoreAddress,
  { network }: StoreMarker,
  { identity, isKnownDatabase }: NetworkIdentity,
): string | undefined {
  if (network !== undefined && network !== identity)
    return describeForeign(address, network, identity)
  return isKnownDatabase ? undefined : MOVED_OR_COPIED
}

function describeForeign(address: StoreAddress, network: string, identity: string): string {
  return `"${nameOf(address)}" belongs to another network: its object ${MARKER} names ${network}, this database is ${identity}. Set STATIC_TARGET to a prefix or bucket of its own, or DATABASE_URL to the database of that network. If this database replaces it, for example from an old backup, run: wp-frames network moved --take-folder`
}

/** What identifies a store in the table of what was used for static copies (`svc_static_folders`). */
const pathOf = ({ baseUrl, prefix }: StoreAddress): string => baseUrl + prefix

/** Why nothing may be written: the store was used before and its marker object is missing. Undefined if it was not used. */
export async function findLostMarker(
  db: Database,
  globals: GlobalTables,
  address: StoreAddress,
): Promise<string | undefined> {
  const digest = pathDigest(pathOf(address))
  const used = await db.sql(foldersTable(globals)).where({ digest }).first('digest')
  return used === undefined
    ? undefined
    : `"${nameOf(address)}" was used for static copies before, but the object ${MARKER} is missing. Check that STATIC_TARGET names the right bucket and endpoint. If it was emptied on purpose, store an empty object with the key ${address.prefix}${MARKER}`
}

/** Records that a store is used. */
export async function recordStore(
  db: Database,
  globals: GlobalTables,
  address: StoreAddress,
): Promise<void> {
  const path = pathOf(address)
  await db.write({}, async (tx) => {
    await tx
      .sql(foldersTable(globals))
      .insert({ digest: pathDigest(path), path })
      .onConflict()
      .ignore()
  })
}

/** @throws CopyTargetError if there is a problem */
export function assertNoProblem(problem: string | undefined): void {
  if (problem !== undefined) throw new CopyTargetError(problem)
}
