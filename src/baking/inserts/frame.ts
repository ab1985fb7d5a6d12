import { REFERENCE_KEYS, readReference } from '../../markup/references.ts'
import { MAX_DEPTH } from '../budget.ts'
import type { PieceWriter } from '../piece-writer.ts'
import type { Surroundings } from '../pieces.ts'
import type { Insert, Value } from '../program.ts'
import type { Run } from '../run.ts'

/** `svc/frame` and `svc/partial`: another frame, with the keys that don't name it as its properties. */
export function printFrame(
  { params }: Insert,
  { frame, item }: Surroundings,
  run: Run,
  out: PieceWriter,
): void {
  const ref = REFERENCE_KEYS.map((key) => readReference(params[key])).find((name) => name !== '')
  if (ref === undefined) return
  const props = Object.fromEntries(
    Object.entries(params).filter(([key]) => !(REFERENCE_KEYS as readonly string[]).includes(key)),
  )
  embedFrame(ref, { frame, props, item }, run, out)
}

/**
 * Prints the frame that is named, in the surroundings given but for its own name. A frame that is missing, embeds
 * itself or stands too deep prints nothing, with a warning.
 */
export function embedFrame(
  ref: string,
  { frame: embedding, props, item }: Surroundings & { props: Readonly<Record<string, Value>> },
  run: Run,
  out: PieceWriter,
): void {
  const embedded = run.findFrame(ref)
  if (!embedded) {
    run.warn(`${embedding}: there is no frame "${ref}"; it prints nothing.`)
    return
  }
  if (run.stack.includes(embedded.id)) {
    run.warn(`${embedding}: "${embedded.slug}" embeds itself; it stops there.`)
    return
  }
  if (run.stack.length >= MAX_DEPTH) {
    run.warn(`${embedding}: frames stand more than ${MAX_DEPTH} deep; it stops there.`)
    return
  }
  run.stack.push(embedded.id)
  run.evaluate(embedded.program, { frame: embedded.slug, props, item }, out)
  run.stack.pop()
}
