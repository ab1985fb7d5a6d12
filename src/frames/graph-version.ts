import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../db/database.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { FrameGraph } from './graph.ts'
import { REGISTRY_OPTION, VERSION_OPTION } from './option-names.ts'

/**
 * What tells two states of a site's frames apart: a word that every write draws anew, and the digest of the registry, which an older
 * endpoint may change without drawing one.
 */
export type GraphVersion = string

/** Bytes that a frame takes in memory, roughly. */
const FRAME_BYTES = 1024

type HeldGraph = { readonly version: GraphVersion; readonly graph: FrameGraph }

const memoryKey = ({ prefix }: Site): string => `frames ${prefix}`

/**
 * The version of a site's frames, by one statement on two indexed rows. Undefined where there is no registry: then every record may say
 * something else than before.
 */
export async function readGraphVersion(db: Db, site: Site): Promise<GraphVersion | undefined> {
  const rows: { option_name: string; mark: string }[] = await db
    .sql(site.tables.options)
    .whereIn('option_name', [REGISTRY_OPTION, VERSION_OPTION])
    .select('option_name', {
      mark: db.sql.raw('IF(option_name = ?, MD5(option_value), option_value)', [REGISTRY_OPTION]),
    })
  const mark = (name: string) => rows.find((row) => row.option_name === name)?.mark
  const registry = mark(REGISTRY_OPTION)
  return registry === undefined ? undefined : `${mark(VERSION_OPTION) ?? ''} ${registry}`
}

/** A word for the option `svc_frames_version` that no other write draws. */
export function newVersionWord(): string {
  return randomBytes(12).toString('hex')
}

/** The version of a state with this word and this registry. */
export function graphVersion(word: string, registryText: string): GraphVersion {
  return `${word} ${createHash('md5').update(registryText).digest('hex')}`
}

/** The graph that was held for this version, if it still is. */
export function takeGraph(
  db: Db,
  site: Site,
  version: GraphVersion | undefined,
): FrameGraph | undefined {
  if (version === undefined) return undefined
  const held = db.memory.get(memoryKey(site)) as HeldGraph | undefined
  return held?.version === version ? held.graph : undefined
}

/**
 * Holds a graph for whoever meets its version in the database. The version must have been read before the graph, or written with
 * it: a version that never comes to be, its transaction taken back, is never met.
 */
export function holdGraph(db: Db, site: Site, version: GraphVersion, graph: FrameGraph): void {
  const held: HeldGraph = { version, graph }
  db.memory.set(memoryKey(site), held, { size: FRAME_BYTES * (graph.registry.size + 1) })
}
