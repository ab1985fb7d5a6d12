import type { Db } from '../../db/database.ts'
import type { CacheTagSettings } from '../../host/config/cache-purge.ts'
import type { SiteHosts } from '../../wordpress/hosts/site-hosts.ts'
import type { GlobalTables, Site } from '../../wordpress/network/site.ts'
import type { CopyStore } from '../publishing/copy-store.ts'
import type { NetworkIdentities } from '../publishing/network-identity.ts'
import type { SiteBuildOptions } from './site-build.ts'
import type { TagPurges } from './tag-purges.ts'

/** What builds the sites in a process. */
export type WorkerOptions = Omit<SiteBuildOptions, 'reads'> & {
  readonly globals: GlobalTables
  readonly hosts: SiteHosts
  /** The static copies; undefined if they are turned off. */
  readonly copies: CopyStore | undefined
  readonly identities: NetworkIdentities
  /** Quota of the static copies of a site, in bytes; undefined for none. */
  readonly quotaBytes: number | undefined
  /** Base URLs of page caches that accept PURGE [none]. */
  readonly pageCachePurge?: readonly string[]
  /** The header with the tags of pages [none]. */
  readonly cacheTags?: CacheTagSettings | undefined
  /** Records the edits of a site that a snapshot shows and that were not seen yet; see `recordShownEdits` [none are]. */
  readonly recordShownEdits?:
    | ((reads: Db, site: Site, pages: readonly number[]) => Promise<boolean>)
    | undefined
  /** Page caches that purge by tag [none]. */
  readonly tagPurges?: TagPurges | undefined
  /** An outage of the folder is logged once. */
  readonly outage: { isLogged: boolean }
  /** Whether the tables of the work are not as this program expects. */
  readonly blocked: { isBlocked: boolean }
  /** The sites whose last build ended with an outage of the database. Each is logged once. */
  readonly unavailable: Set<number>
}
