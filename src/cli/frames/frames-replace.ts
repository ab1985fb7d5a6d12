import { randomUUID } from 'node:crypto'
import { Command, InvalidArgumentError } from 'commander'
import type { DesiredSource } from '../../plan/apply-site.ts'
import { createPlanContext } from '../../plan/plan-context.ts'
import { replaceText } from '../../plan/replace-text.ts'
import { createRun, findUnfinishedRun } from '../../plan/runs-table.ts'
import type { CliContext } from '../cli-context.ts'
import { addApplyOptions, applyRun, continuing } from '../network/apply-command.ts'
import type { ApplyRunOptions } from '../network/apply-run.ts'
import { formatPlans, presentPlans } from '../network/plan-groups.ts'
import { planSites } from '../network/plan-sites.ts'
import { findRequestedSites, type SiteOptions, siteOption } from '../sites/site-options.ts'
import { jsonLine, sanitizeForTerminal } from '../terminal.ts'
import { assertMigrated, COMMAND_LABEL, withServices } from '../with-services.ts'

type ReplaceOptions = ApplyRunOptions &
  Pick<SiteOptions, 'site' | 'network'> & { readonly dryRun?: true; readonly user?: string }

/** `frames replace <old> <new>`: replaces a text in markup and custom links, as a run that can be rolled back. */
export function replaceInFramesCommand(context: CliContext): Command {
  const command = new Command('replace')
    .description(
      'replace a text in the markup of frames and the addresses of custom links in menus',
    )
    .argument('<old>', 'the text, exactly as it is written', parseText)
    .argument('<new>', 'its replacement')
    .addOption(siteOption().conflicts('network'))
    .option('--network', 'all sites of the network that are not deleted')
    .option('--dry-run', 'show the changes as a diff, and write nothing')
    .hook('preAction', (_, action) => {
      const { site, network } = action.opts<SiteOptions>()
      if (site === undefined && network === undefined)
        action.error('error: name a site with --site, or all sites with --network')
    })
  return addApplyOptions(command).action((from: string, to: string, options: ReplaceOptions) =>
    withServices(context, async (services) => {
      await assertMigrated(services)
      const skipped = new Set<string>()
      const desired: DesiredSource = (db, site) =>
        replaceText(db, site, { from, to }, (menu) => skipped.add(`${menu} of site ${site.blogId}`))
      const sites = (await findRequestedSites(services, options)).map((site) => ({ site, desired }))
      try {
        if (options.dryRun) {
          const planContext = createPlanContext(0, { withDiffs: true })
          const groups = await planSites(services, sites, planContext)
          process.stdout.write(options.json ? jsonLine(presentPlans(groups)) : formatPlans(groups))
          return
        }
        const { db, globals } = services
        const ids = sites.map(({ site }) => site.blogId)
        const replacement = { from, to, sites: options.network ? ('all' as const) : ids }
        const unfinished = await findUnfinishedRun(db, globals, replacement)
        const id = unfinished?.id ?? randomUUID()
        if (unfinished) process.stderr.write(continuing(id))
        const author = { userId: null, tokenId: null, label: COMMAND_LABEL, requestId: id }
        const run = {
          id,
          author,
          description: undefined,
          replacement,
          maxFailures: null,
          state: 'started',
        } as const
        const rows = ids.map((blogId) => ({ blogId, state: 'planned' as const }))
        await createRun(db, globals, run, rows)
        await applyRun(services, id, sites, options)
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
  if (text !== '') return text
  throw new InvalidArgumentError('Name a text to replace.')
}
