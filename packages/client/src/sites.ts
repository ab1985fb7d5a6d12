import type { Calls, Output } from './endpoint-types.ts'
import { readPages } from './paging.ts'
import { printShortly } from './service-error.ts'

/** A site that the token may administer. */
export type Site = Output<'listSites'>['sites'][number]

export type SitesOptions = {
  /** Only sites whose title or address contains this text, or whose id it is. */
  readonly search?: string
  readonly signal?: AbortSignal
}

export type ForEachSiteOptions = SitesOptions & {
  /** Only sites in one of these states [`['live']`]: archived sites and spam are left out unless they are named. */
  readonly states?: readonly Site['state'][]
  /** Only sites for which this returns true. */
  readonly where?: (site: Site) => boolean
  /** Sites at the same time [4]. */
  readonly concurrency?: number
  /** Is called when a site is done or has failed. */
  readonly onProgress?: (progress: SiteProgress) => void
}

export type SiteProgress = {
  readonly site: Site
  /** Why the site has failed; undefined if it has not. */
  readonly error: unknown
  /** Sites that are done or have failed, this one included. */
  readonly finished: number
  readonly total: number
}

/** The result of a site. */
export type SiteResult<Value> = { readonly site: Site; readonly value: Value }
/** Why a site has failed. */
export type SiteFailure = { readonly site: Site; readonly error: unknown }

/** Some sites have failed; all others are done. */
export class SitesError extends Error {
  override readonly name = 'SitesError'
  readonly failures: readonly SiteFailure[]

  constructor(failures: readonly SiteFailure[], total: number) {
    const list = failures.map(({ site, error }) => `${site.address}: ${messageOf(error)}`)
    super(`${failures.length} of ${total} sites failed.\n${list.join('\n')}`)
    this.failures = failures
    printShortly(this)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : `${error}`)

const SITES_PER_PAGE = 200

/** Reads the sites that the token may administer, by id. */
export async function* readSites(
  calls: Calls,
  { search, signal }: SitesOptions = {},
): AsyncGenerator<Site, void, undefined> {
  const query = { limit: SITES_PER_PAGE, ...(search === undefined ? {} : { search }) }
  for await (const { sites } of readPages(calls, 'listSites', query, signal ? { signal } : {})) {
    yield* sites
  }
}

/**
 * Calls `work` for each live site, for several at the same time. A site that fails does not stop the others.
 * @returns the results in the order of the ids of sites
 * @throws SitesError when all sites are done and some have failed; the reason of the signal when it is aborted; what `onProgress` throws;
 * RangeError for a concurrency below 1
 */
export async function forEachSite<Value>(
  calls: Calls,
  work: (site: Site) => Promise<Value>,
  options: ForEachSiteOptions = {},
): Promise<SiteResult<Value>[]> {
  const { states = ['live'], where = () => true, concurrency = 4, onProgress, signal } = options
  if (!(concurrency >= 1)) throw new RangeError(`The concurrency ${concurrency} is less than 1.`)
  const sites: Site[] = []
  for await (const site of readSites(calls, options)) {
    if (states.includes(site.state) && where(site)) sites.push(site)
  }
  const total = sites.length
  const results: SiteResult<Value>[] = []
  const failures: SiteFailure[] = []
  const runWorker = async () => {
    for (let site = sites.shift(); site; site = sites.shift()) {
      signal?.throwIfAborted()
      let error: unknown
      try {
        results.push({ site, value: await work(site) })
      } catch (reason) {
        error = reason
        failures.push({ site, error })
      }
      try {
        onProgress?.({ site, error, finished: results.length + failures.length, total })
      } catch (reason) {
        // The caller's own mistake is no failure of the site, and ends the work.
        sites.length = 0
        throw reason
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, total) }, runWorker))
  signal?.throwIfAborted()
  if (failures.length > 0) throw new SitesError(failures, total)
  return results.sort((a, b) => a.site.site_id - b.site.site_id)
}
