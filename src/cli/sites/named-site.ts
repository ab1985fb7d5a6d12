import { didYouMean } from '../../host/similar.ts'
import { siteAddress } from '../../wordpress/network/site.ts'
import { CommandError } from '../cli-context.ts'
import type { AddressedSite } from './site-options.ts'

/**
 * The site that a name means among these: its address, or a part of it that only one site has: `shop` for net.test/shop or shop.net.test.
 * @returns undefined if no site is named so
 * @throws CommandError if several are
 */
export function findNamedSite<S extends AddressedSite>(
  sites: readonly S[],
  name: string,
): S | undefined {
  const wanted = name.toLowerCase()
  const addressed = sites.find((site) => siteAddress(site).toLowerCase() === wanted)
  if (addressed) return addressed
  const [named, ...others] = sites.filter((site) => shortNameOf(site) === wanted)
  if (others.length === 0) return named
  const all = [named, ...others].flatMap((site) => (site ? [siteAddress(site)] : []))
  throw new CommandError(`"${name}" may be ${all.join(', ')}. Use the address, or the id.`)
}

/** For the end of a message about a site that does not exist: ` Did you mean "net.test/shop"?` */
export const suggestSite = (sites: readonly AddressedSite[], name: string): string =>
  didYouMean(
    name.toLowerCase(),
    sites.flatMap((site) => [siteAddress(site), shortNameOf(site)]),
  )

/** The last part of the path; of a site in a domain of its own, the first part of that. */
function shortNameOf({ domain, path }: AddressedSite): string {
  const segments = path.split('/').filter((segment) => segment !== '')
  return (segments.at(-1) ?? domain.split('.')[0] ?? '').toLowerCase()
}
