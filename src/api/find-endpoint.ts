import type { Endpoint } from './endpoint.ts'

/**
 * Finds the endpoint of a request as the router does: of two patterns that match, the first is taken.
 * @param path below the site or the network, percent-encoded, without a query
 * @returns the endpoint, and the values of the path; undefined if there is none
 */
export function findEndpoint<One extends Pick<Endpoint, 'method' | 'path'>>(
  candidates: readonly One[],
  method: string,
  path: string,
): { readonly endpoint: One; readonly params: Record<string, string> } | undefined {
  for (const endpoint of candidates) {
    const params =
      endpoint.method === method.toLowerCase() ? paramsIn(path, endpoint.path) : undefined
    if (params) return { endpoint, params }
  }
  return undefined
}

/** The values that a path has for the parameters of a pattern; undefined if it does not match. */
function paramsIn(path: string, pattern: string): Record<string, string> | undefined {
  const sent = path.replace(/\/$/, '').split('/')
  const wanted = pattern.split('/')
  if (sent.length !== wanted.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const text = decoded(sent[index] ?? '')
    if (text === undefined) return undefined
    if (part.startsWith(':') && text !== '') params[part.slice(1)] = text
    else if (part !== text.toLowerCase()) return undefined
  }
  return params
}

function decoded(segment: string): string | undefined {
  try {
    return segment.includes('?') ? undefined : decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
