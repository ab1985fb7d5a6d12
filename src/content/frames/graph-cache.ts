import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { sha256Hex } from '../../host/hash.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { OptionRow } from '../../wordpress/options/read-options.ts'
import type { FrameGraph, IndexedFrame } from './graph.ts'
import { REGISTRY_OPTION, VERSION_OPTION } from './option-names.ts'
import type { Registry } from './registry.ts'

/**
 * Identifies a state of a site's frames: the nonce that every write replaces, and a hash of the registry, because the legacy PHP endpoint
 * changes the registry without replacing the nonce.
 */
type GraphVersion = string

/**
 * Selects the options that `versionIn` needs, and others. Bindings: `versionedBindings`. Converted, because a digest has the character set of the
 * connection, which a column of another one is not mixed with.
 */
export const VERSIONED_OPTIONS_SQL = `
  SELECT option_name, IF(option_name = :registry, SHA2(option_value, 256), CONVERT(option_value USING utf8mb4)) AS option_value
  FROM :options: WHERE option_name IN (:names)`

/** @param others names of options to read as well */
export function versionedBindings({ tables }: Site, others: readonly string[] = []) {
  const names = [REGISTRY_OPTION, VERSION_OPTION, ...others]
  return { options: tables.options, registry: REGISTRY_OPTION, names }
}

export function optionsOf(rows: readonly OptionRow[]): ReadonlyMap<string, string> {
  return new Map(rows.map((row) => [row.option_name, row.option_value]))
}

/** Reads the version of a site's frames, in one statement on two indexed rows. */
export async function readGraphVersion(db: Db, site: Site): Promise<GraphVersion | undefined> {
  const rows = await readRows<OptionRow>(db, VERSIONED_OPTIONS_SQL, versionedBindings(site))
  return versionIn(optionsOf(rows))
}

/** The version in these options. Undefined without a registry, because the legacy endpoint could then change any record unnoticed. */
export function versionIn(options: ReadonlyMap<string, string>): GraphVersion | undefined {
  const registry = options.get(REGISTRY_OPTION)
  return registry === undefined ? undefined : `${options.get(VERSION_OPTION) ?? ''} ${registry}`
}

export function newVersionNonce(): string {
  return randomBytes(12).toString('hex')
}

/** The version with this nonce and this option value of the registry. */
export function graphVersionOf(nonce: string, registryText: string): GraphVersion {
  return `${nonce} ${sha256Hex(registryText)}`
}

type CachedGraph = { readonly version: GraphVersion; readonly graph: FrameGraph }

/** Approximate memory of a frame with its meta, and of its two names, in bytes. */
const CACHED_FRAME_BYTES = 1024
const CACHED_NAME_BYTES = 256

const graphKey = ({ prefix }: Site): string => `frames ${prefix}`

/** The cached graph, fresh or stale. */
export function peekCachedGraph(db: Db, site: Site): CachedGraph | undefined {
  return db.cache.get(graphKey(site)) as CachedGraph | undefined
}

/** The cached graph of this version. In a transaction, also the graph that it has written itself. */
export function findCachedGraph(
  db: Db | Tx,
  site: Site,
  version: GraphVersion | undefined,
): FrameGraph | undefined {
  const written = 'local' in db ? (db.local.get(graphKey(site)) as CachedGraph) : undefined
  const graphs = [written, peekCachedGraph(db, site)]
  return graphs.find((cached) => cached?.version === version)?.graph
}

/** Caches a graph that a transaction has written: at once for its own reads, and after the commit for all others. */
export function cacheWrittenGraph(
  tx: Tx,
  site: Site,
  version: GraphVersion,
  graph: FrameGraph,
): void {
  tx.local.set(graphKey(site), { version, graph })
  tx.afterCommit(async () => cacheGraph(tx, site, version, graph))
}

/** Caches a graph. The version must have been read before the graph. */
export function cacheGraph(db: Db, site: Site, version: GraphVersion, graph: FrameGraph): void {
  const cached: CachedGraph = { version, graph }
  db.cache.set(graphKey(site), cached, { size: CACHED_FRAME_BYTES * (graph.registry.size + 1) })
}

/** The whole registry, and those frames of one version that were read so far, each with all frames that it embeds. */
export type PartialGraph = {
  readonly registry: Registry
  readonly frames: ReadonlyMap<string, IndexedFrame>
}

type CachedPart = { readonly version: GraphVersion; readonly part: PartialGraph }

const partKey = ({ prefix }: Site): string => `some frames ${prefix}`

/** The cached part of this version. */
export function findCachedPart(
  db: Db,
  site: Site,
  version: GraphVersion | undefined,
): PartialGraph | undefined {
  const cached = db.cache.get(partKey(site)) as CachedPart | undefined
  return cached?.version === version ? cached?.part : undefined
}

/** Caches a part. The version must have been read before the part. */
export function cachePart(db: Db, site: Site, version: GraphVersion, part: PartialGraph): void {
  const cached: CachedPart = { version, part }
  const size = CACHED_NAME_BYTES * (part.registry.size + 1) + CACHED_FRAME_BYTES * part.frames.size
  db.cache.set(partKey(site), cached, { size })
}
