import { Command } from 'commander'
import { resolveDescription } from '../../description/resolve-description.ts'
import { createPlanContext } from '../../plan/plan-context.ts'
import { type CliContext, CommandError, HAS_CHANGES } from '../cli-context.ts'
import { examples } from '../examples.ts'
import { type SiteRef, siteOption } from '../sites/site-options.ts'
import { jsonLine, pluralize, warn } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { detailsOption, formatPlans, presentPlans } from './plan-groups.ts'
import { chooseSite, planSites } from './plan-sites.ts'
import {
  allowProblemsOption,
  PROBLEMS_ADVICE,
  type RefusalOptions,
  refusalOf,
  strictOption,
} from './problem-options.ts'
import { inNoBundle, readFolder } from './read-folder.ts'
import { savePlan } from './saved-plan.ts'

type PlanOptions = RefusalOptions & {
  readonly json?: true
  readonly details?: boolean
  readonly out?: string
  readonly exitCode?: true
  readonly site?: SiteRef
}

/** `plan <folder>`: shows what the sites of a description lack. Writes nothing to them. */
export function planCommand(context: CliContext): Command {
  return new Command('plan')
    .argument('<folder>', 'the folder with network.yaml')
    .addOption(detailsOption())
    .option('--out <file>', 'write the plan to a file, for apply')
    .option('--exit-code', `exit with ${HAS_CHANGES} if something would change`)
    .addOption(siteOption())
    .addOption(allowProblemsOption())
    .addOption(strictOption())
    .option('--json', 'print {sites, unchanged, changed, blocked, steps, pages, plans}')
    .addHelpText(
      'after',
      examples(
        'wp-frames plan network',
        'wp-frames plan network --details --site 2',
        'wp-frames plan network --out plan.json --exit-code',
      ),
    )
    .action(
      (folder: string, { json, details = false, out, exitCode, site, ...problems }: PlanOptions) =>
        withServices(context, async (services) => {
          await assertMigrated(services)
          const startedAt = new Date()
          const { db, globals } = services
          const { description, source, unused } = await readFolder(folder)
          const { sites: selected, warnings } = await source.locating(() =>
            resolveDescription(db, globals, description, source),
          )
          warn([...unused.map(inNoBundle), ...warnings])
          const sites = await chooseSite(services, selected, site)
          const refuses = refusalOf(problems)
          const planContext = createPlanContext(0, { withDiffs: json ?? details, refuses })
          const groups = await planSites(services, sites, planContext)
          if (out !== undefined)
            await savePlan(services, out, { description, refuses }, groups, startedAt)
          process.stdout.write(
            json ? jsonLine(presentPlans(groups)) : formatPlans(groups, { details }),
          )
          const { changed, blocked } = groups.totals()
          if (blocked > 0)
            throw new CommandError(
              `${pluralize(blocked, 'site is', 'sites are')} blocked by problems. ${PROBLEMS_ADVICE}`,
            )
          if (exitCode && changed > 0) throw new CommandError('The plan has changes.', HAS_CHANGES)
        }),
    )
}
