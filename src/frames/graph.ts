import type { FrameMeta } from './record.ts'
import type { FrameName, Registry } from './registry.ts'

/** A frame with its meta. */
export type IndexedFrame = FrameName & { readonly meta: FrameMeta }

/** Bytes of a frame's markup. */
export const markupBytes = ({ meta }: IndexedFrame): number => meta.bytes

/** All frames of a site and how they embed one another, without their markup. */
export class FrameGraph {
  readonly registry: Registry
  readonly #frames: ReadonlyMap<string, IndexedFrame>
  #embedders: ReadonlyMap<string, readonly string[]> | undefined
  #sorted: readonly IndexedFrame[] | undefined
  #live: ReadonlySet<string> | undefined
  readonly #liveReasons = new Map<string, readonly string[]>()

  /** @param registry of all frames of the site; `frames` may be a part of them */
  constructor(registry: Registry, frames: readonly IndexedFrame[]) {
    this.registry = registry
    this.#frames = new Map(frames.map((frame) => [frame.id, frame]))
  }

  /** All frames, sorted by slug. */
  all(): readonly IndexedFrame[] {
    this.#sorted ??= this.registry.all().flatMap(({ id }) => this.#frames.get(id) ?? [])
    return this.#sorted
  }

  /** Bytes of markup of all frames. */
  totalBytes(): number {
    let bytes = 0
    for (const frame of this.#frames.values()) bytes += markupBytes(frame)
    return bytes
  }

  get(id: string): IndexedFrame | undefined {
    return this.#frames.get(id)
  }

  /** The graph after a write: these frames put in, those ids taken out. */
  with(written: readonly IndexedFrame[], removed: readonly string[] = []): FrameGraph {
    const frames = new Map(this.#frames)
    for (const frame of written) frames.set(frame.id, frame)
    for (const id of removed) frames.delete(id)
    return new FrameGraph(this.registry.with(written, removed), [...frames.values()])
  }

  /**
   * The frames that embed one by a reference of their own, sorted by slug.
   * @param refs the frame's id, and slugs under which it is or was embedded
   */
  embeddersOf(refs: readonly string[]): IndexedFrame[] {
    this.#embedders ??= this.#reverse()
    const embedders = this.#embedders
    const ids = new Set(refs.flatMap((ref) => embedders.get(ref) ?? []))
    return [...ids]
      .flatMap((id) => this.#frames.get(id) ?? [])
      .sort((a, b) => (a.slug < b.slug ? -1 : 1))
  }

  /** The frames that this one embeds, directly and through others, itself left out. */
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

  /** Bytes of markup in a frame and all that it embeds, each counted once. */
  closureBytes(id: string): number {
    const frames = [this.#frames.get(id), ...this.embeddedFrames(id)]
    return frames.reduce((bytes, frame) => bytes + (frame?.meta.bytes ?? 0), 0)
  }

  /** Does the frame's output need the page being rendered? Found for all frames at once, since lists ask it of each. */
  rendersOnRequest(id: string): boolean {
    this.#live ??= this.#findLive()
    return this.#live.has(id)
  }

  #findLive(): Set<string> {
    this.#embedders ??= this.#reverse()
    const live = new Set<string>()
    for (const { id, meta } of this.#frames.values()) if (meta.live_reasons.length > 0) live.add(id)
    // The set grows while it is gone through: each frame brings those that embed it.
    for (const id of live) for (const embedder of this.#embedders.get(id) ?? []) live.add(embedder)
    return live
  }

  /** Why the frame's output needs the page being rendered: its own reasons, and the frames that bring theirs. */
  liveReasons(id: string): readonly string[] {
    const held = this.#liveReasons.get(id) ?? this.#findLiveReasons(id)
    this.#liveReasons.set(id, held)
    return held
  }

  #findLiveReasons(id: string): readonly string[] {
    const own = this.#frames.get(id)?.meta.live_reasons ?? []
    const brought = this.embeddedFrames(id)
      .filter(({ meta }) => meta.live_reasons.length > 0)
      .map(({ slug }) => `frame ${slug}`)
    return [...own, ...brought.sort()]
  }

  /** Ids of the frames that embed each id, and each name that no frame bears. */
  #reverse(): Map<string, string[]> {
    const embedders = new Map<string, string[]>()
    for (const { id, meta } of this.#frames.values()) {
      for (const ref of meta.references) {
        const target = this.registry.find(ref)?.id ?? ref
        const held = embedders.get(target)
        if (held) held.push(id)
        else embedders.set(target, [id])
      }
    }
    return embedders
  }
}

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
