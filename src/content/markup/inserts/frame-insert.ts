import { MAX_CLOSURE_TEXT, MAX_FRAME_DEPTH } from '../evaluation/budget.ts'
import type { Evaluation } from '../evaluation/evaluation.ts'
import { currentFrame, type PieceWriter, type Scope } from '../evaluation/pieces.ts'
import { excerptOf } from '../excerpt.ts'
import { type InsertDefinition, REFERENCE_KEYS } from './insert-definition.ts'

/** `svc/frame` and `svc/partial`: embeds a frame. The keys that do not name the frame are its properties. */
export const frameInsert: InsertDefinition = {
  kinds: ['frame', 'partial'],
  parameters: [
    { name: 'name', value: 'frame', description: 'The slug of the frame that is embedded.' },
  ],
  embeds: { keys: () => REFERENCE_KEYS, passesProps: true },
  path: () => undefined,
  missingInput: ({ kind }, { hasReference }) =>
    hasReference ? undefined : `This svc/${kind} names no frame; it prints nothing.`,
  needs: () => ({}),
  shows: [],
  liveReason: () => undefined,
  print({ ref, params }, scope, evaluation, out) {
    embedFrame(ref, { ...scope, props: params }, evaluation, out)
  },
}

/**
 * Prints the frame `ref` in this scope. A frame that does not exist, embeds itself, is nested too deep or was not read prints nothing and
 * adds a warning. An empty `ref` prints nothing without a warning: the markup report already contains it.
 */
export function embedFrame(
  ref: string,
  { frames, ...scope }: Scope,
  evaluation: Evaluation,
  out: PieceWriter,
): void {
  if (ref === '') return
  const embedded = evaluation.findFrame(ref)
  const embedding = currentFrame({ frames, ...scope })
  if (!embedded) {
    evaluation.warn(
      `${embedding}: frame "${excerptOf(ref)}" does not exist; the insert prints nothing.`,
    )
  } else if (frames.includes(embedded.slug)) {
    evaluation.warn(`${embedding}: "${embedded.slug}" embeds itself; the inner one prints nothing.`)
  } else if (frames.length >= MAX_FRAME_DEPTH) {
    evaluation.warn(
      `${embedding}: frames are nested more than ${MAX_FRAME_DEPTH} levels deep; deeper ones print nothing.`,
    )
  } else if (!embedded.program) {
    evaluation.warn(
      `${embedding}: "${embedded.slug}" prints nothing, because "${frames[0]}" and its embedded frames exceed ${MAX_CLOSURE_TEXT} of markup.`,
    )
  } else {
    evaluation.evaluate(embedded.program, { ...scope, frames: [...frames, embedded.slug] }, out)
  }
}
