import { Command, InvalidArgumentError } from 'commander'
import type { DesiredSource } from '../../plan/apply-site.ts'
import { createPlanContext } from '../../plan/plan-context.ts'
import { replaceText } from '../../plan/replace-text.ts'
import { findUnfinishedRun } from '../../plan/runs-table.ts'
import { parseUnchangedText } from '../changed-by-shell.ts'
import type { CliContext } from '../cli-context.ts'
import { examples } from '../examples.ts'
import { addApplyOptions, continuing } from '../network/apply-command.ts'
import { applyNewRun, type PlanAndApplyOptions } from '../network/plan-and-apply.ts'
import { formatPlans, presentPlans } from '../network/plan-groups.ts'
import { planSites } from '../network/plan-sites.ts'
import { findRequestedSites } from '../sites/requested-sites.ts'
import { addSiteChoice, type SiteOptions } from '../sites/site-options.ts'
import { jsonLine, sanitizeForTerminal } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'

type ReplaceOptions = PlanAndApplyOptions & Pick<SiteOptions, 'site' | 'network' | 'include'>

/** `frames replace <old> <new>`: replaces a text in markup and custom links, as a run that can be rolled back. */
export function replaceInFramesCommand(context: CliContext): Command {
  const command = new Command('replace')
    .argument('<old>', 'the text, exactly as it is written', parseText)
    .argument('<new>', 'its replacement', parseUnchangedText)
    .option('--dry-run', 'show the changes as a diff, and write nothing')
    .addHelpText(
      'after',
      examples(
        'wp-frames frames replace https://old.example https://new.example --network --dry-run',
        'wp-frames frames replace "Old name" "New name" --site 2',
      ),
    )
  return addApplyOptions(addSiteChoice(command)).action(
    (from: string, to: string, options: ReplaceOptions) =>
      withServices(context, async (services) => {
        await assertMigrated(services)
        const skipped = new Set<string>()
        const desired: DesiredSource = (db, site) =>
          replaceText(db, site, { from, to }, (menu) =>
            skipped.add(`${menu} of site ${site.blogId}`),
          )
        const sites = (await findRequestedSites(services, options)).map((site) => ({
          site,
          desired,
        }))
        try {
          if (options.dryRun) {
            const planContext = createPlanContext(0, { withDiffs: true })
            const groups = await planSites(services, sites, planContext)
            process.stdout.write(
              options.json
                ? jsonLine(presentPlans(groups))
                : formatPlans(groups, { details: true }),
            )
            return
          }
          const { db, globals } = services
          const ids = sites.map(({ site }) => site.blogId)
          const isAll = options.network && !options.include
          const replacement = { from, to, sites: isAll ? ('all' as const) : ids }
          const unfinished = await findUnfinishedRun(db, globals, replacement)
          if (unfinished) process.stderr.write(continuing(unfinished.id))
          const rows = ids.map((blogId) => ({ blogId, state: 'planned' as const }))
          const origin = { id: unfinished?.id, replacement }
          await applyNewRun(services, sites, rows, options, origin)
        } finally {
          for (const menu of skipped) {
            process.stderr.write(
              `${sanitizeForTerminal(`The menu ${menu} contains the text, but also items that are drafts or link something that is gone, so it was left alone.`)}\n`,
            )
          }
        }
      }),
  )
}

/** @throws InvalidArgumentError for an empty text, which an unset shell variable causes */
function parseText(text: string): string {
  if (text === '') throw new InvalidArgumentError('Name a text to replace.')
  return parseUnchangedText(text)
}
