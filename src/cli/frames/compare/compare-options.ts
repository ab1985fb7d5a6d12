import type { Command } from 'commander'
import type { Client } from '#client'
import type { CliContext } from '../../cli-context.ts'
import type { ListOptions } from '../../list-output.ts'
import { HAS_CHANGES } from '../../network/plan-command.ts'
import { findSite } from '../../sites/find-sites.ts'
import {
  type AddressedSite,
  parseFolder,
  type SiteRef,
  siteOption,
} from '../../sites/site-options.ts'
import { addEnvironmentOption, type EnvironmentOptions, withService } from '../../with-service.ts'
import { assertFolder } from '../folder/frame-folder.ts'
import { readManifestSite } from '../folder/manifest.ts'
import { compareFolder, type FrameDifference } from './compare-folder.ts'

export type CompareOptions = EnvironmentOptions &
  ListOptions & { readonly site?: SiteRef; readonly exitCode?: true }

/** Adds what a command needs that compares a folder with its site. */
export function addCompareOptions(command: Command): Command {
  command
    .argument('<folder>', 'the folder that was pulled', parseFolder)
    .addOption(siteOption('one site [the one that the folder was pulled from]'))
    .option('--exit-code', `exit with ${HAS_CHANGES} if the folder and the site differ`)
  return addEnvironmentOption(command)
}

type Comparison = {
  readonly client: Client
  readonly site: AddressedSite
  readonly differences: readonly FrameDifference[]
}

/** Compares a folder with its site, and works on the differences. */
export function withFolder(
  context: CliContext,
  path: string,
  options: CompareOptions,
  work: (comparison: Comparison) => Promise<void>,
): Promise<void> {
  return withService(context, options, async ({ client }) => {
    await assertFolder(path)
    const site = await findSite(client, options.site ?? (await readManifestSite(path)))
    await work({ client, site, differences: await compareFolder(client, site, path) })
  })
}
