import { inBatches } from '../../db/sql.ts'

/** Longer texts are sent in a packet of their own (`db/statement-text.ts`). */
const MAX_CHARACTERS = 60_000
/** Approximate characters of a record without its markup, of a meta, and of their names. */
const CHARACTERS_PER_FRAME = 600

/**
 * Groups frames in order, so that the records and metas of a group are written in one statement that travels together with those of the
 * other groups. A frame with a longer markup forms a group of its own.
 * @param lengthOf the length of a frame's markup, in characters
 */
export function inRecordBatches<T>(
  frames: Iterable<T>,
  lengthOf: (frame: T) => number,
): Generator<T[]> {
  return inBatches(frames, MAX_CHARACTERS, (frame) => CHARACTERS_PER_FRAME + lengthOf(frame))
}
