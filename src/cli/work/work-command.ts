import { type Command, InvalidArgumentError } from 'commander'
import { CliCommand } from '../cli-command.ts'
import { type CliContext, CommandError, INTERRUPTED } from '../cli-context.ts'
import { addListOptions, formatRows, isWholeAnswer, type ListOptions } from '../list-output.ts'
import type { Service } from '../service.ts'
import { withInterruptSignal } from '../signals.ts'
import { findSite } from '../sites/find-sites.ts'
import { addOptionalSiteChoice, type SiteOptions } from '../sites/site-options.ts'
import { addEnvironmentOption, type EnvironmentOptions, withService } from '../with-service.ts'
import { formatWork, outcomeOf, presentWork, SITE_WORK, siteWorkRow } from './format-work.ts'
import { readRequestedWork } from './requested-work.ts'
import { type WaitResult, waitForWork } from './wait-for-work.ts'

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
