import { compareHeaders } from './compare-headers.ts'
import { compareJson } from './compare-json.ts'
import { type ComparedAnswer, type Difference, describeValue } from './difference.ts'

/**
 * The differences of the answers of the old endpoint and of wp-frames to the same request. An answer with an error and one without have only
 * this difference: everything else in them would differ too.
 */
export function compareAnswers(old: ComparedAnswer, ours: ComparedAnswer): Difference[] {
  const status: Difference[] =
    old.status === ours.status
      ? []
      : [
          {
            kind: 'status',
            field: 'status',
            values: { at: 'status', old: describeStatus(old), ours: describeStatus(ours) },
          },
        ]
  if (isSuccess(old) !== isSuccess(ours) || isRedirect(old) !== isRedirect(ours)) return status
  const bodies = compareBodies(old, ours)
  const isHtml = bodies.some(({ kind }) => kind === 'not_json')
  // The type of a page that came instead of JSON says nothing new.
  return [...status, ...compareHeaders(old, ours, isHtml ? ['content-type'] : []), ...bodies]
}

const isSuccess = ({ status }: ComparedAnswer): boolean => status >= 200 && status < 300
const isRedirect = ({ status }: ComparedAnswer): boolean => status >= 300 && status < 400

/** The status with the code of the error, or with the address of a redirect. */
function describeStatus(answer: ComparedAnswer): string {
  const { location } = answer.headers
  if (isRedirect(answer) && location !== undefined) return `${answer.status} to ${location}`
  const { value } = parseBody(answer.body)
  const code =
    typeof value === 'object' && value !== null
      ? (Reflect.get(value, 'error') ?? Reflect.get(value, 'code'))
      : undefined
  return typeof code === 'string' ? `${answer.status} ${code}` : String(answer.status)
}

function compareBodies({ body: oldBody }: ComparedAnswer, { body: ourBody }: ComparedAnswer) {
  const [old, ours] = [parseBody(oldBody), parseBody(ourBody)]
  const found: Difference[] = []
  if (old.value === undefined && ours.value === undefined)
    return Buffer.compare(oldBody, ourBody) === 0 ? [] : [bodyDifference('value', old, ours)]
  if (old.value === undefined || ours.value === undefined)
    return [bodyDifference('not_json', old, ours)]
  if (old.around !== ours.around) {
    const values = { at: 'body', old: describeValue(old.around), ours: describeValue(ours.around) }
    found.push({ kind: 'text_around_json', field: 'body', values })
  }
  return [...found, ...compareJson(old.value, ours.value)]
}

function bodyDifference(kind: 'value' | 'not_json', old: ParsedBody, ours: ParsedBody): Difference {
  const describe = ({ text, value }: ParsedBody) =>
    value === undefined ? describeValue(text) : 'JSON'
  return {
    kind,
    field: 'body',
    values: { at: 'body', old: describe(old), ours: describe(ours) },
  }
}

type ParsedBody = {
  readonly text: string
  /** Undefined if there is no JSON. */
  readonly value: unknown
  /** What is before and after the JSON. */
  readonly around: string
}

/** Parses a body as tolerant clients do, which skip what PHP prints before the JSON. */
export function parseBody(body: Uint8Array): ParsedBody {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  const whole = parseJson(text)
  if (whole !== undefined) return { text, value: whole, around: '' }
  for (const open of ['{', '[']) {
    const close = open === '{' ? '}' : ']'
    const end = text.lastIndexOf(close)
    for (const { index } of candidates(text, open)) {
      const value = parseJson(text.slice(index, end + 1))
      if (value !== undefined)
        return { text, value, around: text.slice(0, index) + text.slice(end + 1) }
    }
  }
  return { text, value: undefined, around: '' }
}

/** A notice rarely contains more braces than this. */
const MAX_CANDIDATES = 20

function candidates(text: string, open: string): { readonly index: number }[] {
  const found: { index: number }[] = []
  let index = text.indexOf(open)
  while (index >= 0 && found.length < MAX_CANDIDATES) {
    found.push({ index })
    index = text.indexOf(open, index + 1)
  }
  return found
}

/** Undefined for a text that is not JSON, or only a number or a name. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
