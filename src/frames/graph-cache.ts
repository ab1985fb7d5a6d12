import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { FrameGraph, IndexedFrame } from './graph.ts'
import { REGISTRY_OPTION, VERSION_OPTION } from './option-names.ts'
import type { Registry } from './registry.ts'

/**
 * What tells two states of a site's frames apart: a word that every write draws anew, and the digest of the registry, which an older
 * endpoint may change without drawing one.
 */
export type GraphVersion = string

/** Bytes that a frame takes in memory, roughly, and its two names. */
const CACHED_FRAME_BYTES = 1024
const CACHED_NAME_BYTES = 256

export type CachedGraph = { readonly version: GraphVersion; readonly graph: FrameGraph }

const graphKey = ({ prefix }: Site): string => `frames ${prefix}`

/** The version of a site's frames, by one statement on two indexed rows. */
export async function readGraphVersion(db: Db, site: Site): Promise<GraphVersion | undefined> {
  const rows = await readRows<OptionRow>(db, VERSIONED_OPTIONS_SQL, versionedBindings(site))
  return versionIn(optionsOf(rows))
}

export type OptionRow = { readonly option_name: string; readonly option_value: string }

/** A statement on the options by which `versionIn` tells the version, and others; its values are `versionedBindings`. */
export const VERSIONED_OPTIONS_SQL = `
  SELECT option_name, IF(option_name = :registry, MD5(option_value), option_value) AS option_value
  FROM :options: WHERE option_name IN (:names)`

/** @param others names of options to read as well */
export function versionedBindings({ tables }: Site, others: readonly string[] = []) {
  const names = [REGISTRY_OPTION, VERSION_OPTION, ...others]
  return { options: tables.options, registry: REGISTRY_OPTION, names }
}

export function optionsOf(rows: readonly OptionRow[]): ReadonlyMap<string, string> {
  return new Map(rows.map((row) => [row.option_name, row.option_value]))
}

/** The version in what was read. Undefined where there is no registry: then every record may say something else than before. */
export function versionIn(options: ReadonlyMap<string, string>): GraphVersion | undefined {
  const registry = options.get(REGISTRY_OPTION)
  return registry === undefined ? undefined : `${options.get(VERSION_OPTION) ?? ''} ${registry}`
}

/** A word for the option `svc_frames_version` that no other write draws. */
export function newVersionNonce(): string {
  return randomBytes(12).toString('hex')
}

/** The version of a state with this word and this registry. */
export function graphVersionOf(word: string, registryText: string): GraphVersion {
  return `${word} ${createHash('md5').update(registryText).digest('hex')}`
}

/** The graph that is held, whether or not it is true still. */
export function peekCachedGraph(db: Db, site: Site): CachedGraph | undefined {
  return db.cache.get(graphKey(site)) as CachedGraph | undefined
}

/** The graph that was held for this version, if it still is. */
export function getCachedGraph(
  db: Db,
  site: Site,
  version: GraphVersion | undefined,
): FrameGraph | undefined {
  const graphs = [writtenGraphs.get(db.sql), peekCachedGraph(db, site)]
  return graphs.find((held) => held?.version === version)?.graph
}

/** The graph that an open transaction has written last. */
const writtenGraphs = new WeakMap<Db['sql'], CachedGraph>()

/** Keeps a graph that a transaction has written for its own reads, and for all others once it has committed. One that is rolled back leaves the cached graph alone. */
export function cacheWrittenGraph(
  tx: Tx,
  site: Site,
  version: GraphVersion,
  graph: FrameGraph,
): void {
  writtenGraphs.set(tx.sql, { version, graph })
  tx.afterCommit(async () => cacheGraph(tx, site, version, graph))
}

/** Caches a graph for later readers of its version in the database. The version must have been read before the graph. */
export function cacheGraph(db: Db, site: Site, version: GraphVersion, graph: FrameGraph): void {
  const held: CachedGraph = { version, graph }
  db.cache.set(graphKey(site), held, { size: CACHED_FRAME_BYTES * (graph.registry.size + 1) })
}

/** What was read of the frames of one state: the registry whole, and some frames. */
export type GraphPart = {
  readonly registry: Registry
  readonly frames: Map<string, IndexedFrame>
}

type CachedPart = { readonly version: GraphVersion; readonly part: GraphPart }

const partKey = ({ prefix }: Site): string => `some frames ${prefix}`

/** The part that was held for this version, if it still is. */
export function getCachedPart(
  db: Db,
  site: Site,
  version: GraphVersion | undefined,
): GraphPart | undefined {
  const held = db.cache.get(partKey(site)) as CachedPart | undefined
  return held?.version === version ? held?.part : undefined
}

/** Holds a part as `cacheGraph` holds a graph. */
export function cachePart(db: Db, site: Site, version: GraphVersion, part: GraphPart): void {
  const held: CachedPart = { version, part }
  const size = CACHED_NAME_BYTES * (part.registry.size + 1) + CACHED_FRAME_BYTES * part.frames.size
  db.cache.set(partKey(site), held, { size })
}
