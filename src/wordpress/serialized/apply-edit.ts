import { type Scan, type Token, tokenAt } from './scan-php.ts'
import { SerializedError } from './php-value.ts'

/** One change: bytes from `start` to `end`, which hold the tokens from `first` to `next`, give way. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly first: number
  readonly next: number
  /** What takes their place, free of references, and how many slots it takes. */
  readonly insert: string
  readonly slots: number
  /** The array whose count of entries changes, and by how much. */
  readonly resize?: { readonly array: number; readonly by: number }
}

interface Splice {
  readonly start: number
  readonly end: number
  readonly insert: string
}

/** What becomes of the slots: those up to `kept` stay, those up to `gone` go, the others move. */
interface Renumbering {
  readonly kept: number
  readonly gone: number
  /** NaN when nobody can tell how many slots went. */
  readonly shift: number
  /** The last slot known to be counted right: what a `C:` before it holds took unknown slots. */
  readonly countable: number
}

/** A reference in clear, and a run that may be base64 or hexadecimal and hide one. */
const VISIBLE_REFERENCE = /(?<!\w)[Rr]:(\d+);/g
const ENCODED_RUN = /[\w+/=-]{24}/

/**
 * The text after an edit: every other byte as it was, but for the digits of later references, which
 * count values from the start of the text and must still mean theirs (`var_push` and `var_access` in
 * ext/standard/var_unserializer.re). Throws SerializedError when a reference would lose its value.
 */
export function applyEdit(scan: Scan, edit: Edit): string {
  const renumbering = planRenumbering(scan, edit)
  const splices: Splice[] = [edit]
  if (edit.resize !== undefined) splices.unshift(resizeSplice(scan, edit.resize))
  for (const token of scan.tokens.slice(edit.next)) {
    if (token.kind === 'C') assertPayloadStays(scan, token, renumbering)
    if (token.target === 0) continue
    const target = movedSlot(renumbering, token.target, token.start)
    if (target !== token.target)
      splices.push({ start: token.body, end: token.close, insert: String(target) })
  }

  const pieces: Buffer[] = []
  let at = 0
  for (const { start, end, insert } of splices) {
    pieces.push(scan.bytes.subarray(at, start), Buffer.from(insert))
    at = end
  }
  return Buffer.concat([...pieces, scan.bytes.subarray(at)]).toString('utf8')
}

function planRenumbering({ tokens, slots, opaqueSlot }: Scan, edit: Edit): Renumbering {
  const slotsBefore = (index: number): number => tokens[index]?.slotsBefore ?? slots.length
  const kept = slotsBefore(edit.first)
  const gone = slotsBefore(edit.next)
  const opaqueGoes = opaqueSlot > kept && opaqueSlot <= gone
  const shift = opaqueGoes ? Number.NaN : kept + edit.slots - gone
  return {
    kept,
    gone,
    shift,
    countable: opaqueSlot <= gone ? opaqueSlot : Number.POSITIVE_INFINITY,
  }
}

function movedSlot(
  { kept, gone, shift, countable }: Renumbering,
  slot: number,
  offset: number,
): number {
  if (slot > countable)
    throw new SerializedError('cannot tell which value past C: is meant', offset)
  if (slot <= kept) return slot
  if (slot <= gone) throw new SerializedError('found a reference to the value that goes', offset)
  return slot + shift
}

/**
 * PHP numbers what a class serializes in its `C:` payload together with everything else (measured:
 * the numbers stay absolute even in base64). The payload is opaque, so it cannot be renumbered.
 */
function assertPayloadStays(scan: Scan, { start, body, close }: Token, to: Renumbering): void {
  const payload = scan.bytes.toString('latin1', body, close)
  const stays = [...payload.matchAll(VISIBLE_REFERENCE)].every(
    ([, slot]) => movedSlot(to, Number(slot), start) === Number(slot),
  )
  if (!stays || (to.shift !== 0 && ENCODED_RUN.test(payload)))
    throw new SerializedError('cannot renumber references inside C:', start)
}

function resizeSplice(scan: Scan, { array, by }: { array: number; by: number }): Splice {
  const { start, body } = tokenAt(scan, array)
  const digits = { start: start + 'a:'.length, end: body - ':{'.length }
  const size = Number(scan.bytes.toString('latin1', digits.start, digits.end))
  return { ...digits, insert: String(size + by) }
}
