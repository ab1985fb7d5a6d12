import { isServiceError } from '#client'
import { forEachBounded } from '../../host/concurrency/for-each.ts'
import { AppError } from '../../host/errors.ts'
import { siteAddress } from '../../wordpress/network/site.ts'
import { type CliServices, CommandError, INTERRUPTED } from '../cli-context.ts'
import { withInterruptSignal } from '../signals.ts'
import { formatTable, jsonLine } from '../terminal.ts'
import { type Progress, ProgressBar } from './progress-bar.ts'
import type { AddressedSite, SiteOptions } from './site-options.ts'

/** The result of the work on one site. */
export type SiteReport = {
  /** `failed`: the command exits with 1. `stopped`: the work was interrupted. Default: `done`. */
  readonly state?: 'done' | 'failed' | 'stopped'
  /** One line for the table of sites; the progress if the work was stopped. */
  readonly outcome: string
  /** Lines to print before the outcome, each with a line break at its end. */
  readonly detail?: string
  /** Additional fields of the `--json` output. */
  readonly data?: object
  /** What an endpoint has answered: the `--json` output of one site. */
  readonly answer?: object
  /** The things that a list of the site has. */
  readonly rows?: readonly object[]
}

export type SiteRun = {
  /** Aborted on Ctrl-C. The work checks it between steps that must not be interrupted, such as transactions. */
  readonly signal: AbortSignal
  readonly progress: Progress
}

/** The work on one site. An error fails this site only. */
export type SiteWork = (site: AddressedSite, run: SiteRun) => Promise<SiteReport>

export type SiteResult = Omit<SiteReport, 'state'> & {
  readonly site: AddressedSite
  readonly state: 'done' | 'failed' | 'stopped' | 'not begun'
}

/**
 * Runs the work on each of these sites, on several at the same time, and prints the results in the order of the sites: for one site its
 * detail and outcome, for several sites the details by address and a table of outcomes; or JSON.
 * @param format prints the results [the one that the options ask for]
 * @throws CommandError if a site failed (exit code 1) or the run was interrupted (130)
 */
export async function runOnSites(
  services: ServicesOfRun,
  sites: readonly AddressedSite[],
  options: Pick<SiteOptions, 'network' | 'json'>,
  work: SiteWork,
  format = options.json ? formatJson : formatResults,
): Promise<void> {
  const results = await withInterruptSignal((signal) => runOnEach(services, sites, signal, work))
  process.stdout.write(format(results, options))
  assertDone(results)
}

type ServicesOfRun = Pick<CliServices, 'config' | 'log'>

/** Sites that a command works on at the same time: with more, the database or the processor is the limit. */
const SITES_AT_ONCE = 4

/** The number of sites that a command works on at the same time. Each may need a connection of the pool. */
export function sitesAtOnce({ config }: Pick<CliServices, 'config'>): number {
  return Math.min(SITES_AT_ONCE, config.dbPoolSize)
}

async function runOnEach(
  services: ServicesOfRun,
  sites: readonly AddressedSite[],
  signal: AbortSignal,
  work: SiteWork,
): Promise<SiteResult[]> {
  const { log } = services
  const bar = new ProgressBar(sites.length)
  signal.addEventListener('abort', () => bar.stop())
  const results = sites.map(
    (site): SiteResult => ({ site, state: 'not begun', outcome: 'not begun' }),
  )
  try {
    await forEachBounded(sites.entries(), sitesAtOnce(services), async ([index, site]) => {
      if (signal.aborted) return
      const report = await work(site, { signal, progress: bar.begin(site) }).catch(
        async (error) => {
          const { describeError, describeKnownError } = await import('../describe-error.ts')
          if (describeKnownError(error) === undefined) log.error({ err: error, site: site.blogId })
          return failureReport(error, describeError(error))
        },
      )
      results[index] = { site, state: 'done', ...report }
      bar.finish()
    })
  } finally {
    bar.stop()
  }
  return results
}

function failureReport(error: unknown, message: string): SiteReport {
  const outcome = message.split('\n', 1)[0] ?? ''
  // The contract's code and fields of a known error; an unknown one has no code.
  const hasCode = error instanceof AppError || (isServiceError(error) && error.status > 0)
  const { code, fields } = hasCode ? error : { code: null, fields: {} }
  return { state: 'failed', outcome, data: { error: code, ...fields } }
}

function formatJson(
  results: readonly SiteResult[],
  { network }: Pick<SiteOptions, 'network'>,
): string {
  const presented = results.map(({ site, state, outcome, data, answer }) => ({
    site_id: site.blogId,
    address: siteAddress(site),
    state,
    outcome,
    ...data,
    ...answer,
  }))
  return jsonLine(network ? presented : (results[0]?.answer ?? presented[0]))
}

function formatResults(
  results: readonly SiteResult[],
  { network }: Pick<SiteOptions, 'network'>,
): string {
  if (!network) {
    // The outcome of a failed or stopped site is printed as the error.
    return results
      .map(({ state, outcome, detail = '' }) => detail + (state === 'done' ? `${outcome}\n` : ''))
      .join('')
  }
  const details = results
    .filter(({ detail }) => detail)
    .map(({ site, detail }) => `${siteAddress(site)} (site ${site.blogId})\n${detail}\n`)
  const rows = results.map(({ site, outcome }) => [String(site.blogId), siteAddress(site), outcome])
  return details.join('') + formatTable([['site', 'address', 'outcome'], ...rows])
}

function assertDone(results: readonly SiteResult[]): void {
  const count = (state: SiteResult['state']) =>
    results.filter((result) => result.state === state).length
  const [failures, undone] = [count('failed'), count('stopped') + count('not begun')]
  const only = results.length === 1 ? results[0]?.outcome : undefined
  if (undone > 0) {
    throw new CommandError(
      `Stopped: ${only ?? `${count('done')} of ${results.length} sites are done, ${failures} failed`}.`,
      INTERRUPTED,
    )
  }
  if (failures > 0) throw new CommandError(only ?? `${failures} of ${results.length} sites failed.`)
}
