import type { AcceptedDifference } from '../../../api/compare/accepted-differences.ts'
import { parseBody } from '../../../api/compare/compare-answers.ts'
import {
  type ComparisonReport,
  reportOf,
  type SiteComparisonResult,
  siteResult,
} from '../../../api/compare/comparison-report.ts'
import { generatedSteps, type WriteStep } from '../../../api/compare/write-steps.ts'
import type { Config } from '../../../host/config/config.ts'
import { createLog } from '../../../host/log.ts'
import { findSite } from '../../../wordpress/network/find-sites.ts'
import { globalTables, type Site, siteAddress } from '../../../wordpress/network/site.ts'
import { type CliContext, CommandError } from '../../cli-context.ts'
import { assertSecure } from '../../remote/service-address.ts'
import { TerminalBar } from '../../sites/progress-bar.ts'
import type { SiteRef } from '../../sites/site-options.ts'
import { warn } from '../../terminal.ts'
import { assertEndpoint } from '../check-sides.ts'
import { ComparedSide } from '../compared-side.ts'
import { copyNetwork } from './copy-tables.ts'
import { proveOldDatabase } from './prove-old-database.ts'
import { readRecordedRequests } from './recorded-requests.ts'
import { type ComparedDatabases, openComparedDatabases } from './scratch-databases.ts'
import { findWriter, startScratchService } from './scratch-service.ts'
import { compareWritesOf } from './site-writes.ts'
import { readWritableThings } from './writable-things.ts'

/** The options of `compare` that concern writes. */
export type CompareWritesOptions = {
  readonly old: string
  readonly oldToken?: string
  readonly oldDatabase?: string
  readonly newDatabase?: string
  readonly site?: readonly SiteRef[]
  readonly requests?: string
  readonly user?: string
  readonly insecure?: true
}

/**
 * Copies sites to two scratch databases, and sends the same writes to the old endpoint on one and to wp-frames on the other.
 * @throws CommandError
 */
export async function compareWrites(
  context: CliContext,
  config: Config,
  options: CompareWritesOptions,
  accepted: readonly AcceptedDifference[],
  signal: AbortSignal,
): Promise<ComparisonReport> {
  const { urls, token } = checkSettings(config, options)
  assertSecure(options.old, options.insecure === true)
  const log = createLog(config.logLevel)
  const old = new ComparedSide(
    {
      name: 'The old endpoint',
      option: '--old',
      tokenOption: '--old-token or WP_FRAMES_OLD_TOKEN',
      url: options.old,
      token,
    },
    signal,
    context.timings.compare,
    (text) => warn([text]),
  )
  const databases = await openComparedDatabases(urls, {
    log,
    isBatched: config.dbBatch,
    timings: context.timings,
  })
  try {
    const sites = await findSites(config, databases, options)
    const ids = sites.map(({ blogId }) => blogId)
    const recorded =
      options.requests === undefined ? undefined : await readRecordedRequests(options.requests, ids)
    await copy(config, databases, ids)
    signal.throwIfAborted()
    // The old endpoint cannot answer before its database is filled.
    await assertEndpoint(old)
    const [first] = sites
    if (first) await proveOldDatabase(old, databases, first)
    const results = await writeAll(context, config, {
      options,
      urls,
      databases,
      old,
      sites,
      recorded,
      signal,
    })
    return reportOf(results, accepted)
  } finally {
    await databases.close()
  }
}

type Urls = Parameters<typeof openComparedDatabases>[0]

/** @throws CommandError for what is missing */
function checkSettings(
  config: Config,
  options: CompareWritesOptions,
): { readonly urls: Urls; readonly token: string } {
  const source = config.databaseUrl
  const old = options.oldDatabase ?? config.wpFramesOldDatabase
  const ours = options.newDatabase ?? config.wpFramesNewDatabase
  const token = options.oldToken ?? config.wpFramesOldToken
  if (source === undefined)
    throw new CommandError('DATABASE_URL is not set. It names the network whose sites are copied.')
  if (old === undefined || ours === undefined)
    throw new CommandError(
      'Writes need two scratch databases. Create them empty, and name them with --old-database and --new-database, or WP_FRAMES_OLD_DATABASE and WP_FRAMES_NEW_DATABASE.',
    )
  if (token === undefined)
    throw new CommandError(
      'There is no token for the old endpoint. Set WP_FRAMES_OLD_TOKEN, or use --old-token.',
    )
  return { urls: { source, old, ours }, token }
}

/** @throws CommandError for a site that does not exist */
async function findSites(
  { tablePrefix }: Config,
  { source }: ComparedDatabases,
  { site: refs = [] }: CompareWritesOptions,
): Promise<Site[]> {
  const globals = globalTables(tablePrefix)
  const sites: Site[] = []
  for (const ref of refs) {
    if (!('blogId' in ref))
      throw new CommandError('With --writes, name sites by their ids: --site 2,7.')
    const site = await findSite(source, globals, ref.blogId)
    if (!site)
      throw new CommandError(
        `There is no site with the id ${ref.blogId}. "wp-frames sites" lists the sites.`,
      )
    sites.push(site)
  }
  return sites
}

async function copy(
  { tablePrefix }: Config,
  databases: ComparedDatabases,
  ids: readonly number[],
): Promise<void> {
  const bar = new TerminalBar()
  let done = 0
  const leftOut = await copyNetwork(databases, globalTables(tablePrefix), ids, {
    expect: (steps) => bar.start(steps, 0, 'copying tables'),
    tick: () => {
      done += 1
      bar.update(done)
    },
  }).finally(() => bar.stop())
  for (const { name, engine } of leftOut)
    warn([
      `The table ${name} is not copied: its engine ${engine} keeps its rows elsewhere, and writes to a copy could reach them.`,
    ])
}

type WritesRun = {
  readonly options: CompareWritesOptions
  readonly urls: Urls
  readonly databases: ComparedDatabases
  readonly old: ComparedSide
  readonly sites: readonly Site[]
  readonly recorded: ReadonlyMap<number, readonly WriteStep[]> | undefined
  readonly signal: AbortSignal
}

async function writeAll(
  context: CliContext,
  config: Config,
  { options, urls, databases, old, sites, recorded, signal }: WritesRun,
): Promise<SiteComparisonResult[]> {
  const globals = globalTables(config.tablePrefix)
  const [first] = sites
  const author = first ? await askAuthor(old, first) : 0
  const user = await findWriter(databases.ours, globals, options.user, author)
  const log = createLog('silent')
  const service = await startScratchService(context, config, {
    url: urls.ours,
    db: databases.ours,
    globals,
    user,
    log,
  })
  const bar = new TerminalBar()
  try {
    const ours = new ComparedSide(
      {
        name: 'wp-frames',
        option: '--new-database',
        tokenOption: '--user',
        url: service.url,
        token: service.token,
      },
      signal,
      context.timings.compare,
      () => {},
    )
    const results: SiteComparisonResult[] = []
    for (const site of sites) {
      const steps =
        recorded === undefined
          ? generatedSteps(await readWritableThings(databases.ours, site))
          : (recorded.get(site.blogId) ?? [])
      let done = 0
      bar.start(steps.length, 0, siteAddress(site))
      const started = performance.now()
      const compared = await compareWritesOf(site, steps, {
        old,
        ours,
        databases,
        signal,
        onStep: () => {
          done += 1
          bar.update(done)
        },
      })
      const seconds = Math.round(performance.now() - started) / 1000
      results.push(
        siteResult({ blogId: site.blogId, address: siteAddress(site) }, compared, seconds),
      )
    }
    return results
  } finally {
    bar.stop()
    await service.close()
  }
}

/** Whose token the old endpoint was given: a dry run names the author that a frame would have. 0 if it does not. */
async function askAuthor(old: ComparedSide, { blogId }: Site): Promise<number> {
  const slug = 'wp-frames-compare-author'
  const request = { kind: 'dry_run', route: '/frames' } as const
  const path = `/site/${blogId}/frames`
  const body = { slug, html: '<p></p>', dry_run: true }
  const answer = await old.ask({ ...request, method: 'POST', path, body })
  const { value } = parseBody(answer.body)
  // An endpoint that ignores dry_run has created the frame.
  await old.ask({ ...request, method: 'DELETE', path: `${path}/${slug}` })
  return Number(fieldOf(fieldOf(value, 'frame'), 'updated_by')) || 0
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
