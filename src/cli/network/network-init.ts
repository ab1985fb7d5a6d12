import { basename, resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { describeSites } from '../../description/describe-sites.ts'
import { isDescriptionName } from '../../description/description.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { CliContext } from '../cli-context.ts'
import { examples } from '../examples.ts'
import { getSite } from '../sites/requested-sites.ts'
import { parseSiteRef, type SiteRef } from '../sites/site-options.ts'
import { pluralize, warn } from '../terminal.ts'
import { withServices } from '../with-services.ts'
import { assertEmpty, writeFolder } from './write-folder.ts'

type InitOptions = {
  readonly from: readonly SiteRef[]
  readonly name?: string
  readonly force?: true
}

/** `init <folder> --from 2,5`: writes a description of what these sites have. */
export function initCommand(context: CliContext): Command {
  return new Command('init')
    .argument('<folder>', 'the target folder, which is created if it does not exist')
    .addOption(
      new Option('--from <sites>', 'the sites: ids or addresses, separated by commas')
        .argParser(parseSiteRefs)
        .makeOptionMandatory(),
    )
    .option(
      '--name <name>',
      'the name of the description; by default that of the folder',
      parseName,
    )
    .option('--force', 'replace the description in a folder that is not empty')
    .addHelpText(
      'after',
      examples(
        'wp-frames init network --from 2,5',
        'wp-frames init network --from net.test/shop --name shops --force',
      ),
    )
    .action((folder: string, { from, name, force }: InitOptions) =>
      withServices(context, async (services) => {
        if (!force) await assertEmpty(folder)
        const sites = new Map<number, Site>()
        for (const ref of from) {
          const site = await getSite(services, ref)
          sites.set(site.blogId, site)
        }
        const { description, notes } = await describeSites(
          services.db,
          [...sites.values()],
          name ?? nameOfFolder(folder),
        )
        await writeFolder(folder, description)
        warn(notes)
        const counts = Object.entries(description.bundles).map(
          ([bundle, { frames, menus, pages }]) =>
            `${bundle}: ${pluralize(frames.length, 'frame')}, ${pluralize(menus.length, 'menu')}, ${pluralize(pages.length, 'page')}\n`,
        )
        process.stdout.write(counts.join(''))
      }),
    )
}

function parseSiteRefs(text: string): SiteRef[] {
  return text.split(',').map((ref) => parseSiteRef(ref.trim()))
}

function parseName(text: string): string {
  if (isDescriptionName(text)) return text
  throw new InvalidArgumentError('Use lower-case letters, digits and single hyphens.')
}

/** The name of a folder, if it can be the name of a description. */
function nameOfFolder(folder: string): string {
  const name = basename(resolve(folder))
  return isDescriptionName(name) ? name : 'network'
}
