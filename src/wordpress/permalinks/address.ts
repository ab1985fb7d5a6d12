/** An address as a request or a link spells it, read once: whoever holds one needs to decode and check nothing. */
export type Address = {
  /** Lower case, with its port unless that is 80 or 443 (ms-settings.php drops both whatever the scheme). */
  readonly host: string
  /** The names of the path, percent-encoding undone; '' where two slashes meet. None of them is `.` or `..` or holds a slash. */
  readonly segments: readonly string[]
  /** The path ends with a slash. */
  readonly slash: boolean
  /** Without its `?`, as it was spelled. */
  readonly query: string
}

const HOST = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?$/
/** More than any page of WordPress has: 200 characters a slug, a dozen levels. */
const MAX_LENGTH = 4096

/**
 * Reads what a request asks for. Undefined where it is no address of a page: a host that is none, a path that does not begin with a
 * slash, broken percent-encoding or UTF-8, names that would lead elsewhere (`..`, also encoded; an encoded slash), control characters.
 * @param target path and query
 */
export function parseAddress(host: string, target: string): Address | undefined {
  const name = host.toLowerCase().replace(/:(?:80|443)$/, '')
  if (!HOST.test(name) || !target.startsWith('/') || target.length > MAX_LENGTH) return undefined
  const mark = target.indexOf('?')
  const names = decodeSegments(mark < 0 ? target : target.slice(0, mark))
  if (!names) return undefined
  const slash = names.at(-1) === ''
  return {
    host: name,
    segments: slash ? names.slice(0, -1) : names,
    slash,
    query: mark < 0 ? '' : target.slice(mark + 1),
  }
}

/**
 * Reads a page's link, which has no fragment. Nothing is resolved as a browser would: neither a slug `..` nor `#` may name the page
 * above.
 */
export function parseUrl(url: string): Address | undefined {
  const [, host, target] = /^https?:\/\/([^/?#]+)([^#]*)$/i.exec(url) ?? []
  if (host === undefined || target === undefined) return undefined
  return parseAddress(host, target.startsWith('/') ? target : `/${target}`)
}

function decodeSegments(path: string): string[] | undefined {
  const names: string[] = []
  for (const part of path.slice(1).split('/')) {
    const name = decodeSegment(part)
    if (name === undefined) return undefined
    names.push(name)
  }
  return names
}

function decodeSegment(part: string): string | undefined {
  try {
    const name = part.includes('%') ? decodeURIComponent(part) : part
    const isName = name !== '.' && name !== '..' && !/[/\\\x00-\x1f\x7f]/.test(name)
    return isName && name.isWellFormed() ? name : undefined
  } catch {
    return undefined
  }
}

/** The first value of a parameter; undefined where it is missing. */
export function queryValue({ query }: Address, name: string): string | undefined {
  return query === '' ? undefined : (new URLSearchParams(query).get(name) ?? undefined)
}
