import { excerptOf } from '../../markup/excerpt.ts'
import { MAX_FRAME_DEPTH } from '../budget.ts'
import { MAX_CLOSURE_TEXT } from '../closure.ts'
import { currentFrame, type PieceWriter, type Scope } from '../pieces.ts'
import type { Insert } from '../program.ts'
import type { Run } from '../run.ts'

/** `svc/frame` and `svc/partial`: another frame, with the keys that don't name it as its properties. */
export function printFrame({ ref, params }: Insert, here: Scope, run: Run, out: PieceWriter): void {
  embedFrame(ref, { ...here, props: params }, run, out)
}

/**
 * Prints the frame that is named, with the properties and the row given. A frame that is missing, embeds itself, stands too
 * deep or was not read prints nothing, with a warning; so does, without one, a reference that names none: the markup's report tells of it.
 */
export function embedFrame(
  ref: string,
  { frames, ...here }: Scope,
  run: Run,
  out: PieceWriter,
): void {
  if (ref === '') return
  const embedded = run.findFrame(ref)
  const embedding = currentFrame({ frames, ...here })
  if (!embedded) {
    run.warn(`${embedding}: there is no frame "${excerptOf(ref)}"; it prints nothing.`)
  } else if (frames.includes(embedded.slug)) {
    run.warn(`${embedding}: "${embedded.slug}" embeds itself; it stops there.`)
  } else if (frames.length >= MAX_FRAME_DEPTH) {
    run.warn(`${embedding}: frames stand more than ${MAX_FRAME_DEPTH} deep; it stops there.`)
  } else if (!embedded.program) {
    run.warn(
      `${embedding}: "${embedded.slug}" prints nothing, because the frames in "${frames[0]}" have more than ${MAX_CLOSURE_TEXT} of markup together.`,
    )
  } else {
    run.evaluate(embedded.program, { ...here, frames: [...frames, embedded.slug] }, out)
  }
}
