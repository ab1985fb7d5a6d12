import { setTimeout as sleep } from 'node:timers/promises'
import { FEED as FEED_TASK, parseFeed } from '../../../src/changes/feed/feed-state.ts'
import { findEditedSites } from '../../../src/changes/find-edited-sites.ts'
import { tasksTable } from '../../../src/db/tasks/tasks-table.ts'
import { globalTables } from '../../../src/wordpress/network/site.ts'
import { type Contender, exchange } from '../contender.ts'
import { editFrontPage } from '../freshness/measure-edit.ts'
import type { Report, RunningNetwork } from '../generated/create-network.ts'
import { FEED, startWatching, type Watching } from '../generated/start-watching.ts'
import { figuresOf } from '../load/process-figures.ts'
import { percentile } from '../load/run-load.ts'
import { untilSettled } from '../setup/pending-work.ts'
import type { Undo } from '../setup/undo.ts'
import type { NetworkFigures } from './figures.ts'

/** What a part measures: a network with its running database. */
export type NetworkRun = {
  readonly running: RunningNetwork
  readonly undo: Undo
  readonly report: Report
}

/** The first edit is found by the round after the first one. */
const POLL: Watching = { name: 'poll', watchSeconds: 10 }
const DEFAULT_WATCH_SECONDS = 60
const FEED_QUIET_SECONDS = 20
const FEED_EDITS = 20
/** The first comparison of all sites reads all tables. */
const FIRST_EDIT_LIMIT_MS = 600_000
const EDIT_LIMIT_MS = 60_000
const SITES_PER_PAGE = 200
const LOOK_MS = 5

/** Peak memory of the service, in MB, since it was reset. */
export const memoryOf = (service: Contender): number =>
  figuresOf(service.processes()).peakBytes / 1e6

/** A process that polls: its start, first requests, the console's list, and its cost without edits. */
export async function measurePolling(run: NetworkRun): Promise<NetworkFigures> {
  const { running, undo } = run
  const service = await startWatching(running, POLL, undo)
  const { origin } = new URL(service.apiUrl)
  while ((await exchange(`${origin}/readyz`)).status !== 200) await sleep(LOOK_MS)
  const start = performance.now() - service.begin
  const hosts = await measureHosts(service, run)
  const lists = await measureLists(service)
  await firstEdit(run)
  await untilSettled(running.db)
  const memory = memoryOf(service)
  const databaseMemory = figuresOf(running.pids).peakBytes / 1e6
  // A round of the service at the same time would be counted too.
  await undo.run()
  return { start, ...hosts, ...lists, memory, databaseMemory, ...(await measureRound(running)) }
}

async function firstEdit({ running, report }: NetworkRun): Promise<void> {
  const ms = await editAnySite(running, FIRST_EDIT_LIMIT_MS)
  report(`the first edit arrived after ${Math.round(ms)} ms`)
}

/** A process with the feed: its cost without edits, and how soon edits are seen. */
export async function measureFeed(run: NetworkRun): Promise<NetworkFigures> {
  const { running, undo } = run
  const service = await startWatching(running, FEED, undo)
  await firstEdit(run)
  // A feed without a stored position has not compared all sites yet.
  const table = tasksTable(globalTables('wp_'))
  const feed = () => running.db.sql(table).where({ name: FEED_TASK }).first('state')
  while (parseFeed((await feed())?.state ?? null).position === undefined) await sleep(LOOK_MS)
  await untilSettled(running.db)
  const cpu = () => [figuresOf(service.processes()).cpuMs, figuresOf(running.pids).cpuMs] as const
  const before = cpu()
  await sleep(FEED_QUIET_SECONDS * 1000)
  const share = cpu().map((ms, at) => (ms - (before[at] ?? 0)) / (FEED_QUIET_SECONDS * 10))
  const times: number[] = []
  while (times.length < FEED_EDITS) times.push(await editAnySite(running, EDIT_LIMIT_MS))
  times.sort((a, b) => a - b)
  return {
    feedMemory: memoryOf(service),
    feedCpu: share[0] ?? 0,
    feedDatabaseCpu: share[1] ?? 0,
    editByFeed: percentile(times, 0.5),
    editByFeedMax: times.at(-1) ?? 0,
  }
}

async function editAnySite(running: RunningNetwork, limitMs: number): Promise<number> {
  const { sites } = running.plan
  const site = sites[Math.floor(Math.random() * sites.length)]
  if (!site) throw new Error('the network has no sites')
  return editFrontPage(running, site, limitMs)
}

async function measureHosts(
  { frontUrl }: Contender,
  { running }: NetworkRun,
): Promise<NetworkFigures> {
  const { origin } = new URL(frontUrl)
  const last = running.plan.models.at(-1)
  const ask = async (host: string, path: string, wanted: number): Promise<number> => {
    const { status, ms } = await exchange(`${origin}${path}`, { headers: { host } })
    if (status !== wanted) throw new Error(`the host ${host} was answered ${status}`)
    return ms
  }
  return {
    knownHost: await ask(last?.domain ?? '', last?.path ?? '/', 200),
    unknownHost: await ask('unknown.test', '/', 404),
    unknownHostAgain: await ask('other.test', '/', 404),
  }
}

async function measureLists({ apiUrl, headers }: Contender): Promise<NetworkFigures> {
  const { origin } = new URL(apiUrl)
  const { authorization } = headers
  const read = async (query: string) => {
    const url = `${origin}/network/sites?${query}`
    const answer = await exchange(url, { headers: { authorization } })
    if (answer.status !== 200) throw new Error(`the list of sites was answered ${answer.body}`)
    return { ms: answer.ms, next: JSON.parse(answer.body).next as number | null }
  }
  const { ms: listPage } = await read('limit=50')
  let listAll = 0
  for (let after: number | null = 0; after !== null; ) {
    const found: Awaited<ReturnType<typeof read>> = await read(
      `limit=${SITES_PER_PAGE}&after=${after}`,
    )
    listAll += found.ms
    after = found.next
  }
  return { listPage, listAll, listSearch: (await read('search=no-such-site')).ms }
}

/** A round of the poll in this process, without edits, and the CPU that it uses with the default interval. */
async function measureRound({ db, pids }: RunningNetwork): Promise<NetworkFigures> {
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
