import { Command, Option } from 'commander'
import { StateDiffs } from '../../diff/state-diffs.ts'
import type { Moment } from '../../history/read-history.ts'
import type { RestoreScope } from '../../restore/choose-targets.ts'
import type { Obstacle } from '../../restore/restored-thing.ts'
import { runRestore } from '../../restore/run-restore.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { findUserByLogin } from '../../wordpress/users/users.ts'
import { type CliContext, type CliServices, CommandError } from '../cli-context.ts'
import { runOverSites, type SiteReport } from '../sites/run-over-sites.ts'
import { addSiteOptions, type SiteOptions } from '../sites/site-options.ts'
import { summarizeEffects } from '../summarize-effects.ts'
import { pluralize, sanitizeForTerminal } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { parseId, parseMomentOption, parseTimeOption } from './history-options.ts'

type RestoreOptions = SiteOptions & {
  readonly entry?: number
  readonly request?: string
  readonly token?: number
  readonly since?: string
  readonly at?: Moment
  readonly dryRun?: true
  readonly bake: boolean
  readonly user?: string
}

/** `restore`: restores former states of sites. */
export function restoreCommand(context: CliContext): Command {
  const command = new Command('restore')
    .description('restore one thing, what a request or a token wrote, or everything to a moment')
    .option('--entry <id>', 'one frame, menu, location or assignment, as after this entry', parseId)
    .option('--request <id>', 'everything that a request or a command wrote, as it was before')
    .addOption(
      new Option('--token <id>', 'everything written with a token since --since').argParser(
        parseId,
      ),
    )
    .option('--since <time>', 'with --token: from when on (GMT)', parseTimeOption)
    .option(
      '--at <moment>',
      'everything, as at this time (GMT) or after this entry',
      parseMomentOption,
    )
    .option('--dry-run', 'show the changes as a diff, and write nothing')
    .option('--no-bake', 'build nothing now')
    .option('--user <login>', 'the author of the restored frames and items')
  return addSiteOptions(command, 'restored, not_restored').action((options: RestoreOptions) => {
    const scope = scopeOf(options)
    if (!scope) {
      return command.error(
        'error: use exactly one of --entry, --request, --token with --since, and --at',
      )
    }
    return withServices(context, async (services) => {
      await assertMigrated(services)
      const userId = await authorId(services, options.user)
      await runOverSites(services, options, (site) =>
        restoreSite(services, site, { ...options, scope, userId }),
      )
    })
  })
}

function scopeOf({ entry, request, token, since, at }: RestoreOptions): RestoreScope | undefined {
  const scopes: RestoreScope[] = [
    ...(entry === undefined ? [] : [{ entry }]),
    ...(request === undefined ? [] : [{ requestId: request }]),
    ...(token === undefined || since === undefined ? [] : [{ tokenId: token, since }]),
    ...(at === undefined ? [] : [{ moment: at }]),
  ]
  const isWhole = (token === undefined) === (since === undefined)
  return scopes.length === 1 && isWhole ? scopes[0] : undefined
}

/** @throws CommandError if no user has this login */
async function authorId({ db, globals }: CliServices, login: string | undefined): Promise<number> {
  if (login === undefined) return 0
  const user = await findUserByLogin(db, globals, login)
  if (user) return user.id
  throw new CommandError(`There is no user with the login "${login}".`)
}

async function restoreSite(
  { db, executor, markupAnalyzer }: CliServices,
  site: Site,
  options: RestoreOptions & { readonly scope: RestoreScope; readonly userId: number },
): Promise<SiteReport> {
  const { scope, userId, bake, dryRun = false } = options
  const { restored, obstacles, change } = await runRestore(
    db,
    site,
    { scope, dryRun, bake },
    {
      userId,
      unfilteredHtml: true,
      mayWriteMarkup: true,
      maxSiteBytes: undefined,
      analyzer: markupAnalyzer(site),
      now: () => new Date(),
    },
  )
  const effects = dryRun ? undefined : await executor.apply(site, change)
  const built = effects ? summarizeEffects(effects) : undefined
  const diffs = new StateDiffs(site)
  const changes = []
  for (const { kind, ref, name, action, before, after } of restored) {
    const { text: diff } = await diffs.diff(kind, before, after)
    changes.push({ kind, ref, name: name || ref, action, diff })
  }
  const number = pluralize(restored.length, 'thing')
  const left = obstacles.length > 0 ? `; not restored: ${obstacles.length}` : ''
  return {
    outcome: `${number} ${dryRun ? 'would be restored' : 'restored'}${left}`,
    detail: detailOf(changes, obstacles, dryRun),
    data: {
      dry_run: dryRun,
      restored: changes,
      not_restored: obstacles,
      ...(built ? { built } : {}),
    },
  }
}

function detailOf(
  changes: readonly {
    readonly kind: string
    readonly name: string
    readonly action: string
    readonly diff: string
  }[],
  obstacles: readonly Obstacle[],
  withDiffs: boolean,
): string {
  const lines = [
    ...changes.flatMap(({ kind, name, action, diff }) => [
      `${action} ${kind} ${name}`,
      ...(withDiffs ? [diff] : []),
    ]),
    ...obstacles.map(({ kind, name, message }) => `not restored: ${kind} ${name}: ${message}`),
  ]
  return sanitizeForTerminal(lines.map((line) => `${line}\n`).join(''))
}
