import type { Db } from '../../db/database.ts'
import type { GlobalTables, Site } from '../../wordpress/network/site.ts'
import type { Description } from '../description/description.ts'
import { resolveDescription } from '../description/resolve-description.ts'
import type { DesiredSource } from './apply-site.ts'
import { replaceText } from './replace-text.ts'

/** The sites of a run by id, with what each of them should have. */
type RunTargets = {
  readonly sites: readonly { readonly site: Site; readonly desired: DesiredSource }[]
  /** See `ResolvedDescription`. */
  readonly warnings: readonly string[]
}

/**
 * Finds the sites of a run, and what each of them should have. What a replaced text gives is known when a site is read.
 * @throws AppError `bad_description` with all problems
 */
export async function findRunTargets(
  db: Db,
  globals: GlobalTables,
  description: Description,
): Promise<RunTargets> {
  const { sites, warnings } = await resolveDescription(db, globals, description)
  const { replace } = description
  if (!replace) return { sites, warnings }
  const desired: DesiredSource = (reader, site) => replaceText(reader, site, replace)
  return { sites: sites.map(({ site }) => ({ site, desired })), warnings }
}
