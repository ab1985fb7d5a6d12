import type { Command } from 'commander'
import type { Service } from '../../call-endpoint.ts'
import type { CliContext } from '../../cli-context.ts'
import type { ListOptions } from '../../list-output.ts'
import { HAS_CHANGES } from '../../network/plan-command.ts'
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
  readonly service: Service
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
  return withService(context, options, async (service) => {
    await assertFolder(path)
    const site = await service.getSite(options.site ?? (await readManifestSite(path)))
    await work({ service, site, differences: await compareFolder(service, site, path) })
  })
}
