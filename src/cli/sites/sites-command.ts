import { Command } from 'commander'
import type { presentSite } from '../../api/endpoints/sites.ts'
import type { CliContext } from '../cli-context.ts'
import { examples } from '../examples.ts'
import { addListOptions, formatRows, type List, type ListOptions } from '../list-output.ts'
import { readSitesOfToken } from '../remote/http-service.ts'
import { addEnvironmentOption, type EnvironmentOptions, withService } from '../with-service.ts'

/** `main` and `frames` are only known with the database. */
type SiteRow = ReturnType<typeof presentSite> & {
  readonly main?: boolean
  readonly frames?: number | null
}

const SITES: List<SiteRow> = {
  id: 'site_id',
  shown: ['site_id', 'address', 'title', 'state', 'frames'],
  others: ['home', 'main'],
  cells: {
    state: ({ state, main }) => (main ? `${state}, main site` : state),
    frames: ({ frames }) => (frames === null ? 'unreadable' : frames),
  },
}

type SitesOptions = ListOptions & EnvironmentOptions

/** `sites`: lists the sites of the network without deleted ones. */
export function sitesCommand(context: CliContext): Command {
  const command = new Command('sites').addHelpText(
    'after',
    examples(
      'wp-frames sites',
      'wp-frames sites --format csv --fields site_id,address,state',
      'wp-frames sites --format ids | xargs -r -n 1 wp-frames doctor --site',
    ),
  )
  addListOptions(command, SITES, '[{site_id, title, address, home, state, main, frames}]')
  return addEnvironmentOption(command).action((options: SitesOptions) =>
    withService(
      context,
      options,
      async (service) => {
        const { database } = service
        const sites = database
          ? await (await import('./read-sites.ts')).readSites(database)
          : await readSitesOfToken(service)
        process.stdout.write(formatRows<SiteRow>(SITES, sites, sites, options))
      },
      { needsTables: false },
    ),
  )
}
