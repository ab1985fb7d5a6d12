import { parsePageUrl } from '../permalinks/address.ts'
import type { Site } from './site.ts'

/** How the home of a site differs from the address at which WordPress finds the site. */
export type HomeDifference = 'host' | 'path'

/**
 * Compares a site's home with its row in `blogs`, by which WordPress finds it (get_site_by_path, ms-load.php). Hosts that differ in `www.`
 * lead to the same site. Undefined if they agree, or if the home is no URL.
 */
export function homeDifference({ domain, path }: Site, home: string): HomeDifference | undefined {
  const address = parsePageUrl(home)
  if (!address) return undefined
  const bare = (host: string): string => host.replace(/^www\./, '')
  const homePath = `/${address.segments.map((name) => `${encodeURIComponent(name)}/`).join('')}`
  if (homePath.toLowerCase() !== path.toLowerCase()) return 'path'
  return bare(address.host) === bare(domain.toLowerCase()) ? undefined : 'host'
}

/** What is wrong, and how it is corrected, as two sentences. */
export function homeDifferenceText({ domain, path }: Site, home: string): string {
  return `The site's home is "${home}", but WordPress finds the site at "${domain}${path}" (table blogs). Correct the options home and siteurl, or the site's address in the network admin.`
}
