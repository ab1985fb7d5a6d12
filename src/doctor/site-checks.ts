import type { Site } from '../wordpress/network/site.ts'
import { checkBakedCopies } from './checks/copies.ts'
import { checkFramePages } from './checks/frame-pages.ts'
import { checkItemParents } from './checks/item-parents.ts'
import { checkItemTargets } from './checks/item-targets.ts'
import { checkLanguageMaps } from './checks/language-maps.ts'
import { checkLocations } from './checks/locations.ts'
import { checkMenuCounts } from './checks/menu-counts.ts'
import { checkRecords } from './checks/records.ts'
import { checkReferences } from './checks/references.ts'
import { checkRegistry } from './checks/registry.ts'
import { checkRights } from './checks/rights.ts'
import { checkStaticCopies } from './checks/static-copies.ts'
import { checkOrphanedItems } from './checks/stray-items.ts'
import { checkTables } from './checks/tables.ts'
import { checkUnlistedFrames } from './checks/unlisted-frames.ts'
import type { Problem } from './finding.ts'
import type { SiteSnapshot } from './site-snapshot.ts'

export type SiteCheck = (visit: SiteSnapshot) => Promise<Problem[]>

/** What a site must have for the others to be asked. */
export const BASIC_CHECKS: readonly SiteCheck[] = [checkTables, checkRights]

/** What is derived comes after what it is derived from: mended in this order, a site is well in the end. */
const SITE_CHECKS: readonly SiteCheck[] = [
  checkLocations,
  checkLanguageMaps,
  checkOrphanedItems,
  checkMenuCounts,
  checkItemTargets,
  checkItemParents,
  checkRegistry,
  checkUnlistedFrames,
  checkRecords,
  checkReferences,
  checkFramePages,
  checkBakedCopies,
  checkStaticCopies,
]

/** The checks of a site. One that is deleted is out of everybody's reach, but for copies that are left of it. */
export function checksForSite({ deleted }: Site): readonly SiteCheck[] {
  return deleted ? [checkStaticCopies] : SITE_CHECKS
}
