/** What a site's links are made of, and what of that belongs to others. */
export type SiteAddresses = {
  /** The site's address, without a slash at its end. */
  readonly home: string
  /** Paths of other sites on the same host, with a slash at both ends. */
  readonly others: readonly string[]
}

/**
 * The address of something on a site as a path of that site, `/contact?from=menu`, which `linkUrl` completes on any other. Undefined
 * for what is elsewhere, on another site of the network among that. With or without encryption, it is the same site.
 */
export function portableUrl({ home, others }: SiteAddresses, url: string): string | undefined {
  const [site, link] = [splitUrl(home), splitUrl(url)]
  if (!site || !link || link.host !== site.host) return undefined
  const path = `${link.path}/`
  if (!path.startsWith(`${site.path}/`)) return undefined
  if (others.some((other) => other.length > site.path.length + 1 && path.startsWith(other)))
    return undefined
  const below = link.path.slice(site.path.length) || '/'
  // Two slashes would begin the name of a host.
  return below.startsWith('//') ? undefined : `${below}${link.rest}`
}

function splitUrl(url: string): { host: string; path: string; rest: string } | undefined {
  const [, host, path = '', rest = ''] = /^https?:\/\/([^/?#]+)([^?#]*)(.*)$/is.exec(url) ?? []
  return host === undefined ? undefined : { host: host.toLowerCase(), path, rest }
}
