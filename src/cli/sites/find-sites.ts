import type { Client, Output } from '#client'
import { CommandError } from '../cli-context.ts'
import { findNamedSite, suggestSite } from './named-site.ts'
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

/** @throws CommandError if there is no such site, or several have this name, or the caller may not administer it */
export async function findSite(client: Client, ref: SiteRef): Promise<AddressedSite> {
  if ('blogId' in ref) {
    const { sites } = await client.listSites({ id: ref.blogId })
    const [site] = sites.map(addressedSite)
    if (site) return site
    throw noSite(`with the id ${ref.blogId}`)
  }
  const name = `${ref.host}${ref.path}`.replace(/\/$/, '')
  const found: AddressedSite[] = []
  for await (const { sites } of client.pages('listSites', { search: name }))
    found.push(...sites.map(addressedSite))
  const site = findNamedSite(found, name)
  if (site) return site
  const { sites } = await client.listSites({ limit: SUGGESTED_FROM })
  throw noSite(`at ${ref.text}`, suggestSite(sites.map(addressedSite), name))
}

/** Sites among which a similar name is looked for: a page of the list. */
const SUGGESTED_FROM = 200

const noSite = (description: string, suggestion = ''): CommandError =>
  new CommandError(
    `There is no site ${description}, or it is deleted, or its administrators do not include the user of the token.${suggestion} "wp-frames sites" lists the sites.`,
  )
