import { CommandError } from '#wp-frames/cli/cli-context'
import { describeError, describeKnownError } from '#wp-frames/cli/describe-error'
import { ProgressBar } from '#wp-frames/cli/sites/progress-bar'
import { forEachBounded } from '#wp-frames/host/concurrency/for-each'
import type { Log } from '#wp-frames/host/log'
import type { AskSides, ComparedRequests } from '../../compare/compare-requests.ts'
import {
  compareNetwork,
  compareSite,
  DryRunIgnoredError,
  findHiddenItems,
  MAX_SITE_REQUESTS,
  type SiteComparisonOptions,
} from '../../compare/compare-site.ts'
import type { SiteToCompare } from '../../compare/compared-request.ts'
import {
  failedResult,
  type SiteComparisonResult,
  siteResult,
} from '../../compare/comparison-report.ts'
import type { ComparisonState } from './comparison-state.ts'

/** Sites that are compared at the same time. The rate limits of both sides allow no more for long. */
const SITES_AT_ONCE = 3

type SitesComparison = SiteComparisonOptions & {
  readonly ask: AskSides
  readonly state: ComparisonState
  readonly log: Log
}

/** In results: what no site is needed for. */
const NETWORK: SiteToCompare = { blogId: 0, address: 'network' }

/**
 * Compares the sites that the state does not have, and records each in it. A site whose comparison fails is recorded, and the others go on.
 * @throws CommandError if the old endpoint ignores dry runs: then nothing more is sent
 */
export async function compareSites(
  sites: readonly SiteToCompare[],
  comparison: SitesComparison,
): Promise<void> {
  const { ask, state, signal } = comparison
  const [first] = sites
  if (first && !state.has(NETWORK.blogId))
    await record(comparison, NETWORK, async () => ({
      compared: await compareNetwork(first, ask, signal),
    }))
  const open = sites.filter(({ blogId }) => !state.has(blogId))
  const bar = new ProgressBar(open.length)
  signal.addEventListener('abort', () => bar.stop())
  let failure: CommandError | undefined
  try {
    await forEachBounded(open, SITES_AT_ONCE, async (site) => {
      if (signal.aborted || failure) return
      const [domain = '', ...path] = site.address.split('/')
      const progress = bar.begin({
        blogId: site.blogId,
        domain,
        path: ['', ...path, ''].join('/'),
      })
      if (!comparison.deep) progress.expect(MAX_SITE_REQUESTS)
      const counted: AskSides = {
        ...ask,
        old: (request) => ask.old(request).finally(progress.tick),
      }
      const compare = async () => ({
        compared: await compareSite(site, counted, comparison),
        hiddenItems: await findHiddenItems(site, ask),
      })
      await record(comparison, site, compare).catch((error) => {
        failure = error
      })
      bar.finish()
    })
  } finally {
    bar.stop()
  }
  if (failure) throw failure
}

async function record(
  { state, signal, log }: SitesComparison,
  site: SiteToCompare,
  work: () => Promise<{
    readonly compared: ComparedRequests
    readonly hiddenItems?: readonly string[]
  }>,
): Promise<void> {
  const started = performance.now()
  const seconds = () => Math.round(performance.now() - started) / 1000
  let result: SiteComparisonResult
  try {
    const { compared, hiddenItems } = await work()
    result = siteResult(site, compared, seconds(), hiddenItems)
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof DryRunIgnoredError)
      throw new CommandError(
        `The old endpoint has answered ${error.request} with dry_run: true as if it had stored the frame. It was sent the markup that the frame has, but the date of the frame may have changed. The comparison ends here. Run it with --no-dry-runs.`,
      )
    if (describeKnownError(error) === undefined) log.error({ err: error, site: site.blogId })
    result = failedResult(site, describeError(error).split('\n', 1)[0] ?? '', seconds())
  }
  await state.add(result)
}
