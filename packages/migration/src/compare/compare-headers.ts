import type { ComparedAnswer, Difference } from './difference.ts'

/** Headers of the contract. The values of the first two change with each answer. */
const CONTRACT = ['x-ratelimit-remaining', 'retry-after', 'content-type', 'location']
const CHANGING = new Set(['x-ratelimit-remaining', 'retry-after'])

/** Headers of connections, servers and caches: they say nothing about the resource. */
const OF_TRANSPORT = new Set([
  'age',
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'keep-alive',
  'server',
  'transfer-encoding',
  'vary',
  'via',
  'x-powered-by',
])

const isOfContract = (name: string): boolean => CONTRACT.includes(name) || name.startsWith('x-svc-')

/** The differences of headers that clients see. Those that the contract does not name are `other_header`. */
export function compareHeaders(
  { headers: old }: ComparedAnswer,
  { headers: ours }: ComparedAnswer,
  ignored: readonly string[],
): Difference[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(ours)])].sort()
  return names
    .filter((name) => !OF_TRANSPORT.has(name) && !ignored.includes(name))
    .flatMap((name) => {
      const [a, b] = [old[name], ours[name]]
      if (isEqual(name, a, b)) return []
      const isAdditional = a === undefined || !isOfContract(name)
      // Other headers that both have depend on the server.
      if (isAdditional && a !== undefined && b !== undefined) return []
      const values = {
        at: `header ${name}`,
        ...(a === undefined ? {} : { old: a }),
        ...(b === undefined ? {} : { ours: b }),
      }
      return [
        {
          kind: isAdditional ? 'other_header' : 'header',
          field: `header ${name}`,
          values,
        } as const,
      ]
    })
}

function isEqual(name: string, a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined || CHANGING.has(name))
    return (a === undefined) === (b === undefined)
  return name === 'content-type' ? mediaType(a) === mediaType(b) : a === b
}

/** JSON is in UTF-8, whether a parameter says so or not (RFC 8259, section 11). */
const mediaType = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(' ', '')
    .replace(/;charset=utf-8$/, '')
