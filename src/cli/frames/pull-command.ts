import type { Command } from 'commander'
import { CliCommand } from '../cli-command.ts'
import type { CliContext } from '../cli-context.ts'
import { findSites } from '../sites/find-sites.ts'
import { runOnSites } from '../sites/run-over-sites.ts'
import { addSiteOptions, parseFolder, type SiteOptions, siteFolder } from '../sites/site-options.ts'
import { atService, type Service } from '../with-service.ts'
import { pullSite } from './pull/pull-site.ts'

type PullOptions = SiteOptions & { readonly force?: true }

/** `frames pull <folder>`: writes the frames of a site to files. */
export function pullFramesCommand(context: CliContext): Command {
  const command = new CliCommand('pull')
    .argument(
      '<folder>',
      'the folder; with --network, each site gets a subfolder site-<id>',
      parseFolder,
    )
    .option('--force', 'discard the edits in the folder')
    .examples(
      'wp-frames frames pull shop --site net.test/shop',
      'wp-frames frames pull all --network --include archived',
    )
  addSiteOptions(command, 'folder, frames')
  const pull = async (service: Service, folder: string, options: PullOptions): Promise<void> => {
    const { client } = service
    const sites = await findSites(client, options)
    await runOnSites(service, sites, options, (site, run) =>
      pullSite(client, site, run, siteFolder(folder, site, options), options),
    )
  }
  return atService(context, command, pull, { tables: false })
}
