import { phpTrim } from './php-trim.ts'
import { encodeKey, type PhpKey, SerializedError } from './php-value.ts'
import { entriesWithKey, type PhpToken, type Scan, scanPhp, tokenAt } from './scan-php.ts'

/**
 * The text with one value set, like `$array['x']['y'] = …`: the value is replaced if the key exists, else added at the end of its array.
 * Missing or null arrays on the path are created. `encoded` is serialized text without references, usually `encodePhp(value)`. All other
 * bytes of the value are unchanged, except for the numbers of later references. White space before the value and bytes after it are cut,
 * because WordPress's own next write stores the value alone, and PHP 8.3 warns of such bytes. Throws SerializedError for damage in either text, for a path that does
 * not lead through arrays, and if a reference from elsewhere points into the replaced value.
 */
export function setValue(text: string, path: readonly PhpKey[], encoded: string): string {
  const scan = scanPhp(phpTrim(text))
  const value = newValue(encoded)
  let index = 0
  for (const [depth, key] of path.entries()) {
    const entry = findArrayEntry(scan, index, key)
    if (entry === undefined) return append(scan, index, key, nest(path.slice(depth + 1), value))
    // PHP converts a null on the path into an array; at the end of the path nothing is nested.
    if (tokenAt(scan, entry).kind === 'N')
      return replace(scan, entry, nest(path.slice(depth + 1), value))
    index = entry
  }
  return replace(scan, index, value)
}

interface NewValue {
  readonly insert: string
  readonly slots: number
}

function newValue(encoded: string): NewValue {
  const { tokens, slots, bytes } = scanPhp(encoded)
  const end = tokens[0]?.end ?? 0
  if (end < bytes.length) throw new SerializedError('found bytes after the new value', end)
  const foreign = tokens.find(({ kind }) => kind === 'R' || kind === 'r' || kind === 'C')
  if (foreign !== undefined)
    throw new SerializedError(
      `found ${foreign.kind}: in the new value, whose slots only its own text could count`,
      foreign.start,
    )
  return { insert: encoded, slots: slots.length }
}

/** The value nested in an array of one entry per key. */
function nest(path: readonly PhpKey[], { insert, slots }: NewValue): NewValue {
  const heads = path.map((key) => `a:1:{${encodeKey(key)}`)
  return {
    insert: heads.join('') + insert + '}'.repeat(path.length),
    slots: slots + path.length,
  }
}

function replace(scan: Scan, index: number, value: NewValue): string {
  const { start, end, next } = tokenAt(scan, index)
  return applyEdit(scan, { start, end, first: index, next, ...value })
}

function append(scan: Scan, array: number, key: PhpKey, { insert, slots }: NewValue): string {
  const { close, next } = tokenAt(scan, array)
  return applyEdit(scan, {
    start: close,
    end: close,
    first: next,
    next,
    insert: encodeKey(key) + insert,
    slots,
    resize: { array, by: 1 },
  })
}

/**
 * The text without one entry, like `unset($array['x']['y'])`: other keys keep their numbers. Unchanged if the entry is missing. All other
 * bytes are treated as by `setValue`; the count of the array changes. Throws SerializedError for damage, for an
 * empty path, for a path that does not lead through arrays, and if a reference from elsewhere points into the removed value.
 */
export function removeValue(text: string, path: readonly PhpKey[]): string {
  const scan = scanPhp(phpTrim(text))
  if (path.length === 0) throw new SerializedError('cannot remove the whole value', 0)
  let array = 0
  let index = 0
  for (const key of path) {
    array = index
    const entry = findArrayEntry(scan, array, key)
    if (entry === undefined) return text
    index = entry
  }
  const { entry, end, next } = tokenAt(scan, index)
  return applyEdit(scan, {
    start: entry,
    end,
    first: index,
    next,
    insert: '',
    slots: 0,
    resize: { array, by: -1 },
  })
}

/**
 * The index of the value of one key in an array that is to be edited; undefined if it is missing. Throws SerializedError for anything but
 * an array (a reference points to a value elsewhere, an object belongs to its class, `C:` is opaque), and for a duplicate key, because PHP
 * would then use the other one.
 */
function findArrayEntry(scan: Scan, array: number, key: PhpKey): number | undefined {
  const { kind, start } = tokenAt(scan, array)
  if (kind !== 'a')
    throw new SerializedError(`found ${kind}:, expected an array to edit ${key} in`, start)
  const [entry, again] = entriesWithKey(scan, array, key)
  if (again !== undefined)
    throw new SerializedError(`found the key ${key} twice`, tokenAt(scan, again).entry)
  return entry
}

/** One edit: it replaces the bytes from `start` to `end`, which contain the tokens from `first` to `next`. */
interface ByteEdit {
  readonly start: number
  readonly end: number
  readonly first: number
  readonly next: number
  /** The replacement, without references, and the number of slots that it takes. */
  readonly insert: string
  readonly slots: number
  /** The array whose number of entries changes, and the difference. */
  readonly resize?: { readonly array: number; readonly by: number }
}

interface Splice {
  readonly start: number
  readonly end: number
  readonly insert: string
}

/** How slots change: slots up to `kept` stay, slots up to `gone` are removed, the others move by `shift`. */
interface Renumbering {
  readonly kept: number
  readonly gone: number
  /** NaN if the number of removed slots is unknown. */
  readonly shift: number
  /** The last slot with a known number: a preceding `C:` takes an unknown number of slots. */
  readonly countable: number
}

/** A plain reference, and a run that may be base64 or hexadecimal and contain one. */
const VISIBLE_REFERENCE = /(?<!\w)[Rr]:(\d+);/g
const ENCODED_RUN = /[\w+/=-]{24}/

/**
 * The text after an edit, without bytes after the value. All other bytes are unchanged, except for the digits of later references, which count values from the start of
 * the text and must still refer to the same values (`var_push` and `var_access` in ext/standard/var_unserializer.re). Throws
 * SerializedError if a reference would lose its value.
 */
function applyEdit(scan: Scan, edit: ByteEdit): string {
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
  return Buffer.concat([...pieces, scan.bytes.subarray(at, tokenAt(scan, 0).end)]).toString('utf8')
}

function planRenumbering({ tokens, slots, opaqueSlot }: Scan, edit: ByteEdit): Renumbering {
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
    throw new SerializedError('cannot resolve a reference to a value after C:', offset)
  if (slot <= kept) return slot
  if (slot <= gone) throw new SerializedError('found a reference to a removed value', offset)
  return slot + shift
}

/**
 * PHP numbers the values that a class serializes in its `C:` payload together with all others (measured: the numbers stay absolute even in
 * base64). The payload is opaque, so it cannot be renumbered.
 */
function assertPayloadStays(scan: Scan, { start, body, close }: PhpToken, to: Renumbering): void {
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
