import { type Command, Option } from 'commander'
import type { ChangeEvent, Client } from '#client'
import { EVENT_TYPES, type EventType } from '../../changes/events/event-types.ts'
import { CliCommand } from '../cli-command.ts'
import type { CliContext } from '../cli-context.ts'
import { withInterruptSignal } from '../signals.ts'
import { findSite } from '../sites/find-sites.ts'
import { addOptionalSiteChoice, type SiteOptions } from '../sites/site-options.ts'
import { jsonLine, pluralize, sanitizeForTerminal, warn } from '../terminal.ts'
import { atService } from '../with-service.ts'

type ChangesOptions = SiteOptions & {
  readonly since?: string
  readonly type?: readonly EventType[]
  readonly follow?: boolean
}

/** `changes`: prints the events, oldest first, and with `--follow` what comes. */
export function changesCommand(context: CliContext): Command {
  const command = new CliCommand('changes')
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
    .examples(
      'wp-frames changes --follow',
      'wp-frames changes --site 2 --since 1207-4f1c2d3e --type published --json',
    )
  addOptionalSiteChoice(command)
  return atService(context, command, async ({ client }, options: ChangesOptions) => {
    const print = printer(options)
    const cursor = await withInterruptSignal(
      (signal) => printChanges(client, options, print, signal),
      '',
    )
    warn([`Continue with --since ${cursor}`])
  })
}

/** @returns the cursor behind the last change */
async function printChanges(
  client: Client,
  { site: name, follow = false, since = follow ? 'now' : undefined }: ChangesOptions,
  print: (event: ChangeEvent) => void,
  signal: AbortSignal,
): Promise<string> {
  const site = name && (await findSite(client, name))
  const unread = new AbortController()
  process.stdout.once('close', () => unread.abort())
  const ended = AbortSignal.any([signal, unread.signal])
  const read = (cursor: string | undefined) =>
    site
      ? client.listChanges({ site_id: site.blogId, since: cursor, wait: 0 }, { signal: ended })
      : client.listNetworkChanges({ since: cursor, wait: 0 }, { signal: ended })
  // `now` becomes a cursor before anything can be missed.
  let page = await read(since)
  let { cursor } = page
  try {
    for (; ; page = await read(cursor)) {
      page.events.map(print)
      cursor = page.cursor
      if (!page.more || ended.aborted) break
    }
    if (!follow || ended.aborted) return cursor
    const ofSite = site ? { site_id: site.blogId } : {}
    for await (const event of client.followChanges({ ...ofSite, since: cursor, signal: ended })) {
      print(event)
      cursor = event.id
    }
  } catch (error) {
    if (!ended.aborted) throw error
  }
  return cursor
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
