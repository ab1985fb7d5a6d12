import type { ReportedEdits } from '../../../src/changes/changed-rows.ts'
import { ChangeFeed, type ChangeFeedOptions } from '../../../src/changes/feed/change-feed.ts'
import { ChangedSites } from '../../../src/changes/feed/changed-sites.ts'
import { isFeedHealthy } from '../../../src/changes/feed/feed-state.ts'
import { TaskRunner } from '../../../src/db/tasks/task-runner.ts'
import { createLog } from '../../../src/host/log.ts'
import { type BinlogServer, startBinlogServer } from '../../support/binlog-server.ts'
import { eventually } from '../../support/eventually.ts'

/** What changed on a site; lists are sorted. */
type PresentedSite = {
  posts?: readonly number[] | 'all'
  options?: readonly string[] | 'all'
  terms?: true
  network?: true
}
/** What changed, by blog id, or everything. */
type PresentedChanges = 'everything' | Record<number, PresentedSite>

/** A feed that collects what it reports. */
export type TestFeed = {
  start(): void
  /** What was reported since the last call. */
  take(): PresentedChanges
  /** What is reported for what `work` commits, and for all earlier transactions that were not taken. */
  changesOf(work: string | (() => Promise<unknown>)): Promise<PresentedChanges>
  stop(): Promise<void>
}

/** A site that nothing else writes: once an edit of it is reported, everything before it has been. */
const MARKER_SITE = 99
const MARKER_TABLE = `wp_${MARKER_SITE}_options`

/** Starts a server for feeds. `args` are further options of the server. */
export async function startFeedServer(args: readonly string[] = []): Promise<BinlogServer> {
  const server = await startBinlogServer(args)
  await server.run(`CREATE TABLE ${MARKER_TABLE} LIKE wp_options`)
  return server
}

/** Starts a feed that is up when this resolves. */
export async function startFeed(
  server: BinlogServer,
  options: Partial<ChangeFeedOptions> = {},
): Promise<TestFeed> {
  const test = createFeed(server, options)
  test.start()
  await eventually(async () => {
    if (!(await isFeedHealthy(server.db, server.globals))) throw new Error('the feed is not up')
  })
  await test.changesOf('SELECT 1')
  return test
}

/** Creates a feed without starting it. */
export function createFeed(
  server: BinlogServer,
  options: Partial<ChangeFeedOptions> = {},
): TestFeed {
  const collected = new ChangedSites()
  const feed = new ChangeFeed({
    ...server,
    log: createLog('silent'),
    ...options,
    onChanges: async (changes) => {
      await options.onChanges?.(changes)
      collected.merge(changes)
    },
  })
  const runner = new TaskRunner({ ...server, log: createLog('silent'), ...options })
  return {
    start: () => void runner.add(feed),
    take: () => present(collected.take()),
    changesOf: async (work) => {
      await (typeof work === 'string' ? server.run(work) : work())
      const marker = await writeMarker(server)
      const taken = new ChangedSites()
      await eventually(() => {
        const changes = collected.take()
        taken.merge(changes)
        const options = changes.sites.get(MARKER_SITE)?.options
        if (changes.everything || (options !== 'all' && options?.has(marker))) return
        throw new Error('not all was reported')
      })
      return present(taken.take())
    },
    stop: () => runner.stop(),
  }
}

let markers = 0

async function writeMarker(server: BinlogServer): Promise<string> {
  markers += 1
  const marker = `theme_mods_marker_${markers}`
  await server.run(
    `INSERT INTO ${MARKER_TABLE} (option_name, option_value) VALUES ('${marker}', '')`,
  )
  return marker
}

function present({ everything, sites }: ReportedEdits): PresentedChanges {
  if (everything) return 'everything'
  const presented = [...sites].map(([blogId, { posts, options, terms, network }]) => [
    blogId,
    {
      ...list('posts', posts),
      ...list('options', options),
      ...(terms ? { terms } : {}),
      ...(network ? { network } : {}),
    },
  ])
  const { [MARKER_SITE]: _, ...others } = Object.fromEntries(presented)
  return others
}

function list(name: string, values: ReadonlySet<string | number> | 'all'): object {
  if (values === 'all') return { [name]: values }
  return values.size === 0 ? {} : { [name]: [...values].sort() }
}
