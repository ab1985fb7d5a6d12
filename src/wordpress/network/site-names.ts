import type { Db } from '../../db/database.ts'
import { decodeName } from '../formatting/plain-text.ts'
import { readOptionsOfSites } from '../options/read-options-of-sites.ts'
import { homeIn } from './find-sites.ts'
import type { Site } from './site.ts'

/** How people know a site. */
export type SiteNames = {
  /** Plain text; '' if there is none. */
  readonly title: string
  /** URL without a slash at the end. */
  readonly home: string
}

/** The names of these sites, by blog id, with one statement for 200 sites. Sites whose options cannot be read are left out. */
export async function readSiteNames(
  db: Db,
  sites: readonly Site[],
): Promise<Map<number, SiteNames>> {
  const options = await readOptionsOfSites(db, sites, ['home', 'siteurl', 'blogname'])
  return new Map(
    [...options].map(([blogId, ofSite]) => [
      blogId,
      { title: decodeName(ofSite.get('blogname') ?? ''), home: homeIn(ofSite) },
    ]),
  )
}
