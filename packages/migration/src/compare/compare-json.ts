import { type Difference, type DifferenceKind, describeValue } from './difference.ts'
import { matchElements } from './match-elements.ts'

type FieldPath = { readonly field: string; readonly at: string }

/** Fields whose keys are data, so that clients see a further key. */
const MAPS = /(?:^|\.)(?:inserts|value)$|(?:^|\.)value\./
/** Sentences for people. Clients depend on codes. */
const SENTENCES = /(?:^|[.\]])(?:message|hint|detail)$/
/** A code or a sentence. */
const REASON = /(?:^|[.\]])reason$/
const WARNINGS = /(?:^|[.\]])warnings$/
const MARKUP = /(?:^|[.\]])html$/

type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

/** The differences of two parsed bodies, by field. */
export function compareJson(old: unknown, ours: unknown): Difference[] {
  const found: Difference[] = []
  compareAt({ field: '', at: '' }, old, ours, found)
  return found
}

function compareAt(path: FieldPath, old: unknown, ours: unknown, found: Difference[]): void {
  const type = typeOf(old)
  if (type !== typeOf(ours)) {
    add(found, 'type', path, { old, ours })
    return
  }
  if (type === 'object') compareObjects(path, old as object, ours as object, found)
  else if (type === 'array' && WARNINGS.test(path.field))
    compareWarnings(path, old as unknown[], ours as unknown[], found)
  else if (type === 'array') compareLists(path, old as unknown[], ours as unknown[], found)
  else if (old !== ours) compareValues(path, old, ours, found)
}

function compareObjects(path: FieldPath, old: object, ours: object, found: Difference[]): void {
  const isMap = MAPS.test(path.field)
  for (const [key, value] of Object.entries(old)) {
    const below = keyPath(path, key)
    if (!Object.hasOwn(ours, key)) add(found, 'missing', below, { old: value })
    else compareAt(below, value, Reflect.get(ours, key), found)
  }
  for (const [key, value] of Object.entries(ours))
    if (!Object.hasOwn(old, key))
      add(found, isMap ? 'additional' : 'additional_field', keyPath(path, key), { ours: value })
}

function compareLists(
  path: FieldPath,
  oldList: readonly unknown[],
  ourList: readonly unknown[],
  found: Difference[],
): void {
  const { pairs, onlyOld, onlyOurs, moved } = matchElements(oldList, ourList)
  const elementPath = (key: string): FieldPath => ({
    field: `${path.field}[]`,
    at: `${path.at}[${key}]`,
  })
  for (const { key, element } of onlyOld) add(found, 'missing', elementPath(key), { old: element })
  for (const { key, element } of onlyOurs)
    add(found, 'additional', elementPath(key), { ours: element })
  if (moved) add(found, 'order', { field: `${path.field}[]`, at: path.at }, moved)
  for (const { key, old, ours } of pairs) compareAt(elementPath(key), old, ours, found)
}

/** Warnings are codes, or sentences for people. */
function compareWarnings(
  path: FieldPath,
  oldList: readonly unknown[],
  ourList: readonly unknown[],
  found: Difference[],
): void {
  const below = { field: `${path.field}[]`, at: path.at }
  const [oldCodes, ourCodes] = [oldList, ourList].map((list) =>
    list.filter((one) => !isSentence(one)),
  )
  for (const code of oldCodes ?? [])
    if (!ourCodes?.includes(code)) add(found, 'missing', below, { old: code })
  for (const code of ourCodes ?? [])
    if (!oldCodes?.includes(code)) add(found, 'additional', below, { ours: code })
  const [old, ours] = [oldList, ourList].map((list) => list.filter(isSentence))
  if (JSON.stringify(old) !== JSON.stringify(ours)) add(found, 'text', below, { old, ours })
}

const isSentence = (text: unknown): boolean => typeof text === 'string' && /\s/.test(text.trim())

function compareValues(path: FieldPath, old: unknown, ours: unknown, found: Difference[]): void {
  const isReason = REASON.test(path.field) && [old, ours].every(isSentence)
  if (SENTENCES.test(path.field) || isReason) add(found, 'text', path, { old, ours })
  else if (MARKUP.test(path.field)) compareMarkup(path, String(old), String(ours), found)
  else add(found, 'value', path, { old, ours })
}

/** Bytes around the first difference of markup that are shown. */
const SHOWN_AROUND = 30

function compareMarkup(path: FieldPath, old: string, ours: string, found: Difference[]): void {
  const [a, b] = [Buffer.from(old), Buffer.from(ours)]
  let byte = 0
  while (byte < a.length && a[byte] === b[byte]) byte += 1
  const around = (bytes: Buffer): string =>
    `${bytes.length} bytes: ${describeValue(bytes.subarray(Math.max(0, byte - SHOWN_AROUND), byte + SHOWN_AROUND).toString())}`
  found.push({
    kind: 'markup',
    field: path.field,
    values: { at: `${path.at} from byte ${byte}`, old: around(a), ours: around(b) },
  })
}

function keyPath(path: FieldPath, key: string): FieldPath {
  const join = (base: string, name: string) => (base === '' ? name : `${base}.${name}`)
  // Kinds of inserts and ids of frames are so many that a pattern names them all.
  const isAny = /(?:^|\.)inserts$/.test(path.field) || /^[0-9a-f]{16}$/.test(key)
  const pattern = isAny ? '*' : key
  return { field: join(path.field, pattern), at: join(path.at, key) }
}

function add(
  found: Difference[],
  kind: DifferenceKind,
  { field, at }: FieldPath,
  values: { readonly old?: unknown; readonly ours?: unknown },
): void {
  const excerpts = Object.entries(values).map(([side, value]) => [side, describeValue(value)])
  found.push({
    kind,
    field: field === '' ? 'body' : field,
    values: { at: at === '' ? 'body' : at, ...Object.fromEntries(excerpts) },
  })
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : (typeof value as JsonType)
}
