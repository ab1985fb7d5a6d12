import type { FrameName, Registry } from '../../frames/registry.ts'
import { type Site, siteAddress } from '../../wordpress/network/site.ts'
import { CommandError } from '../cli-context.ts'

/** @throws CommandError where the site has no frame with this id or slug */
export function getFrameName(registry: Registry, site: Site, ref: string): FrameName {
  const name = registry.find(ref)
  if (name) return name
  throw new CommandError(
    `${siteAddress(site)} has no frame "${ref}". "frames list --site ${site.blogId}" shows which there are.`,
  )
}
