import type { FrameName, Registry } from '../../frames/registry.ts'
import { type Site, siteAddress } from '../../wordpress/network/site.ts'
import { CommandError } from '../cli-context.ts'
import type { AddressedSite } from '../sites/site-options.ts'

/** The error for a frame that the site does not have. */
const noFrameSentence = (site: AddressedSite, ref: string): string =>
  `${siteAddress(site)} has no frame "${ref}". "wp-frames frames list --site ${site.blogId}" lists the frames.`

/** @throws CommandError if the site has no frame with this id or slug */
export function getFrameName(registry: Registry, site: Site, ref: string): FrameName {
  const name = registry.find(ref)
  if (name) return name
  throw new CommandError(noFrameSentence(site, ref))
}
