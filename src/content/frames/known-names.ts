import type { Db } from '../../db/database.ts'
import { readLocationMaps } from '../../wordpress/nav-menus/location-maps.ts'
import { listMenus, type Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOptionNames } from '../../wordpress/options/read-options.ts'
import type { NameInMarkup } from '../markup/markup-report.ts'
import { parsePath } from '../markup/value-path.ts'
import { DATASET_PREFIX } from './option-names.ts'

/** What a site has besides frames. Undefined if it is not known. */
export type KnownNames = {
  /** Locations to which a menu is assigned in some language. */
  readonly locations?: ReadonlySet<string> | undefined
  readonly menus?: readonly Pick<Menu, 'id' | 'slug' | 'name'>[] | undefined
  /** Names of data sets. */
  readonly datasets?: ReadonlySet<string> | undefined
}

/** Reads what the site has of the kinds that the names are of: at most four statements. */
export async function readKnownNames(
  db: Db,
  site: Site,
  names: readonly Pick<NameInMarkup, 'kind' | 'name'>[],
): Promise<KnownNames> {
  const namesLocation = names.some(({ kind }) => kind === 'location')
  const namesDataset = names.some(
    ({ kind, name }) => kind === 'value' && parsePath(name)?.root === 'dataset',
  )
  return {
    locations: namesLocation ? await readAssignedLocations(db, site) : undefined,
    menus: names.some(({ kind }) => kind === 'menu') ? await listMenus(db, site) : undefined,
    datasets: namesDataset ? await readDatasetNames(db, site) : undefined,
  }
}

/** Locations to which a menu is assigned in some language. */
export async function readAssignedLocations(db: Db, site: Site): Promise<Set<string>> {
  const { byTheme, byLanguage } = await readLocationMaps(db, site)
  const inLanguages = [...byLanguage].filter(([, menus]) =>
    [...menus.values()].some((id) => id > 0),
  )
  const inTheme = [...byTheme].filter(([, id]) => id > 0)
  return new Set([...inTheme, ...inLanguages].map(([location]) => location))
}

export async function readDatasetNames(db: Db, site: Site): Promise<Set<string>> {
  const options = await readOptionNames(db, site, DATASET_PREFIX)
  return new Set(options.map((name) => name.slice(DATASET_PREFIX.length)))
}
