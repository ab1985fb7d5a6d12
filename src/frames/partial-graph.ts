import type { Db } from '../db/database.ts'
import type { Site } from '../wordpress/network/site.ts'
import { FrameGraph, type IndexedFrame, indexFrames } from './graph.ts'
import { readRegistry } from './registry.ts'

/** The part of a site's graph below one frame: what rendering a page needs, however many frames the site has. */
export async function readPartialGraph(db: Db, site: Site, rootId: string): Promise<FrameGraph> {
  const registry = await readRegistry(db, site)
  const found = new Map<string, IndexedFrame>()
  let wanted = [rootId]
  while (wanted.length > 0) {
    const names = wanted.flatMap((id) => registry.find(id) ?? [])
    const frames = await indexFrames(db, site, names)
    for (const frame of frames) found.set(frame.id, frame)
    const refs = new Set(frames.flatMap(({ meta }) => meta.references))
    const ids = new Set([...refs].flatMap((ref) => registry.find(ref)?.id ?? []))
    wanted = [...ids].filter((id) => !found.has(id))
  }
  return new FrameGraph(registry, [...found.values()])
}
