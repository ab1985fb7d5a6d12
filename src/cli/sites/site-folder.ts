import { join } from 'node:path'
import { InvalidArgumentError } from 'commander'
import type { Site } from '../../wordpress/network/site.ts'
import type { SiteOptions } from './site-options.ts'

/** The folder of a site's files: the one that is named, or one below it for each site of the network, whatever its address becomes. */
export function siteFolder(folder: string, site: Site, { network }: SiteOptions): string {
  return network ? join(folder, `site-${site.blogId}`) : folder
}

/** @throws InvalidArgumentError for a name without a letter, which is what a variable leaves that is not set */
export function parseFolder(text: string): string {
  if (text !== '') return text
  throw new InvalidArgumentError('Name a folder; the one you are in is "."')
}
