import type { Db } from '../db/database.ts'
import { polylangSettings } from '../wordpress/languages/polylang-settings.ts'
import { storedArray } from '../wordpress/languages/stored-array.ts'
import { findSite } from '../wordpress/network/find-site.ts'
import type { GlobalTables } from '../wordpress/network/global-tables.ts'
import { listSites } from '../wordpress/network/list-sites.ts'
import { readHome } from '../wordpress/network/read-home.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOption } from '../wordpress/options/read-option.ts'
import { type Address, parseUrl } from '../wordpress/permalinks/address.ts'

/** How long what was read holds, in milliseconds: a new domain works a minute later, and strange hosts cost nothing meanwhile. */
const HOLDS_MS = 60_000

type SiteHost = {
  /** A host, or `*.` and what follows the code of a language. */
  readonly host: string
  /** The path of the site's home, which may differ from the one in `blogs`. */
  readonly path: string
  readonly blogId: number
}

/**
 * Hosts that the table `blogs` doesn't know: those of the sites' homes, and those that Polylang gives to languages, as domains or
 * subdomains. They stand in the options of each site, so all sites are read at once, and not for each request.
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

  /** The site at an address; of several on one host, that with the longest path above the address. */
  async find({ host, names }: Address): Promise<Site | undefined> {
    const wildcard = host.replace(/^[^.]+/, '*')
    const path = `/${names.join('/')}/`.toLowerCase()
    const here = (await this.#read()).filter((entry) => [host, wildcard].includes(entry.host))
    const above = here.filter((entry) => path.startsWith(entry.path))
    const [longest] = above.sort((a, b) => b.path.length - a.path.length)
    const found = longest ?? here[0]
    return found && findSite(this.#db, this.#globals, found.blogId)
  }

  async #read(): Promise<SiteHost[]> {
    const now = Date.now()
    if (this.#hosts === undefined || now - this.#readAt > HOLDS_MS) {
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
    const { forceLang, domains } = polylangSettings(
      storedArray(await readOption(this.#db, site, 'polylang')),
    )
    const hosts = [home.host]
    if (forceLang === 2) hosts.push(`*.${home.host.replace(/^www\./, '')}`)
    if (forceLang === 3)
      hosts.push(...[...domains.values()].flatMap((url) => parseUrl(url)?.host ?? []))
    const path = `/${home.names.map((name) => `${name}/`).join('')}`.toLowerCase()
    return [...new Set(hosts)].map((host) => ({ host, path, blogId: site.blogId }))
  }
}
