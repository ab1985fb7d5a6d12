/** Length of a result in JSON, in characters, from which on it is cut. */
export const MAX_RESULT_CHARACTERS = 50_000
/** An object with more members is a map, not a structure: its last members may be left out. */
const MAX_FIELDS = 100

/** A text, list or map of a result of which only the beginning is shown. `at`: a JSON Pointer (RFC 6901). */
export type Cut = { readonly at: string; readonly shown: number; readonly total: number }

/** A value with at most about so many characters in JSON, and what was cut. Texts stay texts and lists stay lists. */
export function cutToLength(
  value: unknown,
  limit: number,
  at = '',
): { readonly value: unknown; readonly cuts: readonly Cut[] } {
  if (lengthOf(value, limit) <= limit) return { value, cuts: [] }
  if (typeof value === 'string') return cutText(value, limit, at)
  if (Array.isArray(value)) return cutList(value, limit, at)
  if (typeof value === 'object' && value !== null) return cutObject(value, limit, at)
  return { value, cuts: [] }
}

/**
 * The length of a value in JSON, in characters. Of a value that is longer than the limit, no more is read than shows it: a result may have
 * megabytes, and is measured at each of its levels.
 */
function lengthOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)?.length ?? 0
  let length = 1
  for (const name in value) {
    const member: unknown = Reflect.get(value, name)
    if (member === undefined) continue
    length += lengthOf(member, limit - length) + 1
    if (!Array.isArray(value)) length += JSON.stringify(name).length + 1
    if (length > limit) return length
  }
  return Math.max(2, length)
}

function cutText(text: string, limit: number, at: string) {
  // A character may take six in JSON: as much of the text as fits on average.
  const share = Math.floor((text.length * Math.max(0, limit)) / JSON.stringify(text).length)
  const isInPair = /[\ud800-\udbff]/.test(text[share - 1] ?? '')
  const shown = text.slice(0, isInPair ? share - 1 : share)
  return { value: shown, cuts: [{ at, shown: shown.length, total: text.length }] }
}

/** Whole elements, as many as fit; the beginning of the first one if it alone is too long. */
function cutList(list: readonly unknown[], limit: number, at: string) {
  const shown: unknown[] = []
  const cuts: Cut[] = []
  let left = limit
  for (const [index, element] of list.entries()) {
    const isFirst = index === 0
    if (!isFirst && lengthOf(element, left) >= left) break
    const part = cutToLength(element, left, `${at}/${index}`)
    shown.push(part.value)
    cuts.push(...part.cuts)
    left -= lengthOf(part.value, left) + 1
  }
  if (shown.length < list.length) cuts.push({ at, shown: shown.length, total: list.length })
  return { value: shown, cuts }
}

/** All members, the short ones whole. */
function cutObject(object: object, limit: number, at: string) {
  const members = Object.entries(object)
  const shares = sharesOf(
    members.map(([name, value]) => name.length + lengthOf(value, limit) + 4),
    limit,
  )
  const cuts: Cut[] = []
  const shown: [string, unknown][] = []
  let left = limit
  for (const [index, [name, value]] of members.entries()) {
    if (members.length > MAX_FIELDS && left <= 0) break
    const pointer = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const part = cutToLength(value, (shares[index] ?? 0) - name.length - 4, pointer)
    shown.push([name, part.value])
    cuts.push(...part.cuts)
    left -= name.length + lengthOf(part.value, left) + 4
  }
  if (shown.length < members.length) cuts.push({ at, shown: shown.length, total: members.length })
  return { value: Object.fromEntries(shown), cuts }
}

/** What each part gets of a limit: its length, or if that is too much an equal part of what the shorter ones leave. */
function sharesOf(lengths: readonly number[], limit: number): number[] {
  const ascending = [...lengths.entries()].sort(([, a], [, b]) => a - b)
  const shares: number[] = []
  let left = limit
  for (const [rank, [index, length]] of ascending.entries()) {
    const share = Math.min(length, Math.floor(Math.max(0, left) / (lengths.length - rank)))
    shares[index] = share
    left -= share
  }
  return shares
}

/**
 * The text, list or map at a JSON Pointer from an offset on, as much as fits.
 * @returns undefined if there is none
 */
export function sliceAt(result: unknown, at: string, offset: number) {
  const whole = valueAt(result, at)
  if (typeof whole !== 'string' && (typeof whole !== 'object' || whole === null)) return undefined
  const rest = sliceOf(whole, offset)
  const { value, cuts } = cutToLength(rest, MAX_RESULT_CHARACTERS)
  const [end, total] = [offset + countOf(value), countOf(whole)]
  const inner = cuts.filter((cut) => cut.at !== '')
  return {
    value,
    next_offset: end < total ? end : null,
    total,
    ...(inner.length > 0 ? { cut: inner.map((cut) => inWhole(cut, whole, at, offset)) } : {}),
  }
}

function sliceOf(whole: string | object, offset: number): unknown {
  if (typeof whole === 'string' || Array.isArray(whole)) return whole.slice(offset)
  return Object.fromEntries(Object.entries(whole).slice(offset))
}

const countOf = (whole: unknown): number =>
  typeof whole === 'string' ? whole.length : Object.keys(whole ?? {}).length

/** A cut within a slice, with its position in the whole result. */
function inWhole(cut: Cut, whole: string | object, at: string, offset: number): Cut {
  const [, name = '', ...rest] = cut.at.split('/')
  const position = Array.isArray(whole) ? Number(name) + offset : name
  return { ...cut, at: [at, position, ...rest].join('/') }
}

function valueAt(result: unknown, at: string): unknown {
  return at
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? Reflect.get(value, name)
          : undefined,
      result,
    )
}
