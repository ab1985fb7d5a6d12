/** A parsed URL of a request or link. Its parts are decoded and valid. */
export type Address = {
  /** Lower case, with its port unless that is 80 or 443 (ms-settings.php removes both for every scheme). */
  readonly host: string
  /** The segments of the path, percent-decoded; '' between two adjacent slashes. No segment is `.` or `..` or contains a slash. */
  readonly segments: readonly string[]
  readonly slash: boolean
  /** Without its `?`, as written. */
  readonly query: string
}

/** Names of hosts may have underscores: WordPress takes any host that `blogs` lists. */
const HOST = /^[a-z0-9_](?:[a-z0-9._-]{0,251}[a-z0-9_])?(?::\d{1,5})?$/
/** Longer than the path of any page: 200 characters per slug, a dozen levels. In characters. */
const MAX_PATH_LENGTH = 4096

/**
 * Parses the host and target of a request. Undefined if it cannot be the URL of a page: an invalid host, a path without a leading slash,
 * invalid percent-encoding or UTF-8, segments that lead elsewhere (`..`, also encoded; an encoded slash), control characters.
 * @param target path and query
 */
export function parseAddress(host: string, target: string): Address | undefined {
  const name = host.toLowerCase().replace(/:(?:80|443)$/, '')
  if (!HOST.test(name) || !target.startsWith('/') || isPathTooLong(target)) return undefined
  const queryAt = target.indexOf('?')
  const segments = decodeSegments(pathOf(target))
  if (!segments) return undefined
  const slash = segments.at(-1) === ''
  return {
    host: name,
    segments: slash ? segments.slice(0, -1) : segments,
    slash,
    query: queryAt < 0 ? '' : target.slice(queryAt + 1),
  }
}

/** Whether the path of a target is too long. The query may be of any length, because it does not name the page. */
export function isPathTooLong(target: string): boolean {
  return pathOf(target).length > MAX_PATH_LENGTH
}

const pathOf = (target: string): string => target.split('?', 1)[0] ?? ''

/**
 * Parses a page's link, which has no fragment. Nothing is resolved as in a browser: neither a slug `..` nor `#` may refer to the parent
 * page.
 */
export function parsePageUrl(url: string): Address | undefined {
  const [, host, target] = /^https?:\/\/([^/?#]+)([^#]*)$/i.exec(url) ?? []
  if (host === undefined || target === undefined) return undefined
  return parseAddress(host, target.startsWith('/') ? target : `/${target}`)
}

function decodeSegments(path: string): string[] | undefined {
  const segments: string[] = []
  for (const part of path.slice(1).split('/')) {
    const segment = decodeSegment(part)
    if (segment === undefined) return undefined
    segments.push(segment)
  }
  return segments
}

function decodeSegment(part: string): string | undefined {
  try {
    const segment = part.includes('%') ? decodeURIComponent(part) : part
    const isValid = segment !== '.' && segment !== '..' && !/[/\\\x00-\x1f\x7f]/.test(segment)
    return isValid && segment.isWellFormed() ? segment : undefined
  } catch {
    return undefined
  }
}

/** The first value of a parameter; undefined if it is missing. */
export function queryValue({ query }: Address, name: string): string | undefined {
  return query === '' ? undefined : (new URLSearchParams(query).get(name) ?? undefined)
}
