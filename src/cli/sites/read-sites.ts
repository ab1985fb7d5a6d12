import { presentSite } from '../../api/endpoints/sites.ts'
import { readRegistries } from '../../frames/registry.ts'
import { findMainBlog, listManageableSites } from '../../wordpress/network/find-sites.ts'
import { readSiteNames } from '../../wordpress/network/site-names.ts'
import type { CliServices } from '../cli-context.ts'

/**
 * Reads all sites that commands work on, with some statements for 200 sites. Unlike `GET /network/sites`, it needs none of the service's own
 * tables, so that it can be used before `wp-frames migrate`.
 */
export async function readSites({ db, globals }: CliServices) {
  const main = await findMainBlog(db, globals)
  const sites = await listManageableSites(db, globals)
  const names = await readSiteNames(db, sites)
  const registries = await readRegistries(db, sites)
  return sites.flatMap((site) => {
    const [ofSite, registry] = [names.get(site.blogId), registries.get(site.blogId)]
    // The site was deleted meanwhile.
    if (!ofSite || registry === undefined) return []
    return [
      {
        ...presentSite({ site, names: ofSite }),
        main: site.blogId === main?.blog_id,
        /** Null if the registry is damaged. */
        frames: registry?.size ?? null,
      },
    ]
  })
}
