import type { FrameGraph } from '../../content/frames/graph.ts'
import { cacheGraph, findCachedGraph, graphVersionOf } from '../../content/frames/graph-cache.ts'
import { type MarkupDigests, readMarkupDigests } from '../../content/frames/markup-digests.ts'
import { REGISTRY_OPTION, VERSION_OPTION } from '../../content/frames/option-names.ts'
import { readSiteGraph, readWholeGraph } from '../../content/frames/read-graph.ts'
import { decodeRegistry, type Registry, readRegistry } from '../../content/frames/registry.ts'
import type { Db } from '../../db/database.ts'
import type { Site } from '../../wordpress/network/site.ts'

/** The frames of a site before a plan, without their markup. */
export type SiteFrames = {
  readonly registry: Registry
  /** Empty if the plan compares no markup. */
  readonly digests: MarkupDigests
  /** Read when it is first needed: a plan without steps needs none. */
  graph(): Promise<FrameGraph>
}

/**
 * Reads the registry of a site and the digests of all markup in one statement.
 * @param isCompared whether the plan compares markup
 * @param locked the graph, if the caller has locked the frames
 */
export async function readSiteFrames(
  db: Db,
  site: Site,
  isCompared: boolean,
  locked: FrameGraph | undefined,
): Promise<SiteFrames> {
  if (locked) {
    const digests = isCompared ? (await readMarkupDigests(db, site)).digests : new Map()
    return { registry: locked.registry, digests, graph: async () => locked }
  }
  if (!isCompared) {
    const graph = once(() => readSiteGraph(db, site))
    return { registry: await readRegistry(db, site), digests: new Map(), graph }
  }
  const read = await readMarkupDigests(db, site, [REGISTRY_OPTION, VERSION_OPTION])
  const { digests, options } = read
  const text = options.get(REGISTRY_OPTION)
  if (text === undefined) {
    const registry = await readRegistry(db, site)
    return { registry, digests, graph: once(() => readWholeGraph(db, site, registry)) }
  }
  const registry = decodeRegistry(text)
  const version = graphVersionOf(options.get(VERSION_OPTION) ?? '', text)
  const graph = once(async () => {
    const cached = findCachedGraph(db, site, version)
    if (cached) return cached
    const whole = await readWholeGraph(db, site, registry)
    cacheGraph(db, site, version, whole)
    return whole
  })
  return { registry, digests, graph }
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= read()
    return result
  }
}
