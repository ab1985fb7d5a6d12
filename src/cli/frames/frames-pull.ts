import { Command } from 'commander'
import type { CliContext } from '../cli-context.ts'
import { runOverSites } from '../sites/run-over-sites.ts'
import { addSiteOptions, parseFolder, type SiteOptions, siteFolder } from '../sites/site-options.ts'
import { withServices } from '../with-services.ts'
import { pullSite } from './pull/pull-site.ts'

type PullOptions = SiteOptions & { readonly force?: true }

/** `frames pull <folder>`: the frames of a site as files. */
export function pullFramesCommand(context: CliContext): Command {
  const command = new Command('pull')
    .description('write the frames of a site to a folder, and what changed since the last pull')
    .argument(
      '<folder>',
      'where; with --network, each site has a folder site-<id> in it',
      parseFolder,
    )
    .option('--force', 'give up what was edited in the folder')
  return addSiteOptions(command, 'folder, frames').action((folder: string, options: PullOptions) =>
    withServices(context, (services) =>
      runOverSites(services, options, (site, run) =>
        pullSite(services.db, site, run, siteFolder(folder, site, options), options),
      ),
    ),
  )
}
