import { type Command, InvalidArgumentError } from 'commander'
import { parseUnchangedText } from '../changed-by-shell.ts'
import { CliCommand } from '../cli-command.ts'
import type { CliContext } from '../cli-context.ts'
import { addApplyOptions } from '../network/apply-plan.ts'
import { describeSites, type PlanAndApplyOptions, planAndApply } from '../network/plan-and-apply.ts'
import { allowProblemsOption, PROBLEMS_ADVICE, strictOption } from '../network/problem-options.ts'
import { atRuns, type RunSession } from '../network/run-client.ts'
import { findSites } from '../sites/find-sites.ts'
import { addSiteChoice, type SiteOptions } from '../sites/site-options.ts'

type ReplaceOptions = PlanAndApplyOptions & Pick<SiteOptions, 'site' | 'network' | 'include'>

/** `frames replace <old> <new>`: replaces a text in markup and custom links, as a run that can be rolled back. */
export function replaceInFramesCommand(context: CliContext): Command {
  const command = new CliCommand('replace')
    .argument('<old>', 'the text, exactly as it is written', parseText)
    .argument('<new>', 'its replacement', parseUnchangedText)
    .option('--dry-run', 'show the changes as a diff, and write nothing')
    .addOption(allowProblemsOption())
    .addOption(strictOption())
    .examples(
      'wp-frames frames replace https://old.example https://new.example --network --dry-run',
      'wp-frames frames replace "Old name" "New name" --site 2',
    )
  const replace = async (
    session: RunSession,
    from: string,
    to: string,
    options: ReplaceOptions,
  ) => {
    const found = await findSites(session.service.client, options)
    const wanted = found.map((site) => ({ site, bundle: {} }))
    const { sites, ...description } = describeSites('replace', 'Replacement of texts', wanted)
    const selections = sites.map(({ match }) => ({ match }))
    const replaced = { ...description, bundles: {}, sites: selections, replace: { from, to } }
    const advice = { other: PROBLEMS_ADVICE }
    await planAndApply(session, { description: replaced, advice }, options)
  }
  return atRuns(context, addApplyOptions(addSiteChoice(command)), replace)
}

/** @throws InvalidArgumentError for an empty text, which an unset shell variable causes */
function parseText(text: string): string {
  if (text === '') throw new InvalidArgumentError('Name a text to replace.')
  return parseUnchangedText(text)
}
