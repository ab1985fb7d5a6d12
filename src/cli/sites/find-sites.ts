import type { Client, Output } from '#client'
import { siteAddress } from '../../wordpress/network/site.ts'
import { CommandError } from '../cli-context.ts'
import { type AddressedSite, isIncluded, type SiteOptions, type SiteRef } from './site-options.ts'

/** A site in the list of the API. */
export type ListedSite = Output<'listSites'>['sites'][number]

/** The sites that `--site` or `--network` means, by id. @throws CommandError if there is no such site */
export async function findSites(
  client: Client,
  options: SiteOptions,
): Promise<readonly AddressedSite[]> {
  if (options.site !== undefined) return [await findSite(client, options.site)]
  const sites = await readAllSites(client)
  return sites.filter(({ state }) => isIncluded(state, options)).map(addressedSite)
}

/** All sites that the caller may administer, by id. */
export const readAllSites = async (client: Client): Promise<readonly ListedSite[]> => {
  const sites: ListedSite[] = []
  for await (const site of client.sites()) sites.push(site)
  return sites
}

const addressedSite = ({ site_id, address }: ListedSite): AddressedSite => {
  const [domain = '', ...path] = address.split('/')
  return { blogId: site_id, domain, path: ['', ...path, ''].join('/') }
}

/** @throws CommandError if there is no such site, or the caller may not administer it */
export async function findSite(client: Client, ref: SiteRef): Promise<AddressedSite> {
  const wanted = 'blogId' in ref ? undefined : `${ref.host}${ref.path}`.replace(/\/$/, '')
  const query = 'blogId' in ref ? { id: ref.blogId } : { search: `${wanted}` }
  for await (const { sites } of client.pages('listSites', query)) {
    const site = sites
      .map(addressedSite)
      .find((one) => wanted === undefined || isAt(one, wanted.toLowerCase()))
    if (site) return site
  }
  const description = 'blogId' in ref ? `with the id ${ref.blogId}` : `at ${ref.text}`
  throw new CommandError(
    `There is no site ${description}, or it is deleted, or its administrators do not include the user of the token. "wp-frames sites" lists the sites.`,
  )
}

const isAt = (site: AddressedSite, address: string): boolean =>
  siteAddress(site).toLowerCase() === address
