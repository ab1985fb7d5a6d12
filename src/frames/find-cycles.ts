import type { FrameGraph, IndexedFrame } from './graph.ts'

/** The groups of frames that embed one another in a circle, each frame in one of them at most; one that embeds itself is a group. */
export function findCycles(graph: FrameGraph): IndexedFrame[][] {
  const cycles: IndexedFrame[][] = []
  const grouped = new Set<string>()
  for (const frame of framesNearCycles(graph)) {
    if (grouped.has(frame.id)) continue
    const above = transitiveEmbedderIds(graph, frame.id)
    if (!above.has(frame.id)) continue
    const group = [frame, ...graph.embeddedFrames(frame.id).filter(({ id }) => above.has(id))]
    for (const { id } of group) grouped.add(id)
    cycles.push(group)
  }
  return cycles
}

/** What is left when frames that embed nothing are taken out again and again: those in circles, and those above them. */
function framesNearCycles(graph: FrameGraph): IndexedFrame[] {
  const embedded = new Map(graph.all().map((frame) => [frame.id, embeddedIds(graph, frame).size]))
  const out = graph.all().filter(({ id }) => embedded.get(id) === 0)
  for (const { id } of out) {
    for (const embedder of graph.embeddersOf([id])) {
      const left = (embedded.get(embedder.id) ?? 0) - 1
      embedded.set(embedder.id, left)
      if (left === 0) out.push(embedder)
    }
  }
  return graph.all().filter(({ id }) => (embedded.get(id) ?? 0) > 0)
}

function embeddedIds(graph: FrameGraph, { meta }: IndexedFrame): Set<string> {
  return new Set(meta.references.flatMap((ref) => graph.registry.find(ref)?.id ?? []))
}

/** The frames that embed this one, directly and through others, itself among them where it is one. */
function transitiveEmbedderIds(graph: FrameGraph, id: string): Set<string> {
  const above = new Set<string>()
  const open = [id]
  for (const current of open) {
    for (const embedder of graph.embeddersOf([current])) {
      if (above.has(embedder.id)) continue
      above.add(embedder.id)
      open.push(embedder.id)
    }
  }
  return above
}
