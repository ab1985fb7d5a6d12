import { parseJson } from '../../host/parse-json.ts'
import type { Json, Params, Span } from './nodes.ts'

/** One `"key": value` of a JSON object. Both spans are relative to the start of the text. */
export type JsonMember = {
  readonly key: string
  readonly keySpan: Span
  readonly value: Json
  readonly valueSpan: Span
}

/** Deeper JSON is rejected, so that printing and storing parameters may recurse. */
export const MAX_JSON_DEPTH = 32

/** Parses a JSON object; undefined if the text is not an object or is too deep. An empty text means no parameters. */
export function readParams(text: string): Params | undefined {
  if (text === '') return Object.create(null)
  // Each level needs two brackets, so the usual short text needs no check.
  if (text.length > 2 * MAX_JSON_DEPTH && isTooDeep(text)) return undefined
  const value = parsedJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  // Without a prototype, `params.constructor` is what the author wrote, or undefined.
  return Object.assign(Object.create(null), value)
}

/**
 * The members of the object in `text`, which `readParams` has accepted, in source order, with their positions, so that an edit can leave
 * every other byte unchanged. Of duplicate keys the last one counts, as in JSON.parse.
 */
export function readMembers(text: string): JsonMember[] {
  const members = new Map<string, JsonMember>()
  let depth = 0
  let keySpan: Span | null = null
  let valueStart = -1
  let valueEnd = -1
  for (const token of tokensOf(text)) {
    const char = text[token.start]
    if (depth === 1 && (char === ',' || char === '}') && keySpan !== null) {
      const key = String(JSON.parse(text.slice(keySpan.start, keySpan.end)))
      const valueSpan = { start: valueStart, end: valueEnd }
      const value = parseJson(text.slice(valueStart, valueEnd)) as Json
      members.delete(key)
      members.set(key, { key, keySpan, value, valueSpan })
      keySpan = null
    } else if (depth === 1 && keySpan === null) {
      keySpan = token
      valueStart = -1
    } else if (depth >= 1 && char !== ':') {
      if (valueStart < 0) valueStart = token.start
      valueEnd = token.end
    }
    depth += depthChange(char)
  }
  return [...members.values()]
}

function isTooDeep(text: string): boolean {
  let depth = 0
  for (const token of tokensOf(text)) {
    depth += depthChange(text[token.start])
    if (depth > MAX_JSON_DEPTH) return true
  }
  return false
}

function depthChange(char: string | undefined): number {
  if (char === '{' || char === '[') return 1
  return char === '}' || char === ']' ? -1 : 0
}

/** Splits JSON into strings, punctuation and literals. It accepts any text, valid JSON or not. */
function* tokensOf(text: string): Generator<Span> {
  const token = /["{}[\]:,]|[^\s"{}[\]:,]+/g
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const start = match.index
    if (match[0] === '"') token.lastIndex = endOfString(text, start)
    yield { start, end: token.lastIndex }
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return Math.min(at + 1, text.length)
}

function parsedJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
