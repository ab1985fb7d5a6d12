import type { FrameMeta } from './record.ts'
import type { FrameName, Registry } from './registry.ts'

/** A frame without its markup. */
export type IndexedFrame = FrameName & { readonly meta: FrameMeta }

/** Bytes of a frame's markup. */
export const markupBytes = ({ meta }: IndexedFrame): number => meta.bytes

/** Immutable dependency graph of a site's frames: which frame embeds which. */
export class FrameGraph {
  readonly registry: Registry
  readonly #frames: ReadonlyMap<string, IndexedFrame>
  #embedders: ReadonlyMap<string, readonly string[]> | undefined
  #sorted: readonly IndexedFrame[] | undefined
  #live: ReadonlySet<string> | undefined
  readonly #liveReasons = new Map<string, readonly string[]>()

  /** @param registry of all frames of the site; `frames` may be a subset */
  constructor(registry: Registry, frames: readonly IndexedFrame[]) {
    this.registry = registry
    this.#frames = new Map(frames.map((frame) => [frame.id, frame]))
  }

  /** All frames, sorted by slug. */
  all(): readonly IndexedFrame[] {
    this.#sorted ??= this.registry.all().flatMap(({ id }) => this.#frames.get(id) ?? [])
    return this.#sorted
  }

  /** Bytes of markup of all frames in the graph. */
  totalBytes(): number {
    let bytes = 0
    for (const frame of this.#frames.values()) bytes += markupBytes(frame)
    return bytes
  }

  get(id: string): IndexedFrame | undefined {
    return this.#frames.get(id)
  }

  /** A copy with these frames added or replaced, and those ids removed. */
  with(written: readonly IndexedFrame[], removed: readonly string[] = []): FrameGraph {
    const frames = new Map(this.#frames)
    for (const frame of written) frames.set(frame.id, frame)
    for (const id of removed) frames.delete(id)
    return new FrameGraph(this.registry.with(written, removed), [...frames.values()])
  }

  /**
   * The frames that embed a frame directly, sorted by slug.
   * @param refs the frame's id, and former slugs or slugs without a frame
   */
  embeddersOf(refs: readonly string[]): IndexedFrame[] {
    this.#embedders ??= this.#indexEmbedders()
    const embedders = this.#embedders
    const ids = new Set(refs.flatMap((ref) => embedders.get(ref) ?? []))
    return [...ids]
      .flatMap((id) => this.#frames.get(id) ?? [])
      .sort((a, b) => (a.slug < b.slug ? -1 : 1))
  }

  /** The frames that a frame embeds, directly and indirectly, without itself. */
  embeddedFrames(id: string): IndexedFrame[] {
    const seen = new Set([id])
    for (const current of seen) {
      for (const ref of this.#frames.get(current)?.meta.references ?? []) {
        const target = this.registry.find(ref)
        if (target) seen.add(target.id)
      }
    }
    seen.delete(id)
    return [...seen].flatMap((embedded) => this.#frames.get(embedded) ?? [])
  }

  /** Bytes of markup of a frame and all frames it embeds, each counted once. */
  closureBytes(id: string): number {
    const frames = [this.#frames.get(id), ...this.embeddedFrames(id)]
    return frames.reduce((bytes, frame) => bytes + (frame?.meta.bytes ?? 0), 0)
  }

  /** Whether the frame's output depends on the page. Computed for all frames at once, because lists need it of each. */
  rendersOnRequest(id: string): boolean {
    this.#live ??= this.#findLive()
    return this.#live.has(id)
  }

  #findLive(): Set<string> {
    this.#embedders ??= this.#indexEmbedders()
    const live = new Set<string>()
    for (const { id, meta } of this.#frames.values()) if (meta.live_reasons.length > 0) live.add(id)
    // The loop also processes the ids that it adds: the embedders of each frame.
    for (const id of live) for (const embedder of this.#embedders.get(id) ?? []) live.add(embedder)
    return live
  }

  /** Why the frame's output depends on the page: its own reasons, then embedded frames that have reasons. */
  liveReasons(id: string): readonly string[] {
    const reasons = this.#liveReasons.get(id) ?? this.#findLiveReasons(id)
    this.#liveReasons.set(id, reasons)
    return reasons
  }

  #findLiveReasons(id: string): readonly string[] {
    const own = this.#frames.get(id)?.meta.live_reasons ?? []
    const inherited = this.embeddedFrames(id)
      .filter(({ meta }) => meta.live_reasons.length > 0)
      .map(({ slug }) => `frame ${slug}`)
    return [...own, ...inherited.sort()]
  }

  /** Ids of the direct embedders, by the id of the embedded frame, or by the reference as written if no frame has that name. */
  #indexEmbedders(): Map<string, string[]> {
    const embedders = new Map<string, string[]>()
    for (const { id, meta } of this.#frames.values()) {
      for (const ref of meta.references) {
        const target = this.registry.find(ref)?.id ?? ref
        const ids = embedders.get(target)
        if (ids) ids.push(id)
        else embedders.set(target, [id])
      }
    }
    return embedders
  }
}

/** The embedding cycles of a graph: groups of frames that embed each other, or single frames that embed themselves. */
export function findCycles(graph: FrameGraph): IndexedFrame[][] {
  const cycles: IndexedFrame[][] = []
  const grouped = new Set<string>()
  for (const frame of framesNearCycles(graph)) {
    if (grouped.has(frame.id)) continue
    const embedders = transitiveEmbedderIds(graph, frame.id)
    if (!embedders.has(frame.id)) continue
    const group = [frame, ...graph.embeddedFrames(frame.id).filter(({ id }) => embedders.has(id))]
    for (const { id } of group) grouped.add(id)
    cycles.push(group)
  }
  return cycles
}

/** The frames in cycles and their embedders: those that remain when frames that embed nothing are removed repeatedly. */
function framesNearCycles(graph: FrameGraph): IndexedFrame[] {
  const remaining = new Map(graph.all().map((frame) => [frame.id, embeddedIds(graph, frame).size]))
  const removed = graph.all().filter(({ id }) => remaining.get(id) === 0)
  for (const { id } of removed) {
    for (const embedder of graph.embeddersOf([id])) {
      const left = (remaining.get(embedder.id) ?? 0) - 1
      remaining.set(embedder.id, left)
      if (left === 0) removed.push(embedder)
    }
  }
  return graph.all().filter(({ id }) => (remaining.get(id) ?? 0) > 0)
}

function embeddedIds(graph: FrameGraph, { meta }: IndexedFrame): Set<string> {
  return new Set(meta.references.flatMap((ref) => graph.registry.find(ref)?.id ?? []))
}

/** The frames that embed this one, directly and indirectly; includes the frame itself if it is in a cycle. */
function transitiveEmbedderIds(graph: FrameGraph, id: string): Set<string> {
  const found = new Set<string>()
  const queue = [id]
  for (const current of queue) {
    for (const embedder of graph.embeddersOf([current])) {
      if (found.has(embedder.id)) continue
      found.add(embedder.id)
      queue.push(embedder.id)
    }
  }
  return found
}
