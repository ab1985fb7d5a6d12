import { join } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  findBlog,
  findBlogByAddress,
  listManageableSites,
  siteIfInstalled,
} from '../../wordpress/network/find-sites.ts'
import { type Site, siteAddress } from '../../wordpress/network/site.ts'
import { type CliServices, CommandError } from '../cli-context.ts'

/** What `addSiteOptions` puts among a command's options. */
export type SiteOptions = {
  readonly site?: SiteRef
  readonly network?: true
  readonly json?: true
}

/** How an operator names a site. */
export type SiteRef =
  | { readonly blogId: number }
  | { readonly host: string; readonly path: string; readonly text: string }

/**
 * Gives a command `--site`, `--network` and `--json`. One of the first two has to be there: no site is written to because none was named.
 * @param json what the command adds to each site's object
 */
export function addSiteOptions(command: Command, json: string): Command {
  return command
    .addOption(siteOption().conflicts('network'))
    .option('--network', 'all sites of the network but deleted ones')
    .option('--json', `print {site_id, address, state, outcome, ${json}}; a list with --network`)
    .hook('preAction', (_, action) => {
      const { site, network } = action.opts<SiteOptions>()
      if (site === undefined && network === undefined)
        action.error('error: name a site with --site, or all with --network')
    })
}

/** `--site` alone: its value is a `SiteRef`. */
export function siteOption(): Option {
  return new Option(
    '--site <id|address>',
    'one site: its id, or host and path as in net.test/shop',
  ).argParser(parseSiteRef)
}

/**
 * The sites that the options name, by id.
 * @throws CommandError for a site that is not there or is deleted
 */
export async function findRequestedSites(
  services: CliServices,
  { site: name }: SiteOptions,
): Promise<Site[]> {
  return name === undefined
    ? listManageableSites(services.db, services.globals)
    : [await getSite(services, name)]
}

/** @throws CommandError for a site that is not there or is deleted */
export async function getSite({ db, globals }: CliServices, name: SiteRef): Promise<Site> {
  const row =
    'blogId' in name
      ? await findBlog(db, globals, name.blogId)
      : await findBlogByAddress(db, globals, name.host, [name.path, name.path.toLowerCase()])
  const site = row && (await siteIfInstalled(db, globals, row))
  if (!site) {
    const said = 'blogId' in name ? `with the id ${name.blogId}` : `at ${name.text}`
    throw new CommandError(`There is no site ${said}. See "sites".`)
  }
  if (site.deleted) {
    throw new CommandError(
      `Site ${site.blogId} (${siteAddress(site)}) is deleted or was never activated. Restore it in wp-admin first.`,
    )
  }
  return site
}

function parseSiteRef(text: string): SiteRef {
  if (/^[1-9]\d{0,14}$/.test(text)) return { blogId: Number(text) }
  const [, host, path] = /^(?:https?:\/\/)?([^/\s]+)((?:\/[^/\s]+)*)\/?$/.exec(text) ?? []
  if (host !== undefined) return { host, path: `${path}/`, text }
  throw new InvalidArgumentError('Write its id, or its host and path as in net.test/shop.')
}

/** The folder of a site's files: the one that is named, or one below it for each site of the network, whatever its address becomes. */
export function siteFolder(folder: string, site: Site, { network }: SiteOptions): string {
  return network ? join(folder, `site-${site.blogId}`) : folder
}

/** @throws InvalidArgumentError for a name without a letter, which is what a variable leaves that is not set */
export function parseFolder(text: string): string {
  if (text !== '') return text
  throw new InvalidArgumentError('Name a folder; the one you are in is "."')
}
