import { Command, Option } from 'commander'
import { type ChangeEvent, EVENT_TYPES, type EventType } from '../../events/event.ts'
import type { CliContext } from '../cli-context.ts'
import { examples } from '../examples.ts'
import { withInterruptSignal } from '../signals.ts'
import { addOptionalSiteChoice, type SiteOptions } from '../sites/site-options.ts'
import { jsonLine, pluralize, sanitizeForTerminal, warn } from '../terminal.ts'
import { addEnvironmentOption, type EnvironmentOptions, withService } from '../with-service.ts'
import { followChanges } from './follow-changes.ts'

type ChangesOptions = SiteOptions &
  EnvironmentOptions & {
    readonly since?: string
    readonly type?: readonly EventType[]
    readonly follow?: true
  }

/** `changes`: prints the feed of changes, oldest first, and with `--follow` what comes. */
export function changesCommand(context: CliContext): Command {
  const command = new Command('changes')
    .option(
      '--since <cursor>',
      'begin behind this change: the cursor that the last run has printed, or now [the oldest change that is kept; with --follow: now]',
    )
    .addOption(
      new Option(
        '--type <type...>',
        'only changes of these types; edited: by another program, published: pages that visitors see now, reset: changes are missing here',
      ).choices(EVENT_TYPES),
    )
    .option('--follow', 'go on with each change as it comes, until Ctrl-C')
    .option('--json', 'print each change as a line of JSON, as GET /site/<id>/changes has it')
    .addHelpText(
      'after',
      examples(
        'wp-frames changes --follow',
        'wp-frames changes --site 2 --since 1207-4f1c2d3e --type published --json',
      ),
    )
  return addEnvironmentOption(addOptionalSiteChoice(command)).action((options: ChangesOptions) =>
    withService(context, options, async (service) => {
      const { site: name, follow = false, since = follow ? 'now' : undefined } = options
      const site = name && (await service.getSite(name))
      const cursor = await withInterruptSignal(
        (signal) =>
          followChanges(service, { site, since, follow, signal, onEvent: printer(options) }),
        '',
      )
      warn([`Continue with --since ${cursor}`])
    }),
  )
}

const printer =
  ({ type: types = EVENT_TYPES, json }: ChangesOptions) =>
  (event: ChangeEvent): void => {
    if (types.includes(event.type))
      process.stdout.write(json ? jsonLine(event) : `${sanitizeForTerminal(lineOf(event))}\n`)
  }

/** Things that the line of a change names. */
const NAMED_THINGS = 5

/** Time, site, type, who and what of a change. */
function lineOf(event: ChangeEvent): string {
  const { at, site_id, type } = event
  const site = site_id === 0 ? '-' : `site ${site_id}`
  return [at, site.padEnd(8), type.padEnd(9), authorOf(event), thingsOf(event)].join('  ')
}

function authorOf({ token_id, label, user_id }: ChangeEvent): string {
  if (token_id !== null) return `token ${token_id} ${label ?? ''}`.trim()
  return label ?? (user_id === null ? '-' : `user ${user_id}`)
}

function thingsOf({ things, things_total: total, reason }: ChangeEvent): string {
  if (reason === 'pruned') return 'changes after the cursor are not kept any more; read everything'
  if (reason === 'unknown') return 'this database does not know the cursor; read everything'
  const named = things
    .slice(0, NAMED_THINGS)
    .map(({ kind, ref, name, action, url }) => `${action} ${kind} ${url ?? (name || ref)}`)
  const more = total - named.length
  return [...named, ...(more > 0 ? [`and ${pluralize(more, 'more thing')}`] : [])]
    .join(', ')
    .replace(/\s/g, ' ')
}
