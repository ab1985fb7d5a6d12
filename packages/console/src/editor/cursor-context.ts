/** What is written at a position of markup, as far as something can be completed there. Positions count from the beginning of the text. */
export type CursorContext =
  /** The name of an insert: `<!-- svc/me`. */
  | { readonly kind: 'insert'; readonly from: number }
  | (JsonContext & { readonly insert: string })
  /** One bind of `data-op-bind`: a target with its colon, or a value path. */
  | { readonly kind: 'bind'; readonly hasTarget: boolean; readonly from: number }
  /** A class of an attribute. */
  | { readonly kind: 'class'; readonly from: number }

const INSERT_HEAD = /^\s*svc\/([^\s/{]*)\s*(?=\{)/
const INSERT_NAME = /^\s*\/?(s(?:v(?:c(?:\/[^\s/{]*)?)?)?)?$/
const ATTRIBUTE_VALUE = /\s(class|data-op-bind)\s*=\s*(?:"([^"]*)|'([^']*))$/i

/**
 * What can be completed at the end of a text.
 * @param text some markup before the cursor
 */
export function contextAt(text: string): CursorContext | undefined {
  const open = text.lastIndexOf('<!--')
  if (open >= 0 && !text.includes('-->', open)) return contextInComment(text, open + 4)
  return contextInAttribute(text)
}

function contextInComment(text: string, start: number): CursorContext | undefined {
  const inner = text.slice(start)
  const [, name] = INSERT_NAME.exec(inner) ?? []
  if (INSERT_NAME.test(inner)) return { kind: 'insert', from: text.length - (name?.length ?? 0) }
  const head = INSERT_HEAD.exec(inner)
  if (!head) return undefined
  const json = start + head[0].length
  const found = scanJson(text.slice(json))
  return found && { ...found, insert: head[1] ?? '', from: json + found.from }
}

function contextInAttribute(text: string): CursorContext | undefined {
  const [, name, double, single] = ATTRIBUTE_VALUE.exec(text) ?? []
  if (name === undefined) return undefined
  const value = double ?? single ?? ''
  if (name.toLowerCase() === 'class') {
    const [typed = ''] = /\S*$/.exec(value) ?? []
    return { kind: 'class', from: text.length - typed.length }
  }
  const bind = value.slice(value.lastIndexOf(';') + 1)
  const [typed = ''] = /[^\s:]*$/.exec(bind) ?? []
  return { kind: 'bind', hasTarget: bind.includes(':'), from: text.length - typed.length }
}

/** A key of an insert's JSON, or the value of a key. */
export type JsonContext = {
  readonly kind: 'key' | 'value'
  readonly key: string
  readonly given: readonly string[]
  readonly from: number
  readonly isQuoted: boolean
}

const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\]:,]|[^\s"{}[\]:,]+/g

/** What is missing at the end of a JSON object: a key or a value of its first level. */
function scanJson(json: string): JsonContext | undefined {
  let depth = 0
  let key = ''
  let expected: 'key' | 'value' | undefined
  const given: string[] = []
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    const isLast = index + token.length === json.length
    const isText = token.startsWith('"')
    const isOpen = isText && (token.length === 1 || !/^"(?:[^"\\]|\\.)*"$/.test(token))
    const isBare = !isText && !/^[{}[\]:,]$/.test(token)
    if (isLast && depth === 1 && expected && (isOpen || isBare)) {
      const from = index + (isText ? 1 : 0)
      return { kind: expected, key, given, from, isQuoted: isText }
    }
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    if (depth > 1 || (depth === 1 && /^[}\]]$/.test(token))) expected = undefined
    else if (token === '{' || token === ',') expected = 'key'
    else if (token === ':') expected = 'value'
    else {
      if (expected === 'key' && isText) {
        key = token.slice(1, -1)
        given.push(key)
      }
      expected = undefined
    }
  }
  if (depth !== 1 || !expected) return undefined
  return { kind: expected, key, given, from: json.length, isQuoted: false }
}

const REFERENCE_KEYS = ['name', 'ref', 'frame', 'slug', 'id']

/** The frame that the insert around a position names. */
export function frameNamedAt(before: string, after: string): string | undefined {
  const open = before.lastIndexOf('<!--')
  const end = after.indexOf('-->')
  if (open < 0 || end < 0 || before.includes('-->', open)) return undefined
  const [, kind, json] =
    /^<!--\s*svc\/(frame|partial|repeat)\s*(\{[\s\S]*\})/.exec(
      before.slice(open) + after.slice(0, end),
    ) ?? []
  if (kind === undefined || json === undefined) return undefined
  try {
    const params: Record<string, unknown> = JSON.parse(json)
    const keys = kind === 'repeat' ? ['frame'] : REFERENCE_KEYS
    const name = keys.map((key) => params[key]).find((value) => typeof value === 'string')
    return typeof name === 'string' && name !== '' ? name : undefined
  } catch {
    return undefined
  }
}
