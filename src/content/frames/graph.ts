import { isDeepStrictEqual } from 'node:util'
import { forEachYielding } from '../../host/concurrency/for-each.ts'
import { groupBy } from '../../host/group-by.ts'
import type { FrameMeta } from './record.ts'
import type { FrameName, Registry } from './registry.ts'

/** A frame without its markup. */
export type IndexedFrame = FrameName & { readonly meta: FrameMeta }

/** The frames that the references of a frame name, and the references that name none. */
type NamedFrames = {
  readonly frames: readonly IndexedFrame[]
  readonly missing: readonly string[]
}

/** Bytes of a frame's markup. */
export const markupBytes = ({ meta }: IndexedFrame): number => meta.bytes

/** Resolving a reference takes less than reading the clock does. */
const CLOCK_EVERY = 50

/** Immutable dependency graph of a site's frames: which frame embeds which. */
export class FrameGraph {
  readonly registry: Registry
  #frames: ReadonlyMap<string, IndexedFrame>
  #embedders: ReadonlyMap<string, readonly string[]> | undefined
  #sorted: readonly IndexedFrame[] | undefined
  #live: ReadonlySet<string> | undefined
  readonly #liveReasons = new Map<string, readonly string[]>()
  /** What the references of frames name, as far as it was asked for: each frame is in the closures of many others. */
  readonly #named = new Map<string, NamedFrames>()

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
    const copy = new FrameGraph(this.registry.with(written, removed), [])
    copy.#frames = frames
    // Most writes change only markup: what a large graph has computed stays true.
    if (copy.registry === this.registry && written.every((frame) => this.#embedsLike(frame))) {
      copy.#embedders = this.#embedders
      copy.#live = this.#live
    }
    return copy
  }

  /** Whether the frame with this id has the same references, and depends on the page for the same reasons. */
  #embedsLike({ id, meta }: IndexedFrame): boolean {
    const before = this.#frames.get(id)?.meta
    return (
      before !== undefined &&
      isDeepStrictEqual(before.references, meta.references) &&
      isDeepStrictEqual(before.live_reasons, meta.live_reasons)
    )
  }

  /**
   * The frames that embed a frame directly, sorted by slug.
   * @param refs the frame's id, and former slugs or slugs without a frame
   */
  embeddersOf(refs: readonly string[]): IndexedFrame[] {
    const embedders = this.#index()
    const ids = new Set(refs.flatMap((ref) => embedders.get(ref) ?? []))
    return [...ids]
      .flatMap((id) => this.#frames.get(id) ?? [])
      .sort((a, b) => (a.slug < b.slug ? -1 : 1))
  }

  /** Ids of a frame and of all frames that embed it, directly and indirectly. */
  framesShowing(id: string): ReadonlySet<string> {
    const embedders = this.#index()
    const showing = new Set([id])
    // The loop also processes the ids that it adds.
    for (const shown of showing)
      for (const embedder of embedders.get(shown) ?? []) showing.add(embedder)
    return showing
  }

  /** Ids of these frames and of all frames that they embed, directly and indirectly. */
  framesShownBy(ids: readonly string[]): ReadonlySet<string> {
    const shown = new Set(ids)
    // The loop also processes the ids that it adds.
    for (const id of shown) for (const embedded of this.directlyEmbedded(id)) shown.add(embedded.id)
    return shown
  }

  /** The frames that a frame embeds directly; with itself if it embeds itself. */
  directlyEmbedded(id: string): readonly IndexedFrame[] {
    return this.#namedBy(id).frames
  }

  /** The references of a frame that name no frame, as they are written. */
  missingReferences(id: string): readonly string[] {
    return this.#namedBy(id).missing
  }

  #namedBy(id: string): NamedFrames {
    if (!this.#named.has(id)) for (const _ of this.#resolve(id));
    return this.#named.get(id) ?? { frames: [], missing: [] }
  }

  /** Finds what the references of a frame name. Yields after each. */
  *#resolve(id: string): Generator<void> {
    const ids = new Set<string>()
    const missing: string[] = []
    for (const ref of this.#frames.get(id)?.meta.references ?? []) {
      const found = this.registry.find(ref)
      if (found) ids.add(found.id)
      else missing.push(ref)
      yield
    }
    const frames = [...ids].flatMap((named) => this.#frames.get(named) ?? [])
    this.#named.set(id, { frames, missing })
  }

  /**
   * Indexes the embedders of each frame, yielding to the event loop: the markup of one request can name hundreds of thousands of frames that do not exist. Graphs of whole
   * sites come indexed.
   */
  async indexEmbedders(): Promise<void> {
    if (!this.#embedders) await forEachYielding(this.#indexEach(), () => {}, CLOCK_EVERY)
  }

  /** Ids of the direct embedders, by the id of the embedded frame, or by the reference as written if no frame has that name. */
  #index(): ReadonlyMap<string, readonly string[]> {
    if (!this.#embedders) for (const _ of this.#indexEach());
    return this.#embedders ?? new Map()
  }

  /** Yields after each reference. */
  *#indexEach(): Generator<void> {
    const embedders = new Map<string, string[]>()
    for (const { id, meta } of this.#frames.values())
      for (const ref of meta.references) {
        const target = this.registry.find(ref)?.id ?? ref
        const ids = embedders.get(target)
        if (ids) ids.push(id)
        else embedders.set(target, [id])
        yield
      }
    this.#embedders = embedders
  }

  /** Finds what each frame names, in the same way. `findCycles` follows only frames then. */
  async resolveReferences(): Promise<void> {
    await forEachYielding(this.#resolveEach(), () => {}, CLOCK_EVERY)
  }

  *#resolveEach(): Generator<void> {
    for (const id of this.#frames.keys()) if (!this.#named.has(id)) yield* this.#resolve(id)
  }

  /**
   * The frames that a frame embeds, directly and indirectly, without itself.
   * @param most how many have to be followed [all]
   */
  embeddedFrames(id: string, most = Number.POSITIVE_INFINITY): IndexedFrame[] {
    const seen = new Set([id])
    for (const current of seen) {
      if (seen.size > most) break
      for (const embedded of this.directlyEmbedded(current)) seen.add(embedded.id)
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
    const embedders = this.#index()
    const live = new Set<string>()
    for (const { id, meta } of this.#frames.values()) if (meta.live_reasons.length > 0) live.add(id)
    // The loop also processes the ids that it adds: the embedders of each frame.
    for (const id of live) for (const embedder of embedders.get(id) ?? []) live.add(embedder)
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
}

/**
 * The embedding cycles of a graph: groups of frames that embed each other, or single frames that embed themselves, in the order of the graph.
 * Kosaraju's algorithm, which follows each reference twice.
 */
export function findCycles(graph: FrameGraph): IndexedFrame[][] {
  const embeddersOf = embeddersIn(graph)
  const cycleOf = new Map<IndexedFrame, IndexedFrame>()
  const grouped = new Set<IndexedFrame>()
  for (const frame of embeddedFirst(graph).reverse()) {
    if (grouped.has(frame)) continue
    const group = new Set([frame])
    let hasEmbedder = false
    // The loop also processes the frames that it adds: the embedders of each frame that are in no group yet.
    for (const member of group) {
      for (const embedder of embeddersOf.get(member) ?? []) {
        if (!grouped.has(embedder)) group.add(embedder)
        if (group.has(embedder)) hasEmbedder = true
      }
    }
    for (const member of group) {
      grouped.add(member)
      if (hasEmbedder) cycleOf.set(member, frame)
    }
  }
  const inCycles = graph.all().filter((frame) => cycleOf.has(frame))
  return [...groupBy(inCycles, (frame) => cycleOf.get(frame)).values()]
}

/** The frames that embed each frame directly. Unlike `FrameGraph.embeddersOf` it leaves out references that name no frame. */
function embeddersIn(graph: FrameGraph): Map<IndexedFrame, IndexedFrame[]> {
  const embedders = new Map<IndexedFrame, IndexedFrame[]>()
  for (const frame of graph.all())
    for (const embedded of graph.directlyEmbedded(frame.id)) {
      const known = embedders.get(embedded)
      if (known) known.push(frame)
      else embedders.set(embedded, [frame])
    }
  return embedders
}

/** All frames in the order in which a depth-first search leaves them. It is no recursion, because chains of embedded frames can be long. */
function embeddedFirst(graph: FrameGraph): IndexedFrame[] {
  const entered = new Set<IndexedFrame>()
  const left: IndexedFrame[] = []
  const steps = graph.all().map((frame) => ({ frame, isLeft: false }))
  for (let step = steps.pop(); step; step = steps.pop()) {
    const { frame, isLeft } = step
    if (isLeft) left.push(frame)
    if (isLeft || entered.has(frame)) continue
    entered.add(frame)
    steps.push({ frame, isLeft: true })
    for (const embedded of graph.directlyEmbedded(frame.id))
      steps.push({ frame: embedded, isLeft: false })
  }
  return left
}
