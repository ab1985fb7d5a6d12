import { Command } from 'commander'
import { gmtText } from '../../wordpress/dates.ts'
import type { CliContext } from '../cli-context.ts'
import { runOverSites } from '../sites/run-over-sites.ts'
import { addSiteOptions, parseFolder, type SiteOptions, siteFolder } from '../sites/site-options.ts'
import { getUserByLogin } from '../tokens/token-arguments.ts'
import { withServices } from '../with-services.ts'
import { pushSite } from './push/push-site.ts'

type PushCommandOptions = SiteOptions & {
  readonly dryRun?: true
  readonly force?: true
  readonly delete?: true
  readonly bake: boolean
  readonly user?: string
}

/** `frames push <folder>`: sends the changes in a folder to the site. */
export function pushFramesCommand(context: CliContext): Command {
  const command = new Command('push')
    .description('send the changes in a folder since it was pulled; new files become new frames')
    .argument('<folder>', 'the folder that was pulled', parseFolder)
    .option('--dry-run', 'show the changes as a diff, and write nothing')
    .option('--force', 'overwrite frames that changed on the site since the pull')
    .option('--delete', 'delete the frames whose files were removed')
    .option('--no-bake', 'skip the bake; run "frames bake" later')
    .option('--user <login>', 'the author of the changes')
  return addSiteOptions(command, 'folder, frames').action(
    (folder: string, options: PushCommandOptions) =>
      withServices(context, async (services) => {
        const { user, bake, force = false, delete: deletes = false, dryRun = false } = options
        const author = user === undefined ? undefined : await getUserByLogin(services, user)
        const now = gmtText(new Date())
        const write = { userId: author?.id ?? 0, now, bake, force }
        await runOverSites(services, options, (site, run) =>
          pushSite(services, site, run, siteFolder(folder, site, options), {
            ...write,
            delete: deletes,
            dryRun,
            mayBeMissing: options.network === true,
          }),
        )
      }),
  )
}
