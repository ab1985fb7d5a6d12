import { Command } from 'commander'
import type { Db } from '../../db/database.ts'
import { readRegistries } from '../../frames/registry.ts'
import { findMainBlog, listManageableSites } from '../../wordpress/network/find-sites.ts'
import {
  type GlobalTables,
  type SiteState,
  siteAddress,
  siteState,
} from '../../wordpress/network/site.ts'
import { readSiteNames } from '../../wordpress/network/site-names.ts'
import type { CliContext } from '../cli-context.ts'
import { formatTable, jsonLine } from '../terminal.ts'
import { withServices } from '../with-services.ts'

type SiteLine = {
  readonly site_id: number
  readonly address: string
  readonly home: string
  readonly title: string
  readonly state: SiteState
  readonly main: boolean
  /** Null if the registry is damaged. */
  readonly frames: number | null
}

const SITE_COLUMNS = ['id', 'address', 'title', 'state', 'frames']

/** `sites`: lists the sites of the network without deleted ones. */
export function sitesCommand(context: CliContext): Command {
  return new Command('sites')
    .description('list the sites of the network that are not deleted')
    .option('--json', 'print [{site_id, address, home, title, state, main, frames}]')
    .action(({ json }: { json?: true }) =>
      withServices(context, async ({ db, globals }) => {
        const lines = await readSiteLines(db, globals)
        process.stdout.write(
          json ? jsonLine(lines) : formatTable([SITE_COLUMNS, ...lines.map(siteRow)]),
        )
      }),
    )
}

/** Reads all sites with some statements for 200 sites. */
async function readSiteLines(db: Db, globals: GlobalTables): Promise<SiteLine[]> {
  const main = await findMainBlog(db, globals)
  const sites = await listManageableSites(db, globals)
  const names = await readSiteNames(db, sites)
  const registries = await readRegistries(db, sites)
  return sites.flatMap((site): SiteLine[] => {
    const [ofSite, registry] = [names.get(site.blogId), registries.get(site.blogId)]
    // The site was deleted meanwhile.
    if (!ofSite || registry === undefined) return []
    return [
      {
        site_id: site.blogId,
        address: siteAddress(site),
        home: ofSite.home,
        title: ofSite.title,
        state: siteState(site),
        main: site.blogId === main?.blog_id,
        frames: registry?.size ?? null,
      },
    ]
  })
}

function siteRow({ site_id, address, title, state, main, frames }: SiteLine): string[] {
  return [
    String(site_id),
    address,
    title,
    main ? `${state}, main site` : state,
    frames === null ? 'unreadable' : String(frames),
  ]
}
