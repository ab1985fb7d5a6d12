import { Command } from 'commander'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { readRegistry } from '../../frames/registry.ts'
import { decodeName } from '../../wordpress/formatting/plain-text.ts'
import { findMainBlog, listManageableSites, readHome } from '../../wordpress/network/find-sites.ts'
import { type Site, siteAddress } from '../../wordpress/network/site.ts'
import { readOption } from '../../wordpress/options/read-options.ts'
import type { CliContext } from '../cli-context.ts'
import { formatTable, jsonLine } from '../terminal.ts'
import { withServices } from '../with-services.ts'

type SiteLine = {
  readonly site_id: number
  readonly address: string
  readonly home: string
  readonly title: string
  readonly state: 'live' | 'archived' | 'spam'
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
        const main = await findMainBlog(db, globals)
        const lines: SiteLine[] = []
        for (const site of await listManageableSites(db, globals))
          lines.push(await siteLine(db, site, main?.blog_id))
        process.stdout.write(
          json ? jsonLine(lines) : formatTable([SITE_COLUMNS, ...lines.map(siteRow)]),
        )
      }),
    )
}

async function siteLine(db: Db, site: Site, mainId: number | undefined): Promise<SiteLine> {
  return {
    site_id: site.blogId,
    address: siteAddress(site),
    home: await readHome(db, site),
    title: decodeName((await readOption(db, site, 'blogname')) ?? ''),
    state: siteState(site),
    main: site.blogId === mainId,
    frames: await countFrames(db, site),
  }
}

/** A site that is both archived and spam is reported as spam. */
function siteState({ archived, spam }: Site): SiteLine['state'] {
  if (spam) return 'spam'
  return archived ? 'archived' : 'live'
}

async function countFrames(db: Db, site: Site): Promise<number | null> {
  try {
    return (await readRegistry(db, site)).size
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
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
