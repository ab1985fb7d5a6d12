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

/** The options that `addSiteOptions` adds to a command. */
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
 * Adds `--site`, `--network` and `--json` to a command and requires one of the first two, so that a command without arguments never writes
 * to a site.
 * @param json the fields that the command adds to the object of each site
 */
export function addSiteOptions(command: Command, json: string): Command {
  return addSiteChoice(command).option(
    '--json',
    `print {site_id, address, state, outcome, ${json}}; a list unless --site is used`,
  )
}

/** Adds `--site` and `--network` to a command, and requires one of them. */
export function addSiteChoice(command: Command): Command {
  return requireSite(addOptionalSiteChoice(command))
}

function requireSite(command: Command): Command {
  return command.hook('preAction', (_, action) => {
    const { site, network } = action.opts<SiteOptions>()
    if (site === undefined && network === undefined)
      action.error('error: name a site with --site, or all sites with --network')
  })
}

/** The option `--json` of a command that calls this endpoint of each site. */
export function answerOption(endpoint: string): Option {
  return new Option(
    '--json',
    `print what ${endpoint} answers; for several sites a list, also with site_id, address, state and outcome`,
  )
}

/** Adds `--site` and `--network` to a command that works on the whole network by default. */
export function addOptionalSiteChoice(command: Command): Command {
  return command
    .addOption(siteOption().conflicts('network'))
    .option('--network', 'all sites of the network that are not deleted')
}

/** The option `--site` alone; its value is a `SiteRef`. */
export function siteOption(): Option {
  return new Option(
    '--site <id|address>',
    'one site: its id, or its host and path, for example net.test/shop',
  ).argParser(parseSiteRef)
}

/**
 * The requested sites, ordered by id.
 * @throws CommandError if the site does not exist or is deleted
 */
export async function findRequestedSites(
  services: CliServices,
  { site: name }: SiteOptions,
): Promise<Site[]> {
  return name === undefined
    ? listManageableSites(services.db, services.globals)
    : [await getSite(services, name)]
}

/** @throws CommandError if the site does not exist or is deleted */
export async function getSite({ db, globals }: CliServices, name: SiteRef): Promise<Site> {
  const row =
    'blogId' in name
      ? await findBlog(db, globals, name.blogId)
      : await findBlogByAddress(db, globals, name.host, [name.path, name.path.toLowerCase()])
  const site = row && (await siteIfInstalled(db, globals, row))
  if (!site) {
    const description = 'blogId' in name ? `with the id ${name.blogId}` : `at ${name.text}`
    throw new CommandError(`There is no site ${description}. "wp-frames sites" lists the sites.`)
  }
  if (site.deleted) {
    throw new CommandError(
      `Site ${site.blogId} (${siteAddress(site)}) is deleted or was never activated. Restore it in wp-admin first.`,
    )
  }
  return site
}

/** @throws InvalidArgumentError if the text is neither an id nor an address */
export function parseSiteRef(text: string): SiteRef {
  if (/^[1-9]\d{0,14}$/.test(text)) return { blogId: Number(text) }
  const [, host, path] = /^(?:https?:\/\/)?([^/\s]+)((?:\/[^/\s]+)*)\/?$/.exec(text) ?? []
  if (host !== undefined) return { host, path: `${path}/`, text }
  throw new InvalidArgumentError(
    'Use the id of the site, or its host and path, for example net.test/shop.',
  )
}

/** The folder of a site's files: the named one, or with `--network` a subfolder named by the site's id, which never changes. */
export function siteFolder(folder: string, site: Site, { network }: SiteOptions): string {
  return network ? join(folder, `site-${site.blogId}`) : folder
}

/** @throws InvalidArgumentError for an empty name, which an unset shell variable causes */
export function parseFolder(text: string): string {
  if (text !== '') return text
  throw new InvalidArgumentError('Name a folder; "." is the current one.')
}
