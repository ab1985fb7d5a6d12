import {
  encodeKey,
  encodeText,
  isInt64,
  type PhpInput,
  type PhpKey,
  SerializedError,
} from './php-value.ts'

type PhpArrayInput = Exclude<PhpInput, null | boolean | number | bigint | string>

/** The remaining work: a value with its key, or the end of an array. */
type Remaining = { key: string; value: PhpInput } | { closes: PhpArrayInput }

/**
 * PHP's `serialize`, without recursion: safe integers as `i:`, other numbers as `d:`, integer-like keys as `i:`. Throws SerializedError for an unpaired surrogate, a bigint beyond 64 bits, an array inside itself, or a Map that
 * has one key both as integer and as text; TypeError for values that PHP cannot represent.
 */
export function encodePhp(value: PhpInput): string {
  const parts: string[] = []
  const open = new Set<PhpInput>()
  const steps: Remaining[] = [{ key: '', value }]
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if ('closes' in step) {
      open.delete(step.closes)
      parts.push('}')
    } else if (!isArray(step.value)) {
      parts.push(step.key, encodeScalar(step.value))
    } else {
      if (open.has(step.value)) throw new SerializedError('found an array inside itself', 0)
      open.add(step.value)
      const entries = entriesOf(step.value)
      parts.push(step.key, `a:${entries.length}:{`)
      steps.push({ closes: step.value })
      for (const [key, entry] of entries.reverse()) steps.push({ key, value: entry })
    }
  }
  return parts.join('')
}

/** PHP's notation of a float (smart_str_append_double, serialize_precision -1): at most 17 digits. */
export function phpFloat(value: number): string {
  if (!Number.isFinite(value)) return String(value).replace('Infinity', 'INF').toUpperCase()
  if (Object.is(value, -0)) return '-0'
  const [mantissa = '', exponent = ''] = value.toExponential().split('e')
  if (Number(exponent) >= -4 && Number(exponent) < 17) return String(value)
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${exponent}`
}

function isArray(value: PhpInput): value is PhpArrayInput {
  return typeof value === 'object' && value !== null
}

/** The entries in order, keys encoded. */
function entriesOf(value: PhpArrayInput): [string, PhpInput][] {
  const entries = [...pairsOf(value)].map(([key, entry]): [string, PhpInput] => [
    encodeKey(key),
    entry,
  ])
  if (new Set(entries.map(([key]) => key)).size < entries.length)
    throw new SerializedError('found one key twice, as integer and as text', 0)
  return entries
}

function pairsOf(value: PhpArrayInput): Iterable<readonly [PhpKey, PhpInput]> {
  if (Array.isArray(value)) return (value as readonly PhpInput[]).entries()
  if (value instanceof Map) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return Object.entries(value)
  throw new TypeError(`cannot serialize ${Object.prototype.toString.call(value)}`)
}

function encodeScalar(value: null | boolean | number | bigint | string): string {
  switch (typeof value) {
    case 'boolean':
      return `b:${Number(value)};`
    case 'string':
      return encodeText(value)
    case 'number':
      return Number.isSafeInteger(value) && !Object.is(value, -0)
        ? `i:${value};`
        : `d:${phpFloat(value)};`
    case 'bigint':
      if (isInt64(value)) return `i:${value};`
      throw new SerializedError(`found ${value}, expected a 64-bit integer`, 0)
    default:
      if (value === null) return 'N;'
      throw new TypeError(`cannot serialize a value of the type ${typeof value}`)
  }
}
