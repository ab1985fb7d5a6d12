import { Command } from 'commander'
import { presentSite } from '../../api/sites/site-page.ts'
import type { Db } from '../../db/database.ts'
import { readRegistries } from '../../frames/registry.ts'
import { findMainBlog, listManageableSites } from '../../wordpress/network/find-sites.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { readSiteNames } from '../../wordpress/network/site-names.ts'
import type { CliContext } from '../cli-context.ts'
import { formatTable, jsonLine } from '../terminal.ts'
import { withServices } from '../with-services.ts'

const SITE_COLUMNS = ['id', 'address', 'title', 'state', 'frames']

/** `sites`: lists the sites of the network without deleted ones. */
export function sitesCommand(context: CliContext): Command {
  return new Command('sites')
    .description('list the sites of the network that are not deleted')
    .option('--json', 'print [{site_id, title, address, home, state, main, frames}]')
    .action(({ json }: { json?: true }) =>
      withServices(context, async ({ db, globals }) => {
        const sites = await readSites(db, globals)
        process.stdout.write(
          json ? jsonLine(sites) : formatTable([SITE_COLUMNS, ...sites.map(siteRow)]),
        )
      }),
    )
}

/**
 * Reads all sites that commands work on, with some statements for 200 sites. Unlike `GET /network/sites`, it needs none of the service's own
 * tables, so that it can be used before `wp-frames migrate`.
 */
async function readSites(db: Db, globals: GlobalTables) {
  const main = await findMainBlog(db, globals)
  const sites = await listManageableSites(db, globals)
  const names = await readSiteNames(db, sites)
  const registries = await readRegistries(db, sites)
  return sites.flatMap((site) => {
    const [ofSite, registry] = [names.get(site.blogId), registries.get(site.blogId)]
    // The site was deleted meanwhile.
    if (!ofSite || registry === undefined) return []
    return [
      {
        ...presentSite({ site, names: ofSite }),
        main: site.blogId === main?.blog_id,
        /** Null if the registry is damaged. */
        frames: registry?.size ?? null,
      },
    ]
  })
}

function siteRow({
  site_id,
  address,
  title,
  state,
  main,
  frames,
}: Awaited<ReturnType<typeof readSites>>[number]): string[] {
  return [
    String(site_id),
    address,
    title,
    main ? `${state}, main site` : state,
    frames === null ? 'unreadable' : String(frames),
  ]
}
