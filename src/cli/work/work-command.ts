import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import type { Client, Output } from '#client'
import {
  describeCounts,
  describeWork,
  hasWork,
  sumOf,
  type WorkCounts,
} from '../../content/work/describe-work.ts'
import { siteAddress } from '../../wordpress/network/site.ts'
import { CliCommand } from '../cli-command.ts'
import { type CliContext, CommandError, INTERRUPTED } from '../cli-context.ts'
import {
  addListOptions,
  formatRows,
  isWholeAnswer,
  type List,
  type ListOptions,
} from '../list-output.ts'
import { withInterruptSignal } from '../signals.ts'
import { findSite } from '../sites/find-sites.ts'
import { TerminalBar } from '../sites/progress-bar.ts'
import {
  type AddressedSite,
  addOptionalSiteChoice,
  type SiteOptions,
} from '../sites/site-options.ts'
import { pluralize, sanitizeForTerminal } from '../terminal.ts'
import {
  addEnvironmentOption,
  type EnvironmentOptions,
  type Service,
  withService,
} from '../with-service.ts'

type WorkOptions = SiteOptions &
  ListOptions &
  EnvironmentOptions & {
    readonly wait?: true
    /** In milliseconds. */
    readonly timeout?: number
  }

/** `work`: shows what is still to be built, and with `--wait` waits for it. */
export function workCommand(context: CliContext): Command {
  const command = new CliCommand('work')
    .option('--wait', 'wait until everything is built, or only what fails is left')
    .option('--timeout <duration>', 'wait at most this long, for example 90s or 10m', parseDuration)
    .examples(
      'wp-frames work',
      'wp-frames work --site 2 --wait --timeout 10m',
      'wp-frames work --format csv --fields site_id,pages,failing',
    )
  addListOptions(
    command,
    SITE_WORK,
    'what GET /site/<id>/work answers; for several sites a list, also with site_id, address, state and outcome',
  )
  return addEnvironmentOption(addOptionalSiteChoice(command)).action((options: WorkOptions) => {
    if (options.timeout !== undefined && !options.wait)
      command.error('error: --timeout needs --wait')
    return withService(context, options, (service) =>
      withInterruptSignal((signal) => runWork(service, options, signal)),
    )
  })
}

/** @throws CommandError if the wait ended before everything was built (exit code 1) or was interrupted (130) */
async function runWork(service: Service, options: WorkOptions, signal: AbortSignal): Promise<void> {
  const { site: name, wait, timeout } = options
  const site = name === undefined ? undefined : await findSite(service.client, name)
  const read = () => readRequestedWork(service.client, site)
  const limits = { pollMs: service.timings.cli.workPollMs, timeoutMs: timeout }
  const waited = wait ? await waitForWork(read, limits, signal) : undefined
  const work = waited?.work ?? (await read())
  const isList = options.format !== undefined || options.fields !== undefined
  process.stdout.write(
    isList || isWholeAnswer(options)
      ? formatRows(SITE_WORK, work.sites.map(siteWorkRow), presentWork(work), options)
      : formatWork(work),
  )
  if (waited) assertDone(waited)
}

function assertDone({ end, work: { total } }: WaitResult): void {
  const outcome = outcomeOf(total)
  if (end === 'stopped') throw new CommandError(`Stopped: ${outcome}.`, INTERRUPTED)
  if (end === 'failing')
    throw new CommandError(
      `${outcome}. It is tried again by itself; correct what the reasons above name.`,
    )
  if (end !== 'timeout') return
  const isIdle = total.running.pages + total.running.frames === 0
  throw new CommandError(
    `The time is over. ${outcome}.${isIdle ? ' Nothing is running: check that a process of the service with the executor runs ("wp-frames serve" or "wp-frames serve executor").' : ''}`,
  )
}

const DURATION_UNITS_MS = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
])

/** @throws InvalidArgumentError */
function parseDuration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([smh])$/.exec(text) ?? []
  const duration = Number(count) * (DURATION_UNITS_MS.get(unit) ?? 0)
  if (duration > 0) return duration
  throw new InvalidArgumentError(
    'Use a number of seconds, minutes or hours, for example 90s, 10m or 1h.',
  )
}

/** A pause takes at least this many times as long as the read before it, so that the wait hardly delays the work. */
const PAUSE_RATIO = 10

/** Why the wait ended: nothing is pending; only failing work is left; the time is over; Ctrl-C. */
type WaitResult = {
  readonly end: 'done' | 'failing' | 'timeout' | 'stopped'
  readonly work: RequestedWork
}

/**
 * Reads the work until nothing is pending or only failing work is left, with a progress bar on a terminal.
 * @param limits.pollMs pause between two reads, in milliseconds
 * @param limits.timeoutMs undefined to wait without a limit
 */
async function waitForWork(
  read: () => Promise<RequestedWork>,
  { pollMs, timeoutMs }: { readonly pollMs: number; readonly timeoutMs: number | undefined },
  signal: AbortSignal,
): Promise<WaitResult> {
  const begin = performance.now()
  const bar = new TerminalBar()
  let most = 0
  try {
    for (;;) {
      const readAt = performance.now()
      const work = await read()
      const pause = Math.max(pollMs, PAUSE_RATIO * (performance.now() - readAt))
      const [pending, failing] = [sumOf(work.total.pending), sumOf(work.total.failing)]
      if (pending === 0) return { end: 'done', work }
      if (pending === failing) return { end: 'failing', work }
      if (signal.aborted) return { end: 'stopped', work }
      if (timeoutMs !== undefined && performance.now() - begin >= timeoutMs)
        return { end: 'timeout', work }
      // More work may be added while the command waits.
      most = Math.max(most, pending)
      bar.start(most, most - pending, outcomeOf(work.total))
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
  } finally {
    bar.stop()
  }
}

/** The work of the sites that a command was asked for. With `--site` that site, also without work; otherwise the sites with work that have waited longest. */
type RequestedWork = Omit<Output<'getNetworkWork'>, 'names' | 'success'> & {
  /** With `--site`: what the API answers. */
  readonly answer?: object
}

/** @param site undefined for the whole network */
async function readRequestedWork(
  client: Client,
  site: AddressedSite | undefined,
): Promise<RequestedWork> {
  if (!site) return client.getNetworkWork()
  const answer = await client.getWork({ site_id: site.blogId })
  const { site_id } = answer
  return {
    total: answer,
    sites_total: hasWork(answer.pending) ? 1 : 0,
    sites: [{ address: siteAddress(site), ...answer }],
    failures: answer.failures.map((failure) => ({ site_id, ...failure })),
    answer,
  }
}

type Counts = RequestedWork['total']
type RequestedSiteWork = RequestedWork['sites'][number]

/** The work of a site as a row of a list. */
type SiteWorkRow = ReturnType<typeof siteWorkRow>

const SITE_WORK: List<SiteWorkRow> = {
  id: 'site_id',
  shown: ['site_id', 'address', 'pages', 'frames', 'purges', 'running', 'failing', 'since'],
}

/** A table of the sites with work, a line for each failure, and a sentence on all sites. */
function formatWork({ total, sites_total, sites, failures }: RequestedWork): string {
  if (!hasWork(total.pending)) return 'Nothing is pending.\n'
  const addresses = new Map(sites.map((site) => [site.site_id, addressOf(site)]))
  const more = sites_total - sites.length
  return [
    formatRows(SITE_WORK, sites.map(siteWorkRow), undefined, {}),
    ...(more > 0 ? [`${pluralize(more, 'more site')}.\n`] : []),
    ...failures.map(({ site_id, ...failure }) => {
      const { tries, error, since, next_try_in_s } = failure
      const address = addresses.get(site_id) ?? `site ${site_id}`
      const text = `${address}: ${describeWork(failure)} failed ${pluralize(tries, 'time')} since ${since}: ${error ?? 'no reason is stored'} Next attempt in ${next_try_in_s} s.`
      return `${sanitizeForTerminal(text.replace(/\s+/g, ' '))}\n`
    }),
    `${outcomeOf(total)}${sites_total > 1 ? `, on ${sites_total} sites` : ''}.\n`,
  ].join('')
}

/** What the API answers for one site; of the network a list of sites with the same fields. */
function presentWork({ sites, failures, answer }: RequestedWork): object {
  const presented = sites.map((site) => ({
    site_id: site.site_id,
    address: addressOf(site),
    state: stateOf(site),
    outcome: outcomeOf(site),
    pending: site.pending,
    running: site.running,
    failing: site.failing,
    failures: failures.flatMap(({ site_id, ...failure }) =>
      site_id === site.site_id ? [failure] : [],
    ),
    oldest: site.oldest,
  }))
  return answer ?? presented
}

/** `1,850 pages and 1 frame are pending, 500 running, 1 failing`. */
function outcomeOf({ pending, running, failing }: Counts): string {
  const verb = sumOf(pending) > 1 ? 'are' : 'is'
  const part = (counts: WorkCounts, state: string): string =>
    hasWork(counts) ? `, ${sumOf(counts).toLocaleString('en')} ${state}` : ''
  return `${capitalize(describeCounts(pending))} ${verb} pending${part(running, 'running')}${part(failing, 'failing')}`
}

/** `failed`: only work is left whose last attempt failed. */
function stateOf({ pending, failing }: Counts): 'done' | 'pending' | 'failed' {
  if (!hasWork(pending)) return 'done'
  return sumOf(failing) < sumOf(pending) ? 'pending' : 'failed'
}

function siteWorkRow(site: RequestedSiteWork) {
  const { site_id, pending, running, failing, oldest } = site
  return {
    site_id,
    address: addressOf(site),
    ...pending,
    running: sumOf(running),
    failing: sumOf(failing),
    since: oldest?.since ?? null,
  }
}

const addressOf = ({ address }: RequestedSiteWork): string =>
  address ?? '(not in the list of sites)'

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
