import { join } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { didYouMean } from '../../host/similar.ts'
import type { Site, SiteState } from '../../wordpress/network/site.ts'

/** The options that `addSiteOptions` adds to a command. */
export type SiteOptions = {
  readonly site?: SiteRef
  readonly network?: true
  /** With `network`: also sites in these states. */
  readonly include?: readonly SiteState[]
  readonly json?: true
}

/** What is known of a site over HTTP, too. */
export type AddressedSite = Pick<Site, 'blogId' | 'domain' | 'path'>

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

/** Adds `--site`, `--network` and `--include` to a command, and requires one of the first two. */
export function addSiteChoice(command: Command): Command {
  return addNetworkChoice(command.addOption(siteOption().conflicts('network'))).hook(
    'preAction',
    (_, action) => {
      const { site, network } = action.opts<SiteOptions>()
      if (site === undefined && network === undefined)
        action.error('error: name a site with --site, or all live sites with --network')
    },
  )
}

/** Adds `--network` and `--include` to a command. */
export function addNetworkChoice(command: Command): Command {
  return command
    .option('--network', 'all live sites of the network')
    .option(
      '--include <states>',
      'with --network: also sites that visitors do not see: archived, spam, or both, separated by a comma',
      parseStates,
    )
    .hook('preAction', (_, action) => {
      const { network, include } = action.opts<SiteOptions>()
      if (include && !network) action.error('error: --include needs --network')
    })
}

/** The states of sites that `--network` leaves out. Nothing can be done to deleted sites. */
const CLOSED_STATES = ['archived', 'spam'] as const

/** @throws InvalidArgumentError */
function parseStates(text: string): SiteState[] {
  return text.split(',').map((name) => {
    const state = CLOSED_STATES.find((one) => one === name.trim())
    if (state) return state
    throw new InvalidArgumentError(
      `Use archived, spam, or archived,spam.${didYouMean(name, CLOSED_STATES)}`,
    )
  })
}

/** The option `--json` of a command that calls this endpoint of each site. */
export function answerOption(endpoint: string): Option {
  return new Option(
    '--json',
    `print what ${endpoint} answers; for several sites a list, also with site_id, address, state and outcome`,
  )
}

/** Adds `--site` and `--network` to a command that works on the whole network by default, in any state of its sites. */
export function addOptionalSiteChoice(command: Command): Command {
  return command
    .addOption(siteOption().conflicts('network'))
    .option('--network', 'the whole network, also archived sites and spam')
}

/** The option `--site` alone; its value is a `SiteRef`. */
export function siteOption(description = 'one site'): Option {
  return new Option(
    '--site <id|address>',
    `${description}: its id, its address such as net.test/shop, or the last part of it: shop`,
  ).argParser(parseSiteRef)
}

/** Whether `--network` means a site in this state. */
export const isIncluded = (state: SiteState, { include = [] }: SiteOptions): boolean =>
  state === 'live' || include.includes(state)

/** @throws InvalidArgumentError if the text is neither an id nor an address */
export function parseSiteRef(text: string): SiteRef {
  if (/^[1-9]\d{0,14}$/.test(text)) return { blogId: Number(text) }
  const [, host, path] = /^(?:https?:\/\/)?([^/\s]+)((?:\/[^/\s]+)*)\/?$/.exec(text) ?? []
  if (host !== undefined) return { host, path: `${path}/`, text }
  throw new InvalidArgumentError(
    'Use the id of the site, its address such as net.test/shop, or the last part of it: shop.',
  )
}

/** The folder of a site's files: the named one, or with `--network` a subfolder named by the site's id, which never changes. */
export function siteFolder(
  folder: string,
  site: Pick<AddressedSite, 'blogId'>,
  { network }: SiteOptions,
): string {
  return network ? join(folder, `site-${site.blogId}`) : folder
}

/** @throws InvalidArgumentError for an empty name, which an unset shell variable causes */
export function parseFolder(text: string): string {
  if (text !== '') return text
  throw new InvalidArgumentError('Name a folder; "." is the current one.')
}
