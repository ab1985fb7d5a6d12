import { Command } from 'commander'
import type { Db } from '../../db/database.ts'
import { formatLocation, readableSlug } from '../../menus/portable-menu.ts'
import { readableMenuName } from '../../wordpress/formatting/menu-texts.ts'
import { readLanguages, readLocale } from '../../wordpress/languages/languages.ts'
import { assignmentsOf, readLocationMaps } from '../../wordpress/nav-menus/location-maps.ts'
import { listMenus } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { CliContext } from '../cli-context.ts'
import { runOverSites, type SiteReport } from '../sites/run-over-sites.ts'
import { addSiteOptions, type SiteOptions } from '../sites/site-options.ts'
import { formatTable, pluralize } from '../terminal.ts'
import { withServices } from '../with-services.ts'

const MENU_COLUMNS = ['id', 'name', 'slug', 'items', 'locations']

/** `menus list`: lists the menus of a site by name, with their locations. */
export function listMenusCommand(context: CliContext): Command {
  const command = new Command('list').description('list the menus and their locations')
  return addSiteOptions(command, 'theme, menus').action((options: SiteOptions) =>
    withServices(context, (services) =>
      runOverSites(services, options, (site) => listSiteMenus(services.db, site)),
    ),
  )
}

async function listSiteMenus(db: Db, site: Site): Promise<SiteReport> {
  const languages = await readLanguages(db, site)
  const locale = await readLocale(db, site)
  const maps = await readLocationMaps(db, site)
  const menus = (await listMenus(db, site)).map(({ id, name, slug, count }) => ({
    id,
    name: readableMenuName(name),
    slug,
    items: count,
    assigned: assignmentsOf(maps, languages, id),
  }))
  const rows = menus.map(({ id, name, slug, items, assigned }) => [
    String(id),
    name,
    readableSlug(slug, locale),
    String(items),
    assigned
      .map(({ location, lang }) => formatLocation({ location, lang: lang ?? undefined }))
      .join(', '),
  ])
  return {
    outcome: pluralize(menus.length, 'menu'),
    ...(rows.length > 0 ? { detail: formatTable([MENU_COLUMNS, ...rows]) } : {}),
    data: { theme: maps.theme, menus },
  }
}
