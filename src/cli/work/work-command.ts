import { Command, InvalidArgumentError } from 'commander'
import { type CliContext, type CliServices, CommandError, INTERRUPTED } from '../cli-context.ts'
import { withInterruptSignal } from '../signals.ts'
import {
  addOptionalSiteChoice,
  answerOption,
  getSite,
  type SiteOptions,
} from '../sites/site-options.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { formatWork, formatWorkAsJson, outcomeOf } from './format-work.ts'
import { readRequestedWork } from './requested-work.ts'
import { type WaitResult, waitForWork } from './wait-for-work.ts'

type WorkOptions = SiteOptions & {
  readonly wait?: true
  /** In milliseconds. */
  readonly timeout?: number
}

/** `work`: shows what is still to be built, and with `--wait` waits for it. */
export function workCommand(context: CliContext): Command {
  const command = new Command('work')
    .description('show which pages and frames are still to be built, since when, and what fails')
    .option('--wait', 'wait until everything is built, or only what fails is left')
    .option('--timeout <duration>', 'wait at most this long, for example 90s or 10m', parseDuration)
    .addOption(answerOption('GET /site/<id>/work'))
  return addOptionalSiteChoice(command).action((options: WorkOptions) => {
    if (options.timeout !== undefined && !options.wait)
      command.error('error: --timeout needs --wait')
    return withServices(context, async (services) => {
      await assertMigrated(services)
      await withInterruptSignal((signal) => runWork(services, options, signal))
    })
  })
}

/** @throws CommandError if the wait ended before everything was built (exit code 1) or was interrupted (130) */
async function runWork(
  services: CliServices,
  { site: name, json, wait, timeout }: WorkOptions,
  signal: AbortSignal,
): Promise<void> {
  const site = name === undefined ? undefined : await getSite(services, name)
  const read = () => readRequestedWork(services, site)
  const waited = wait ? await waitForWork(read, timeout, signal) : undefined
  const work = waited?.work ?? (await read())
  process.stdout.write(json ? formatWorkAsJson(work) : formatWork(work))
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
