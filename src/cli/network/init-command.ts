import { basename, resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { isDescriptionName } from '../../network/description/description.ts'
import { joinSites, type WholeBundle } from '../../network/description/join-sites.ts'
import { CliCommand } from '../cli-command.ts'
import type { CliContext } from '../cli-context.ts'
import { findSite } from '../sites/find-sites.ts'
import { parseSiteRef, type SiteRef } from '../sites/site-options.ts'
import { pluralize, warn } from '../terminal.ts'
import { atService, type Service } from '../with-service.ts'
import { assertEmpty, writeFolder } from './write-folder.ts'

type InitOptions = {
  readonly from: readonly SiteRef[]
  readonly name?: string
  readonly force?: true
}

/** `init <folder> --from 2,5`: writes a description of what these sites have. */
export function initCommand(context: CliContext): Command {
  const command = new CliCommand('init')
    .argument('<folder>', 'the target folder, which is created if it does not exist')
    .addOption(
      new Option('--from <sites>', 'the sites: ids or addresses, separated by commas')
        .argParser((text) => text.split(',').map((ref) => parseSiteRef(ref.trim())))
        .makeOptionMandatory(),
    )
    .option(
      '--name <name>',
      'the name of the description; by default that of the folder',
      parseName,
    )
    .option('--force', 'replace the description in a folder that is not empty')
    .examples(
      'wp-frames init network --from 2,5',
      'wp-frames init network --from net.test/shop --name shops --force',
    )
  return atService(context, command, describeInFolder, { tables: false })
}

async function describeInFolder(
  { client }: Service,
  folder: string,
  { from, name, force }: InitOptions,
): Promise<void> {
  if (!force) await assertEmpty(folder)
  const sites = new Map<number, WholeBundle>()
  for (const ref of from) {
    const { blogId } = await findSite(client, ref)
    if (sites.has(blogId)) continue
    const { description, notes } = await client.getSiteDescription({ site_id: blogId })
    sites.set(blogId, description.bundles.shared as unknown as WholeBundle)
    warn(notes)
  }
  const description = joinSites(name ?? nameOfFolder(folder), sites)
  await writeFolder(folder, description)
  const counts = Object.entries(description.bundles).map(
    ([bundle, { frames, menus, pages }]) =>
      `${bundle}: ${pluralize(frames.length, 'frame')}, ${pluralize(menus.length, 'menu')}, ${pluralize(pages.length, 'page')}\n`,
  )
  process.stdout.write(counts.join(''))
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
