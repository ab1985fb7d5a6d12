import type { Db } from '../../db/database.ts'
import { polylangSettings } from '../languages/polylang-settings.ts'
import { storedArray } from '../languages/stored-array.ts'
import { readOption } from '../options/read-option.ts'
import { type Address, parseUrl } from '../permalinks/address.ts'
import { findBlog } from './find-site.ts'
import type { GlobalTables } from './global-tables.ts'
import { isClosed } from './is-closed.ts'
import { listSites } from './list-sites.ts'
import { readHome } from './read-home.ts'
import type { BlogRow, Site } from './site.ts'

/** How long what was read holds, in milliseconds: a new domain works a minute later, and strange hosts cost nothing meanwhile. */
const HOLDS_MS = 60_000

type SiteHost = {
  /** A host, or `*.` and what follows the code of a language. */
  readonly host: string
  /** The path of the site's home, which may differ from the one in `blogs`. */
  readonly path: string
  /** The host of the site's home. */
  readonly home: string
  readonly blogId: number
}

/**
 * Hosts that the table `blogs` doesn't know: those of the sites' homes, and those that Polylang gives to languages, as domains or
 * subdomains. They stand in the options of each site, so all sites are read at once, and not for each request.
 *
 * Only the network's administrators say where a site's home is; what hosts its languages have, the site's own say (Settings of Polylang).
 * So the host of a home is that of no other site's languages, and one that sites of several hosts claim for theirs is nobody's.
 */
export class SiteHosts {
  readonly #db: Db
  readonly #globals: GlobalTables
  #hosts: Promise<SiteHost[]> | undefined
  #readAt = 0

  constructor(db: Db, globals: GlobalTables) {
    this.#db = db
    this.#globals = globals
  }

  /**
   * The row of `blogs` of the site at an address; of several on one host, that with the longest path above the address.
   * @param since what was read before this is read again, in milliseconds since 1970
   */
  async find({ host, names }: Address, since = 0): Promise<BlogRow | undefined> {
    const wildcard = host.replace(/^[^.]+/, '*')
    const path = `/${names.join('/')}/`.toLowerCase()
    const hosts = await this.#read(since)
    const here = holders(hosts.filter((entry) => [host, wildcard].includes(entry.host)))
    const above = here.filter((entry) => path.startsWith(entry.path))
    const [longest] = above.sort((a, b) => b.path.length - a.path.length)
    const found = longest ?? (isOneSite(here) ? here[0] : undefined)
    return found && findBlog(this.#db, this.#globals, found.blogId)
  }

  async #read(since: number): Promise<SiteHost[]> {
    const now = Date.now()
    const isHeld = now - this.#readAt <= HOLDS_MS && this.#readAt > since
    if (this.#hosts === undefined || !isHeld) {
      this.#hosts = this.#readAll()
      this.#readAt = now
    }
    try {
      return await this.#hosts
    } catch (error) {
      this.#hosts = undefined
      throw error
    }
  }

  async #readAll(): Promise<SiteHost[]> {
    const sites = await listSites(this.#db, this.#globals)
    return (await Promise.all(sites.map((site) => this.#hostsOf(site)))).flat()
  }

  async #hostsOf(site: Site): Promise<SiteHost[]> {
    const home = parseUrl(await readHome(this.#db, site))
    if (!home) return []
    const hosts = new Set([home.host, ...(await this.#languageHosts(site, home.host))])
    const path = `/${home.names.map((name) => `${name}/`).join('')}`.toLowerCase()
    return [...hosts].map((host) => ({ host, path, home: home.host, blogId: site.blogId }))
  }

  /** Those of a closed site keep nobody from having them. */
  async #languageHosts(site: Site, home: string): Promise<string[]> {
    if (isClosed(site)) return []
    const { forceLang, domains } = polylangSettings(
      storedArray(await readOption(this.#db, site, 'polylang')),
    )
    if (forceLang === 2) return [`*.${home.replace(/^www\./, '')}`]
    if (forceLang !== 3) return []
    return [...domains.values()].flatMap((url) => parseUrl(url)?.host ?? [])
  }
}

/** Whose a host is of those that claim it. Sites of one host share those of their languages as they share that one: by their paths. */
function holders(claims: readonly SiteHost[]): readonly SiteHost[] {
  const homes = claims.filter(({ host, home }) => host === home)
  if (homes.length > 0) return homes
  return new Set(claims.map(({ home }) => home)).size > 1 ? [] : claims
}

const isOneSite = (claims: readonly SiteHost[]): boolean =>
  new Set(claims.map(({ blogId }) => blogId)).size === 1
