import type { Command } from 'commander'
import { CliCommand } from '../cli-command.ts'
import type { CliContext } from '../cli-context.ts'
import { parseId } from '../parse-id.ts'
import { findSites } from '../sites/find-sites.ts'
import { runOnSites } from '../sites/run-over-sites.ts'
import { addSiteChoice, answerOption, type SiteOptions } from '../sites/site-options.ts'
import { confirmOnTerminal, pluralize } from '../terminal.ts'
import {
  addEnvironmentOption,
  type EnvironmentOptions,
  type Service,
  withService,
} from '../with-service.ts'
import { describeRestore } from './describe-restore.ts'
import { parseMomentOption, parseTimeOption } from './history-options.ts'

type RestoreOptions = SiteOptions &
  EnvironmentOptions & {
    readonly entry?: number
    readonly request?: string
    readonly token?: number
    readonly since?: string
    readonly at?: string
    readonly everything?: true
    readonly ifUnchanged?: true
    readonly dryRun?: true
    readonly yes?: true
    readonly bake: boolean
    readonly user?: string
  }

/** `restore`: restores former states of sites. */
export function restoreCommand(context: CliContext): Command {
  const command = new CliCommand('restore')
    .option('--entry <id>', 'one frame, menu, location or assignment, as after this entry', parseId)
    .option('--request <id>', 'everything that a request or a command wrote, as it was before')
    .option('--token <id>', 'everything written with a token since --since', parseId)
    .option('--since <time>', 'with --token: from when on (GMT)', parseTimeOption)
    .option(
      '--at <moment>',
      'everything, as at this time (GMT) or after this entry',
      parseMomentOption,
    )
    .option(
      '--if-unchanged',
      'with --request or --token: restore nothing if something was changed since',
    )
    .option(
      '--everything',
      'with --at: also what other programs have changed, or a lost table no longer has',
    )
    .option('--dry-run', 'show the changes as a diff, and write nothing')
    .option('--yes', 'do not ask')
    .option('--no-bake', 'build nothing now')
    .option('--user <login>', 'the author of the restored frames and items')
    .addOption(answerOption('POST /site/<id>/restore'))
    .examples(
      'wp-frames restore --site 2 --entry 1207 --dry-run',
      'wp-frames restore --site 2 --at "2026-03-01 09:30:00"',
      'wp-frames restore --network --token 5 --since 2026-03-01 --dry-run',
    )
  return addEnvironmentOption(addSiteChoice(command)).action((options: RestoreOptions) => {
    const { entry, request, token, since, at } = options
    const scopes = [entry, request, token, at].filter((scope) => scope !== undefined)
    if (scopes.length !== 1 || (token === undefined) !== (since === undefined)) {
      return command.error(
        'error: use exactly one of --entry, --request, --token with --since, and --at',
      )
    }
    const scope = { entry, request_id: request, token_id: token, since, at }
    const { everything, ifUnchanged: if_unchanged, dryRun: dry_run, bake } = options
    const body = { ...scope, everything, if_unchanged, dry_run, bake }
    const work = async (service: Service): Promise<void> => {
      const { client } = service
      const sites = await findSites(client, options)
      // One thing, or one request on one site, is what the reader has seen in the history.
      const isLarge = at !== undefined || token !== undefined || sites.length > 1
      if (isLarge && !options.dryRun)
        await confirmOnTerminal(`Restore ${pluralize(sites.length, 'site')}?`, options.yes)
      await runOnSites(service, sites, options, async (site) => {
        const answer = await client.restoreSite({ site_id: site.blogId, body })
        return { ...describeRestore(answer), answer }
      })
    }
    return withService(context, options, work, { author: options.user })
  })
}
