import { type FrameGraph, type IndexedFrame, markupBytes } from '../../content/frames/graph.ts'
import { MAX_CLOSURE_BYTES, MAX_CLOSURE_TEXT } from '../../content/markup/evaluation/budget.ts'

/** A frame and all frames that it embeds, with the digests of their markup. The frame itself comes first. Stored in baked copies. */
export type Closure = {
  readonly frames: readonly {
    readonly id: string
    readonly slug: string
    readonly sha256: string
  }[]
  /** References to frames that do not exist. */
  readonly missing: readonly string[]
}

/** @param most how many embedded frames have to be followed [all] */
export function closureOf(graph: FrameGraph, id: string, most?: number): Closure {
  const frames = closureFrames(graph, id, most)
  const missing = new Set(frames.flatMap((frame) => graph.missingReferences(frame.id)))
  return {
    frames: frames.map(({ id, slug, meta }) => ({ id, slug, sha256: meta.sha256 })),
    missing: [...missing].sort(),
  }
}

/** Whether both closures consist of the same markup. */
export function isSameClosure(a: Closure, b: Closure): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Whether a frame has this closure. Its frames are not followed further than that: there can be thousands. */
export function isClosureOf(graph: FrameGraph, id: string, closure: Closure): boolean {
  return isSameClosure(closure, closureOf(graph, id, closure.frames.length))
}

/**
 * A frame and all frames that it embeds, breadth first: the frame itself, its embedded frames, theirs, and so on.
 * @param most how many embedded frames have to be followed [all]
 */
export function closureFrames(graph: FrameGraph, id: string, most?: number): IndexedFrame[] {
  const root = graph.get(id)
  return [...(root ? [root] : []), ...graph.embeddedFrames(id, most)]
}

/** The frames of a closure that a build reads: in order, up to `MAX_CLOSURE_BYTES`. The first frame is always read. */
export function readableFrames(frames: readonly IndexedFrame[]): IndexedFrame[] {
  let bytes = 0
  const end = frames.findIndex((frame, index) => {
    bytes += markupBytes(frame)
    return index > 0 && bytes > MAX_CLOSURE_BYTES
  })
  return end < 0 ? [...frames] : frames.slice(0, end)
}

/** Warnings of a write whose closure exceeds `MAX_CLOSURE_BYTES`. */
export function closureWarnings(graph: FrameGraph, id: string): string[] {
  const frames = closureFrames(graph, id)
  const unread = frames.length - readableFrames(frames).length
  if (unread === 0) return []
  return [
    `This frame and its embedded frames exceed ${MAX_CLOSURE_TEXT} of markup, so ${unread} of them print nothing. Split the frame, or embed fewer or smaller frames.`,
  ]
}
