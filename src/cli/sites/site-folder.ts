import { join } from 'node:path'
import type { Site } from '../../wordpress/network/site.ts'
import type { SiteOptions } from './site-options.ts'

/** The folder of a site's files: the one that is named, or one below it for each site of the network, whatever its address becomes. */
export function siteFolder(folder: string, site: Site, { network }: SiteOptions): string {
  return network ? join(folder, `site-${site.blogId}`) : folder
}
