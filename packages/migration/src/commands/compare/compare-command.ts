import { Command, InvalidArgumentError } from 'commander'
import { examples } from '#wp-frames/cli/cli-command'
import { type CliContext, CommandError, INTERRUPTED } from '#wp-frames/cli/cli-context'
import { parseServiceAddress } from '#wp-frames/cli/remote/service-address'
import { withInterruptSignal } from '#wp-frames/cli/signals'
import { parseSiteRef, type SiteRef } from '#wp-frames/cli/sites/site-options'
import { jsonLine, pluralize, warn } from '#wp-frames/cli/terminal'
import { addEnvironmentOption } from '#wp-frames/cli/with-service'
import { databaseAddress } from '#wp-frames/host/config/variable-types'
import { createLog } from '#wp-frames/host/log'
import type { WriteProbes } from '../../compare/compared-request.ts'
import { reportOf } from '../../compare/comparison-report.ts'
import { readAcceptedFile } from './accepted-file.ts'
import { assertEndpoint, isWpFrames } from './check-sides.ts'
import { compareSites } from './compare-sites.ts'
import { ComparedSide } from './compared-side.ts'
import { type ComparisonIdentity, ComparisonState, defaultStateFile } from './comparison-state.ts'
import { describeDuration, describeEstimate } from './estimate.ts'
import { formatComparison } from './print-comparison.ts'
import { type ChosenSides, chooseSides, findComparedSites, readWriteProbes } from './sides.ts'
import { type CompareWritesOptions, compareWrites } from './writes/compare-writes.ts'

type CompareCommandOptions = ChosenSides &
  CompareWritesOptions & {
    readonly writes?: true
    readonly site?: readonly SiteRef[]
    readonly network?: true
    readonly deep?: true
    readonly dryRuns: boolean
    readonly accept?: string
    readonly resume?: string
    readonly restart?: true
    readonly json?: true
  }

/** `compare`: compares an old endpoint of the contract with wp-frames. Writes nothing on either side. */
export function compareCommand(context: CliContext): Command {
  const command = new Command('compare')
    .requiredOption('--old <url>', 'the address of the old endpoint', parseServiceAddress)
    .option(
      '--old-token <token>',
      'its token; other users of this machine can see it, so set WP_FRAMES_OLD_TOKEN instead',
    )
    .option(
      '--new <url>',
      'the address of wp-frames: by default the one that this configuration serves',
      parseServiceAddress,
    )
    .option(
      '--token <token>',
      'the token for wp-frames: by default WP_FRAMES_TOKEN, or the one of --env, or the old one',
    )
    .option('--insecure', 'also over http:// to another machine: others can read the tokens')
    .option(
      '--site <list>',
      'sites, separated by commas: their ids, or their hosts and paths',
      parseSites,
    )
    .option('--network', 'all live sites that the token for wp-frames may administer')
    .option('--deep', 'every frame, menu and data source in both addressings, each twice')
    .option('--no-dry-runs', 'send no dry runs, only reads and requests that are refused')
    .option('--writes', 'compare writes instead, on copies of the sites in two scratch databases')
    .option(
      '--old-database <url>',
      'with --writes: the scratch database of the old endpoint; WP_FRAMES_OLD_DATABASE keeps its password secret',
      parseDatabase,
    )
    .option(
      '--new-database <url>',
      'with --writes: the scratch database for wp-frames; or WP_FRAMES_NEW_DATABASE',
      parseDatabase,
    )
    .option('--requests <file>', 'with --writes: recorded requests, one JSON object a line')
    .option('--user <login>', 'with --writes: the user of the old token, if a dry run does not say')
    .option('--accept <file>', 'differences that are accepted: YAML or JSON')
    .option('--resume <file>', 'where the results are until the comparison is complete')
    .option('--restart', 'forget the results of an interrupted comparison')
    .option('--json', 'print {sites, differences, accepted, apart, noise, not_comparable, times}')
    .addHelpText(
      'after',
      `
Exits with 1 if something differs or could not be compared.
${examples(
  'wp-frames compare --old https://example.org/wp-json/svc/v1 --site 2',
  'wp-frames compare --old https://example.org/wp-json/svc/v1 --new https://frames.example.org --network --accept accepted.yaml',
  'wp-frames compare --old https://example.org/wp-json/svc/v1 --env staging --site 2,7 --deep --json > report.json',
  'wp-frames compare --writes --old http://localhost:8090/wp-json/svc/v1 --site 2,7',
)}`,
    )
  return addEnvironmentOption(command).action(async (options: CompareCommandOptions) => {
    if (options.network ? options.site !== undefined : options.site === undefined)
      command.error('error: name sites with --site, or all live sites with --network')
    if (options.writes && (options.network || options.deep))
      command.error('error: --writes needs --site, and has no --deep')
    await (options.writes ? compareWithWrites : compare)(context, options)
  })
}

async function compare(context: CliContext, options: CompareCommandOptions): Promise<void> {
  const config = await context.readConfig()
  const accepted = options.accept === undefined ? [] : await readAcceptedFile(options.accept)
  const sides = await chooseSides(config, options)
  const identity: ComparisonIdentity = {
    old: sides.old.url,
    new: sides.ours.url,
    deep: options.deep === true,
    dry_runs: options.dryRuns,
  }
  const file = options.resume ?? defaultStateFile(config, identity)
  const log = createLog(config.logLevel)
  await withInterruptSignal(async (signal) => {
    const onWait = (text: string): void => {
      if (process.stderr.isTTY) warn([text])
    }
    const { compare: timings } = context.timings
    const old = new ComparedSide(sides.old, signal, timings, onWait)
    const ours = new ComparedSide(sides.ours, signal, timings, onWait)
    // One after the other: a token that neither accepts is reported for the old endpoint.
    await assertEndpoint(old)
    await assertEndpoint(ours)
    if (await isWpFrames(old))
      warn([
        'The old endpoint answers GET /me as wp-frames does. Perhaps the web server sends its address to wp-frames already.',
      ])
    const sites = await findComparedSites(sides, options)
    const probes: WriteProbes = options.dryRuns ? await readWriteProbes(ours) : NO_PROBES
    const state = await ComparisonState.open(file, identity, options.restart === true)
    const before = sites.filter(({ blogId }) => state.has(blogId)).length
    if (before > 0)
      warn([
        `Continuing the comparison of ${state.startedAt}: ${before} of ${pluralize(sites.length, 'site')} are compared. --restart begins again.`,
      ])
    else if (options.network) warn([describeEstimate(sites.length, identity.deep)])
    const started = performance.now()
    const ask = {
      old: old.ask.bind(old),
      ours: ours.ask.bind(ours),
      pauseMs: context.timings.compare.pauseMs,
    }
    await compareSites(sites, { ask, state, signal, log, probes, deep: identity.deep })
    if (signal.aborted) {
      const done = sites.filter(({ blogId }) => state.has(blogId)).length
      throw new CommandError(
        `Stopped: ${done} of ${pluralize(sites.length, 'site')} are compared. Run the same command again to continue.`,
        INTERRUPTED,
      )
    }
    const seconds = (performance.now() - started) / 1000
    const ids = new Set([0, ...sites.map(({ blogId }) => blogId)])
    const report = reportOf(
      state.results.filter(({ site_id }) => ids.has(site_id)),
      accepted,
      [...ours.foreign],
    )
    process.stdout.write(options.json ? jsonLine(report) : formatComparison(report))
    await state.remove()
    finish(report, sites.length, seconds)
  })
}

async function compareWithWrites(
  context: CliContext,
  options: CompareCommandOptions,
): Promise<void> {
  const config = await context.readConfig()
  const accepted = options.accept === undefined ? [] : await readAcceptedFile(options.accept)
  await withInterruptSignal(async (signal) => {
    const started = performance.now()
    const report = await compareWrites(context, config, options, accepted, signal).catch(
      (error) => {
        if (!signal.aborted) throw error
        throw new CommandError(
          'Stopped. Run the same command again: it copies the sites again.',
          INTERRUPTED,
        )
      },
    )
    process.stdout.write(options.json ? jsonLine(report) : formatComparison(report))
    finish(report, report.sites.length, (performance.now() - started) / 1000)
  })
}

const NO_PROBES: WriteProbes = { frames: false, menus: false }

/** @throws CommandError if something differs or could not be compared */
function finish(report: ReturnType<typeof reportOf>, count: number, seconds: number): void {
  const { sites, differences, accepted, not_comparable, passed } = report
  const sum = (side: 'old' | 'ours'): number =>
    sites.reduce((total, { requests }) => total + requests[side], 0)
  const failed = sites.filter(({ state }) => state === 'not_compared').length
  const found = [
    pluralize(differences.length, 'difference'),
    ...(accepted.length > 0 ? [`${accepted.length} accepted`] : []),
    ...(not_comparable.length > 0
      ? [`${pluralize(not_comparable.length, 'resource')} not comparable: run it again`]
      : []),
    ...(failed > 0 ? [`${pluralize(failed, 'site')} not compared`] : []),
    ...(passed.length > 0
      ? [`${pluralize(passed.length, 'route')} passed to the old endpoint by wp-frames`]
      : []),
  ].join(', ')
  const summary = `${pluralize(count, 'site')}, ${sum('old')} requests to the old endpoint and ${sum('ours')} to wp-frames in ${describeDuration(seconds)}: ${found}.`
  if (differences.length + not_comparable.length + failed + passed.length > 0)
    throw new CommandError(summary)
  warn([summary])
}

/** @throws InvalidArgumentError */
function parseDatabase(text: string): string {
  const parsed = databaseAddress().safeParse(text)
  if (parsed.success) return parsed.data
  throw new InvalidArgumentError(`It ${parsed.error.issues[0]?.message}.`)
}

/** @throws InvalidArgumentError */
function parseSites(text: string): readonly SiteRef[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.includes('')) throw new InvalidArgumentError('Use ids or addresses: 2,7.')
  return names.map(parseSiteRef)
}
