import { Command } from 'commander'
import type { Db } from '../../db/database.ts'
import { INLINE_ANALYZER } from '../../frames/frame-markup.ts'
import { readRegistry } from '../../frames/registry.ts'
import { type Site, siteAddress, siteState } from '../../wordpress/network/site.ts'
import { type CliContext, type CliServices, CommandError } from '../cli-context.ts'
import { examples } from '../examples.ts'
import { addApplyOptions } from '../network/apply-command.ts'
import { type PlanAndApplyOptions, planAndApply } from '../network/plan-and-apply.ts'
import type { DesiredOfSite } from '../network/plan-sites.ts'
import { allowProblemsOption, PROBLEMS_ADVICE, strictOption } from '../network/problem-options.ts'
import { findRequestedSites } from '../sites/requested-sites.ts'
import {
  addNetworkChoice,
  CLOSED_STATES,
  parseFolder,
  type SiteOptions,
  type SiteRef,
  siteFolder,
  siteOption,
} from '../sites/site-options.ts'
import { pluralize } from '../terminal.ts'
import { withServices } from '../with-services.ts'
import { assertFolder, isFolder } from './folder/frame-folder.ts'
import { readManifestSite } from './folder/manifest.ts'
import { CONFLICT, describeFolder } from './push/describe-folder.ts'
import { type FolderChanges, readFolderChanges } from './push/folder-changes.ts'
import { updateFolder } from './push/update-folder.ts'

type PushCommandOptions = PlanAndApplyOptions &
  Pick<SiteOptions, 'site' | 'network' | 'include'> & {
    readonly force?: true
    readonly delete?: true
    readonly bake: boolean
  }

/** `frames push <folder>`: brings a site to the changes in a folder, as a run that can be rolled back. */
export function pushFramesCommand(context: CliContext): Command {
  const command = new Command('push')
    .argument('<folder>', 'the folder that was pulled', parseFolder)
    .option('--dry-run', 'show the changes as a diff, and write nothing')
    .option('--force', 'overwrite frames that changed on the site since the pull')
    .option('--delete', 'delete the frames whose files were removed')
    .option('--no-bake', 'skip the bake; run "frames bake" later')
    .addOption(allowProblemsOption())
    .addOption(strictOption())
    .addHelpText(
      'after',
      examples(
        'wp-frames frames push shop --dry-run',
        'wp-frames frames push shop --delete --user alice',
        'wp-frames frames push all --network --yes',
      ),
    )
  addNetworkChoice(
    command.addOption(
      siteOption('one site [the one that the folder was pulled from]').conflicts('network'),
    ),
  )
  return addApplyOptions(command).action((folder: string, given: PushCommandOptions) =>
    withServices(context, async (services) => {
      const { db } = services
      const isSiteKnown = given.site !== undefined || given.network
      const options = isSiteKnown ? given : { ...given, site: await siteOfFolder(folder) }
      const push = { force: options.force === true, delete: options.delete === true }
      const targets: DesiredOfSite[] = []
      for (const site of await findRequestedSites(services, options)) {
        const path = siteFolder(folder, site, options)
        if (options.network && !(await isFolder(path))) continue
        await assertFolder(path)
        const reading = readFolderChanges(path, site, INLINE_ANALYZER)
        // With --network, an unreadable folder blocks its site only.
        const changes = await reading.catch((error: unknown) => {
          if (!options.network || !(error instanceof CommandError)) throw error
          targets.push({ site, desired: () => Promise.reject(error) })
        })
        if (!changes) continue
        targets.push({
          site,
          desired: (reader) => describeFolder(reader, site, changes, push),
          onApplied: () => updateFolder(db, site, changes),
          findNotes: async () => (push.delete ? [] : findKept(db, site, changes)),
        })
      }
      if (options.network) await reportLeftOut(services, folder, options)
      await planAndApply(services, targets, options, {
        [CONFLICT]: CONFLICT_ADVICE,
        other: PROBLEMS_ADVICE,
      })
    }),
  )
}

/** Says which sites have a folder, but are not live and were not asked for. */
async function reportLeftOut(
  services: CliServices,
  folder: string,
  options: PushCommandOptions,
): Promise<void> {
  const asked = new Set((await findRequestedSites(services, options)).map(({ blogId }) => blogId))
  const all = await findRequestedSites(services, { ...options, include: CLOSED_STATES })
  for (const site of all) {
    if (asked.has(site.blogId) || !(await isFolder(siteFolder(folder, site, options)))) continue
    const state = siteState(site)
    process.stderr.write(
      `${siteAddress(site)} (site ${site.blogId}) is left out, because it is in the state "${state}": add --include ${state}.\n`,
    )
  }
}

async function siteOfFolder(folder: string): Promise<SiteRef> {
  await assertFolder(folder)
  return readManifestSite(folder)
}

/** The frames that `--delete` would delete. */
async function findKept(db: Db, site: Site, { removed }: FolderChanges): Promise<string[]> {
  if (removed.length === 0) return []
  const registry = await readRegistry(db, site)
  const kept = removed.filter(({ id }) => registry.find(id))
  const slugs = kept.map(({ slug }) => slug).join(', ')
  return kept.length > 0
    ? [`${pluralize(kept.length, 'frame')} without a file kept (use --delete): ${slugs}`]
    : []
}

const CONFLICT_ADVICE = 'Pull to get the changes of the site, or overwrite them with push --force.'
