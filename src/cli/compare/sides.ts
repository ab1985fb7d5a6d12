import { parseBody } from '../../api/compare/compare-answers.ts'
import type { SiteToCompare, WriteProbes } from '../../api/compare/compared-request.ts'
import type { Config } from '../../host/config/config.ts'
import { siteAddress } from '../../wordpress/network/site.ts'
import { CommandError } from '../cli-context.ts'
import { httpClient } from '../remote/http-client.ts'
import { findLogin } from '../remote/logins.ts'
import { assertSecure } from '../remote/service-address.ts'
import { readAllSites } from '../sites/find-sites.ts'
import type { SiteRef } from '../sites/site-options.ts'
import { ME } from './check-sides.ts'
import type { ComparedSide, SideAddress } from './compared-side.ts'

export type ChosenSides = {
  readonly old: string
  readonly oldToken?: string
  readonly new?: string
  readonly token?: string
  readonly env?: string
  readonly insecure?: true
}

export type SideAddresses = {
  readonly old: SideAddress
  readonly ours: SideAddress
  readonly insecure: boolean
}

/**
 * Both sides and their tokens.
 * @throws CommandError if one is missing, both are the same, or a token would be sent without TLS
 */
export async function chooseSides(config: Config, options: ChosenSides): Promise<SideAddresses> {
  const oldToken = options.oldToken ?? config.wpFramesOldToken
  if (oldToken === undefined)
    throw new CommandError(
      'There is no token for the old endpoint. Set WP_FRAMES_OLD_TOKEN, or use --old-token.',
    )
  const login = options.new === undefined ? await findLogin(config, options.env) : undefined
  const url = options.new ?? login?.url ?? ownAddress(config)
  if (url === options.old)
    throw new CommandError(
      `--old and wp-frames are the same address (${url}). Name the address of wp-frames with --new.`,
    )
  const insecure = options.insecure === true
  assertSecure(options.old, insecure)
  assertSecure(url, insecure || login?.insecure === true)
  const token = options.token ?? login?.token ?? config.wpFramesToken ?? oldToken
  return {
    old: {
      name: 'The old endpoint',
      option: '--old',
      tokenOption: '--old-token or WP_FRAMES_OLD_TOKEN',
      url: options.old,
      token: oldToken,
    },
    ours: {
      name: 'wp-frames',
      option: '--new',
      tokenOption: '--token or WP_FRAMES_TOKEN',
      url,
      token,
    },
    insecure: insecure || login?.insecure === true,
  }
}

/** Where a service with this configuration listens. */
function ownAddress({ host, port, basePath }: Config): string {
  const isAny = host === '0.0.0.0' || host === '::'
  const name = isAny ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}${basePath}`
}

/**
 * The sites to compare, by id.
 * @throws CommandError if the token for wp-frames may not administer one
 */
export async function findComparedSites(
  { ours, insecure }: SideAddresses,
  { site: refs }: { readonly site?: readonly SiteRef[] },
): Promise<readonly SiteToCompare[]> {
  const { url, token } = ours
  const listed = await readAllSites(httpClient({ url, token, insecure }))
  const sites = listed.map(({ site_id, address, state }) => ({ blogId: site_id, address, state }))
  if (refs === undefined) {
    const live = sites.filter(({ state }) => state === 'live')
    if (live.length > 0) return live
    throw new CommandError('The token for wp-frames administers no live site.')
  }
  const chosen = refs.map((ref) => {
    const found = sites.find((site) => isNamed(site, ref))
    if (found) return found
    const name = 'blogId' in ref ? `with the id ${ref.blogId}` : `at ${ref.text}`
    throw new CommandError(
      `There is no site ${name} that the token for wp-frames may administer. Check --site and --token.`,
    )
  })
  return [...new Map(chosen.map((site) => [site.blogId, site])).values()].sort(
    (a, b) => a.blogId - b.blogId,
  )
}

function isNamed({ blogId, address }: SiteToCompare, ref: SiteRef): boolean {
  if ('blogId' in ref) return ref.blogId === blogId
  const [domain = '', ...path] = address.split('/')
  const named = siteAddress({ domain: ref.host, path: ref.path })
  return named.toLowerCase() === siteAddress({ domain, path: `/${path.join('/')}` }).toLowerCase()
}

/** Which requests the token of wp-frames may send besides reads. An old endpoint knows no limits of tokens. */
export async function readWriteProbes(ours: ComparedSide): Promise<WriteProbes> {
  const { value } = parseBody((await ours.ask(ME)).body)
  const token: unknown = typeof value === 'object' && value ? Reflect.get(value, 'token') : null
  const scope: unknown =
    typeof token === 'object' && token !== null ? Reflect.get(token, 'scope') : 'all'
  const may = (name: string): boolean => scope === 'all' || scope === name
  return { frames: may('frames'), menus: may('menus') }
}
