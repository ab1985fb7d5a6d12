import type { Db } from '../../db/database.ts'
import type { Site } from './site.ts'

/** The paths of the other sites on the host of a site's `home`, in whatever state they are; each begins and ends with a slash. */
export async function listOtherPaths(
  db: Db,
  { blogId, globals }: Site,
  home: string,
): Promise<readonly string[]> {
  const host = URL.canParse(home) ? new URL(home).host : ''
  return db.sql(globals.blogs).where({ domain: host }).whereNot({ blog_id: blogId }).pluck('path')
}
