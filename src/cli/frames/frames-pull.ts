import { Command } from 'commander'
import type { CliContext } from '../cli-context.ts'
import { examples } from '../examples.ts'
import { runOverSites } from '../sites/run-over-sites.ts'
import { addSiteOptions, parseFolder, type SiteOptions, siteFolder } from '../sites/site-options.ts'
import { withServices } from '../with-services.ts'
import { pullSite } from './pull/pull-site.ts'

type PullOptions = SiteOptions & { readonly force?: true }

/** `frames pull <folder>`: writes the frames of a site to files. */
export function pullFramesCommand(context: CliContext): Command {
  const command = new Command('pull')
    .argument(
      '<folder>',
      'the folder; with --network, each site gets a subfolder site-<id>',
      parseFolder,
    )
    .option('--force', 'discard the edits in the folder')
    .addHelpText(
      'after',
      examples(
        'wp-frames frames pull shop --site net.test/shop',
        'wp-frames frames pull all --network --include archived',
      ),
    )
  return addSiteOptions(command, 'folder, frames').action((folder: string, options: PullOptions) =>
    withServices(context, (services) =>
      runOverSites(services, options, (site, run) =>
        pullSite(services.db, site, run, siteFolder(folder, site, options), options),
      ),
    ),
  )
}
