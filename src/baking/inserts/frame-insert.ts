import { excerptOf } from '../../markup/excerpt.ts'
import { MAX_FRAME_DEPTH } from '../budget.ts'
import { MAX_CLOSURE_TEXT } from '../closure.ts'
import { currentFrame, type PieceWriter, type Scope } from '../pieces.ts'
import type { Insert } from '../program.ts'
import type { Run } from '../run.ts'

/** `svc/frame` and `svc/partial`: embeds a frame. The keys that do not name the frame are its properties. */
export function printFrame(
  { ref, params }: Insert,
  scope: Scope,
  run: Run,
  out: PieceWriter,
): void {
  embedFrame(ref, { ...scope, props: params }, run, out)
}

/**
 * Prints the frame `ref` in this scope. A frame that does not exist, embeds itself, is nested too deep or was not read prints nothing and
 * adds a warning. An empty `ref` prints nothing without a warning: the markup report already contains it.
 */
export function embedFrame(
  ref: string,
  { frames, ...scope }: Scope,
  run: Run,
  out: PieceWriter,
): void {
  if (ref === '') return
  const embedded = run.findFrame(ref)
  const embedding = currentFrame({ frames, ...scope })
  if (!embedded) {
    run.warn(`${embedding}: frame "${excerptOf(ref)}" does not exist; the insert prints nothing.`)
  } else if (frames.includes(embedded.slug)) {
    run.warn(`${embedding}: "${embedded.slug}" embeds itself; the inner one prints nothing.`)
  } else if (frames.length >= MAX_FRAME_DEPTH) {
    run.warn(
      `${embedding}: frames are nested more than ${MAX_FRAME_DEPTH} levels deep; deeper ones print nothing.`,
    )
  } else if (!embedded.program) {
    run.warn(
      `${embedding}: "${embedded.slug}" prints nothing, because "${frames[0]}" and its embedded frames exceed ${MAX_CLOSURE_TEXT} of markup.`,
    )
  } else {
    run.evaluate(embedded.program, { ...scope, frames: [...frames, embedded.slug] }, out)
  }
}
