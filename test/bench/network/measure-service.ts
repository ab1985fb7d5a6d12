import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { COPY_FILE } from '../../../src/build/publishing/static-path.ts'
import { FEED, parseFeed } from '../../../src/changes/feed/feed-state.ts'
import { findEditedSites } from '../../../src/changes/find-edited-sites.ts'
import { tasksTable } from '../../../src/db/tasks/tasks-table.ts'
import { globalTables } from '../../../src/wordpress/network/site.ts'
import { CopyWatch, shows } from '../freshness/copy-watch.ts'
import { MODIFIED } from '../freshness/edits/edit.ts'
import { measureEdit, newMark, untilSettled } from '../freshness/measure-edit.ts'
import type { NewSite } from '../freshness/network/site-tables.ts'
import { tableOf } from '../freshness/network/site-tables.ts'
import type { Report } from '../freshness/progress.ts'
import { measureQuiet } from '../freshness/quiet-figures.ts'
import { figuresOf } from '../load/process-figures.ts'
import { percentile } from '../load/run-load.ts'
import { staticDir } from '../setup/start-service.ts'
import type { Undo } from '../setup/undo.ts'
import type { Figures } from './figures.ts'
import { get, type MeasuredService, memoryOf, startMeasuredService } from './measured-service.ts'
import type { RunningNetwork, SizedNetwork } from './sized-network.ts'

/** A network with its running database. */
export type NetworkRun = {
  readonly network: SizedNetwork
  readonly running: RunningNetwork
  readonly undo: Undo
  readonly report: Report
}

const DEFAULT_WATCH_SECONDS = 60
/** The first edit is found by the round after the first one. */
const FIRST_WATCH_SECONDS = 10
const FEED_QUIET_SECONDS = 20
const FEED_EDITS = 20
/** The first comparison of all sites reads all tables. */
const FIRST_EDIT_LIMIT_MS = 600_000
const EDIT_LIMIT_MS = 60_000
const SITES_PER_PAGE = 200
const LOOK_MS = 100

/** A process that polls: its start, first requests, the console's list, and its cost without edits. */
export async function measurePolling(run: NetworkRun): Promise<Figures> {
  const { running, network, undo, report } = run
  const service = await startMeasuredService(
    running,
    blogIdOf(network),
    { name: 'poll', watchSeconds: FIRST_WATCH_SECONDS },
    undo,
  )
  report(`the service is ready after ${Math.round(service.startMs)} ms`)
  const hosts = await measureHosts(service, network)
  const lists = await measureLists(service)
  const firstMs = await edit(run, FIRST_EDIT_LIMIT_MS)
  report(`the first edit arrived after ${Math.round(firstMs)} ms`)
  await untilSettled(running.db, { limitMs: FIRST_EDIT_LIMIT_MS })
  const memory = memoryOf(service)
  const databaseMemory = figuresOf(running.pids).peakBytes / 1e6
  // A round of the service at the same time would be counted too.
  await undo.run()
  return {
    start: service.startMs,
    ...hosts,
    ...lists,
    memory,
    databaseMemory,
    ...(await measureRound(running)),
  }
}

/** A process with the feed: its cost without edits, and how soon edits are seen. */
export async function measureFeed(run: NetworkRun): Promise<Figures> {
  const { running, network, undo, report } = run
  const service = await startMeasuredService(
    running,
    blogIdOf(network),
    { name: 'feed', watchSeconds: DEFAULT_WATCH_SECONDS },
    undo,
  )
  report(`the first edit arrived after ${Math.round(await edit(run, FIRST_EDIT_LIMIT_MS))} ms`)
  await untilFollowed(running)
  await untilSettled(running.db, { limitMs: FIRST_EDIT_LIMIT_MS })
  const quiet = await measureQuiet(
    { db: running.db, servicePids: service.pids, databasePids: running.pids },
    FEED_QUIET_SECONDS,
  )
  const times: number[] = []
  while (times.length < FEED_EDITS) times.push(await edit(run, EDIT_LIMIT_MS))
  times.sort((a, b) => a - b)
  return {
    feedMemory: memoryOf(service),
    feedCpu: quiet.serviceCpu * 100,
    feedDatabaseCpu: quiet.databaseCpu * 100,
    editByFeed: percentile(times, 0.5),
    editByFeedMax: times.at(-1) ?? 0,
  }
}

/** A feed without a stored position has not compared all sites yet. */
async function untilFollowed({ db }: RunningNetwork): Promise<void> {
  const feed = () =>
    db
      .sql(tasksTable(globalTables('wp_')))
      .where({ name: FEED })
      .first('state')
  while (parseFeed((await feed())?.state ?? null).position === undefined) await sleep(LOOK_MS)
}

const blogIdOf = ({ sites: [first] }: SizedNetwork): number => first?.blogId ?? 0

async function measureHosts(service: MeasuredService, { models }: SizedNetwork): Promise<Figures> {
  const last = models.at(-1)
  const known = await get(`${service.frontUrl}${last?.path}`, { host: last?.domain ?? '' })
  if (known.status !== 200) throw new Error(`a known host was answered ${known.status}`)
  const [unknown, again] = [
    await get(`${service.frontUrl}/`, { host: 'unknown.test' }),
    await get(`${service.frontUrl}/`, { host: 'other.test' }),
  ]
  if (unknown.status !== 404) throw new Error(`an unknown host was answered ${unknown.status}`)
  return { knownHost: known.ms, unknownHost: unknown.ms, unknownHostAgain: again.ms }
}

async function measureLists({ apiUrl, authorization }: MeasuredService): Promise<Figures> {
  const read = async (query: string) => {
    const answer = await get(`${apiUrl}/network/sites?${query}`, { authorization })
    if (answer.status !== 200) throw new Error(`the list of sites was answered ${answer.body}`)
    return { ms: answer.ms, next: JSON.parse(answer.body).next as number | null }
  }
  const page = await read('limit=50')
  let listAll = 0
  for (let after: number | null = 0; after !== null; ) {
    const found: { ms: number; next: number | null } = await read(
      `limit=${SITES_PER_PAGE}&after=${after}`,
    )
    listAll += found.ms
    after = found.next
  }
  return { listPage: page.ms, listAll, listSearch: (await read('search=no-such-site')).ms }
}

/** A round of the poll in this process, without edits, and the CPU that it uses with the default interval. */
async function measureRound({ db, pids }: RunningNetwork): Promise<Figures> {
  const [begin, own, database] = [performance.now(), process.cpuUsage(), figuresOf(pids).cpuMs]
  for await (const _ of findEditedSites(db, globalTables('wp_')));
  const { user, system } = process.cpuUsage(own)
  const share = (ms: number): number => ms / (DEFAULT_WATCH_SECONDS * 10)
  return {
    round: performance.now() - begin,
    pollCpu: share((user + system) / 1000),
    pollDatabaseCpu: share(figuresOf(pids).cpuMs - database),
  }
}

/** Edits the title of the front page of a site as another program does. @returns the time until its copy shows it, in milliseconds */
async function edit({ running, network }: NetworkRun, limitMs: number): Promise<number> {
  const site = network.sites[Math.floor(Math.random() * network.sites.length)]
  if (!site) throw new Error('the network has no sites')
  const title = `Title ${newMark()}`
  const { allMs } = await measureEdit(
    { db: running.db, watch: new CopyWatch(), limitMs, pauseMs: 0, random: Math.random },
    {
      statements: [
        [
          `UPDATE ?? SET post_title = ?, ${MODIFIED} WHERE ID = 1`,
          [tableOf(site.blogId, 'posts'), title],
        ],
      ],
      expected: [shows(copyOfHome(running.folder, site), title)],
    },
  )
  if (allMs === undefined)
    throw new Error(`an edit did not arrive within ${limitMs / 1000} seconds`)
  return allMs
}

/** The file of the copy of a site's front page. */
export const copyOfHome = (folder: string, { domain, path }: NewSite): string =>
  join(staticDir(folder), domain, path, COPY_FILE)
