import { Command } from 'commander'
import { listMenusEndpoint } from '../../api/menus/list-menus.endpoint.ts'
import { formatLocation, readableSlug } from '../../menus/portable-menu.ts'
import { readLocale } from '../../wordpress/languages/languages.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { callSite } from '../call-endpoint.ts'
import type { CliContext, CliServices } from '../cli-context.ts'
import { runOverSites, type SiteReport } from '../sites/run-over-sites.ts'
import { addSiteChoice, answerOption, type SiteOptions } from '../sites/site-options.ts'
import { formatTable, pluralize } from '../terminal.ts'
import { withServices } from '../with-services.ts'

const MENU_COLUMNS = ['id', 'name', 'slug', 'items', 'locations']

/** `menus list`: lists the menus of a site by name, with their locations. */
export function listMenusCommand(context: CliContext): Command {
  return addSiteChoice(new Command('list'))
    .description('list the menus and their locations')
    .addOption(answerOption('GET /site/<id>/menus'))
    .action((options: SiteOptions) =>
      withServices(context, (services) =>
        runOverSites(services, options, (site) => listMenus(services, site)),
      ),
    )
}

async function listMenus(services: CliServices, site: Site): Promise<SiteReport> {
  const answer = await callSite(services, site, listMenusEndpoint)
  const locale = await readLocale(services.db, site)
  const rows = answer.menus.map(({ id, name, slug, items, assigned }) => [
    String(id),
    name,
    readableSlug(slug, locale),
    String(items),
    assigned
      .map(({ location, lang }) => formatLocation({ location, lang: lang ?? undefined }))
      .join(', '),
  ])
  return {
    outcome: pluralize(rows.length, 'menu'),
    ...(rows.length > 0 ? { detail: formatTable([MENU_COLUMNS, ...rows]) } : {}),
    answer,
  }
}
