import { type FrameGraph, type IndexedFrame, markupBytes } from '../frames/graph.ts'

/** Markup that a build reads of a frame and all that it embeds, in bytes. */
export const MAX_CLOSURE_BYTES = 16 * 1024 * 1024

/** The same for messages. */
export const MAX_CLOSURE_TEXT = `${MAX_CLOSURE_BYTES / 1024 / 1024} MB`

/** A frame and all that it embeds: the frame itself first, then what is embedded directly, then what that embeds. */
export function closureFrames(graph: FrameGraph, id: string): IndexedFrame[] {
  const root = graph.get(id)
  return [...(root ? [root] : []), ...graph.embeddedFrames(id)]
}

/** Those of the frames of a closure that a build reads: in their order, up to the limit. The frame itself is always read. */
export function readableFrames(frames: readonly IndexedFrame[]): IndexedFrame[] {
  let bytes = 0
  const end = frames.findIndex((frame, index) => {
    bytes += markupBytes(frame)
    return index > 0 && bytes > MAX_CLOSURE_BYTES
  })
  return end < 0 ? [...frames] : frames.slice(0, end)
}

/** Warnings for a write of a frame that has more markup in it than a build reads. */
export function closureWarnings(graph: FrameGraph, id: string): string[] {
  const frames = closureFrames(graph, id)
  const left = frames.length - readableFrames(frames).length
  if (left === 0) return []
  return [
    `This frame and the frames that it embeds have more than ${MAX_CLOSURE_TEXT} of markup together. ${left} of them will print nothing. Split the frame, or embed fewer or smaller frames.`,
  ]
}
