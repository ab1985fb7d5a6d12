import type { GlobalTables } from '../wordpress/network/site.ts'

/** Tables with the state of each site's content as the service has seen it last. */
export type SeenTables = {
  readonly sites: string
  readonly posts: string
  readonly terms: string
  readonly options: string
}

export function seenTables({ basePrefix }: GlobalTables): SeenTables {
  return {
    sites: `${basePrefix}svc_seen_sites`,
    posts: `${basePrefix}svc_seen_posts`,
    terms: `${basePrefix}svc_seen_terms`,
    options: `${basePrefix}svc_seen_options`,
  }
}
