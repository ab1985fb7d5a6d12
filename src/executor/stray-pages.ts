import { resolve } from 'node:path'
import { listCopies } from '../publishing/copy-record.ts'
import { type Site, isClosed } from '../wordpress/network/site.ts'
import { isPublic } from '../wordpress/permalinks/find-page-at.ts'
import type { SiteBuild } from './site-build.ts'

/**
 * Pages of a site that were edited past this service: they have a static copy, but are gone, hidden, on no frame, or stand at another
 * address now. All that have one, where the site itself is closed.
 */
export async function findStalePublications(
  build: SiteBuild,
  site: Site,
  staticDir: string,
): Promise<number[]> {
  const copies = await listCopies(resolve(staticDir), site.blogId)
  const onFrames = new Set(await build.pagesOn(build.graph.all().map(({ id }) => id)))
  const inPlace = new Set<number>()
  for (const page of await build.data.pagesById([...copies.keys()])) {
    const stands = (await build.data.urlOf(page)) === copies.get(page.id)
    if (stands && !isClosed(site) && isPublic(page) && onFrames.has(page.id)) inPlace.add(page.id)
  }
  return [...copies.keys()].filter((id) => !inPlace.has(id))
}
