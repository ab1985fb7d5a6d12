import type { Database, Db } from '../../db/database.ts'
import { DAY_MS, timeText } from '../../db/gmt.ts'
import {
  assignmentsOf,
  escapeLike,
  readRow,
  readRows,
  runStatement,
  storeRows,
  type TableRows,
} from '../../db/sql.ts'
import { isFree, latestTimes, tasksTable } from '../../db/tasks/tasks-table.ts'
import type { Author, Tx } from '../../db/transaction.ts'
import { compressContent, decompressContent } from '../../record/history/content.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import type { Description } from '../description/description.ts'
import type { RefusedProblems } from './plan-context.ts'
import { RUN_SITE_STATES, type RunSiteState, type RunState, WORKED_STATES } from './run-states.ts'
import { describeProblem, type PlannedPages, type PlanProblem, type Step } from './site-plan.ts'

/** A run without its description. */
export type Run = {
  /** Also the request id of its writes. */
  readonly id: string
  /** Name of the description; '' for a single change, which has a title. */
  readonly name: string
  /** What a single change does. Null for a run of a description, and for a change of an older program. */
  readonly title: string | null
  readonly state: RunState
  readonly message: string | null
  /** Failed sites after which the others are skipped; null for no limit. */
  readonly max_failures: number | null
  /** Of a run that is `trying`: sites to which something is written before the others. */
  readonly canary: number | null
  /** 0: the pages are not built. */
  readonly bake: number
  /** Which problems of frames block a site. */
  readonly refuses: RefusedProblems
  readonly user_id: number | null
  readonly token_id: number | null
  readonly label: string | null
  /** GMT, with milliseconds. */
  readonly created_at: string
}

/** A site of a run without its steps. A site whose `applied_at` is set can be rolled back, also if a later attempt has failed. */
export type RunSite = {
  readonly blog_id: number
  readonly state: RunSiteState
  /** Of the plan; null if the site is planned when it is applied. */
  readonly digest: string | null
  readonly step_count: number
  /** Pages that would be published. */
  readonly page_count: number
  readonly message: string | null
  readonly applied_at: string | null
}

/** What is stored about the plan of a site besides its steps. */
type RunSiteNotes = {
  readonly problems: readonly PlanProblem[]
  readonly warnings: readonly PlanProblem[]
  /** The first pages that would be published. */
  readonly pages: readonly number[]
}

const NO_NOTES: RunSiteNotes = { problems: [], warnings: [], pages: [] }

/** What a plan, its application or a rollback stores about a site. What is missing stays as it is, and so do the steps if there are none. */
export type RunSiteResult = {
  readonly state?: RunSiteState
  readonly digest?: string | null
  readonly steps?: readonly Step[]
  readonly pages?: PlannedPages
  readonly problems?: readonly PlanProblem[]
  readonly warnings?: readonly PlanProblem[]
  readonly message?: string | null
}

/** An id that callers send may have characters that the ASCII column cannot be compared with. They become question marks, which no id has. */
const HAS_ID = 'id = CONVERT(:id USING ascii)'

export const runsTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_runs`
export const runSitesTable = ({ basePrefix }: GlobalTables): string => `${basePrefix}svc_run_sites`

/** The columns of `Run`. */
const RUN_COLUMNS =
  'id, name, title, state, message, max_failures, canary, bake, refuses, user_id, token_id, label, created_at'
const SITE_COLUMNS =
  'blog_id, state, LOWER(HEX(digest)) AS digest, step_count, page_count, message, applied_at'

const now = (): string => timeText(new Date())

export type NewRun = {
  readonly id: string
  readonly author: Author
  readonly state: RunState
  readonly description: Description
  /** [`errors`] */
  readonly refuses?: RefusedProblems
}

/** What a run does, for readers. */
export const titleOf = ({ title, name }: Pick<Run, 'title' | 'name'>): string =>
  title ?? (name === '' ? 'Change of a command' : `Description ${name}`)

const titleOfDescription = ({ title, replace }: Description): string | null =>
  title ?? (replace ? 'Replacement of texts' : null)

/** Stores a run with its sites. */
export async function createRun(
  tx: Tx,
  globals: GlobalTables,
  { id, author, state, description, refuses = 'errors' }: NewRun,
  sites: readonly (RunSiteResult & {
    readonly blogId: number
    readonly state: RunSiteState
  })[] = [],
): Promise<void> {
  const title = titleOfDescription(description)
  const run = {
    id,
    state,
    name: title === null ? description.name : '',
    title,
    refuses,
    description: await compressContent(JSON.stringify(description)),
    user_id: author.userId,
    token_id: author.tokenId,
    label: author.label,
    created_at: now(),
  }
  const rows: TableRows['rows'] = await Promise.all(
    sites.map(async ({ blogId, ...result }) => ({
      run_id: id,
      blog_id: blogId,
      ...NO_RESULT,
      state: result.state,
      ...(await columnsOf(result)),
    })),
  )
  await storeRows(tx, [
    { table: runsTable(globals), rows: [run], onDuplicate: 'id = id' },
    { table: runSitesTable(globals), rows, onDuplicate: 'state = state' },
  ])
}

const NO_RESULT = {
  digest: null,
  steps: null,
  step_count: 0,
  page_count: 0,
  notes: null,
  applied_at: null,
}

async function columnsOf({ state, digest, steps = [], message = null, ...rest }: RunSiteResult) {
  const { pages, problems, warnings } = rest
  const notes = { problems: problems ?? [], warnings: warnings ?? [], pages: pages?.ids ?? [] }
  const hasNotes = notes.problems.length + notes.warnings.length + notes.pages.length > 0
  const stored = steps.map(({ diff: _, ...step }) => step)
  return {
    ...(state === undefined ? {} : { state }),
    message: message && cutMessage(message),
    ...(digest ? { digest: Buffer.from(digest, 'hex') } : {}),
    ...(stored.length > 0 ? { steps: await compressContent(JSON.stringify(stored)) } : {}),
    ...(stored.length > 0 ? { step_count: stored.length } : {}),
    ...(pages === undefined ? {} : { page_count: pages.total }),
    ...(hasNotes ? { notes: await compressContent(JSON.stringify(notes)) } : {}),
    ...(state === 'applied' ? { applied_at: now() } : {}),
  }
}

/** Characters of a message. The column has 64 kB. */
const MAX_MESSAGE_LENGTH = 4000

const cutMessage = (message: string): string =>
  message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message

/** Locks a site of a run until the transaction ends. @returns its state; undefined if the run does not have it */
export async function lockRunSite(
  tx: Tx,
  globals: GlobalTables,
  runId: string,
  blogId: number,
): Promise<RunSiteState | undefined> {
  const [row] = await readRows<{ state: RunSiteState }>(
    tx,
    'SELECT state FROM :sites: WHERE run_id = :runId AND blog_id = :blogId FOR UPDATE',
    { sites: runSitesTable(globals), runId, blogId },
  )
  return row?.state
}

/** Stores the results of sites whose state is still one of `before`. */
export async function setRunSites(
  tx: Tx,
  globals: GlobalTables,
  runId: string,
  blogIds: readonly number[],
  result: RunSiteResult,
  before: readonly RunSiteState[],
): Promise<void> {
  if (blogIds.length === 0) return
  tx.later(
    'UPDATE :sites: SET :changed WHERE run_id = :runId AND blog_id IN (:blogIds) AND state IN (:before)',
    {
      sites: runSitesTable(globals),
      changed: assignmentsOf(await columnsOf(result)),
      runId,
      blogIds: [...blogIds],
      before: [...before],
    },
  )
}

/** Sets the state of a run if it still has the state before. */
export async function setRunState(
  tx: Tx,
  globals: GlobalTables,
  { id, state: before }: Pick<Run, 'id' | 'state'>,
  state: RunState,
  message: string | null = null,
): Promise<void> {
  await runStatement(
    tx,
    'UPDATE :runs: SET state = :state, message = :message WHERE id = :id AND state = :before',
    { runs: runsTable(globals), id, before, state, message: message && cutMessage(message) },
  )
}

/** The task that continues a run. */
export const nameOfRunTask = (id: string): string => `run:${id}`

/** The run that has waited longest for a process. */
export function findDueRun(db: Db, globals: GlobalTables): Promise<Run | undefined> {
  return readRow<Run>(
    db,
    `SELECT ${RUN_COLUMNS} FROM :runs: AS run WHERE state IN (:states) AND ${isFree("CONCAT('run:', run.id)")}
      ORDER BY created_at, id LIMIT 1`,
    {
      runs: runsTable(globals),
      tasks: tasksTable(globals),
      states: WORKED_STATES,
      ...latestTimes(db),
    },
  )
}

/** What a process is asked to do with a run, and by whom. */
export type RunRequest = {
  readonly id: string
  readonly state: RunState
  readonly author: Author
  /** See `Run` [no limit]. */
  readonly maxFailures?: number | null | undefined
  readonly canary?: number | undefined
  /** False: the pages are not built [true]. */
  readonly bake?: boolean | undefined
}

/**
 * Sets the state of a run for the process that continues it, and the options of the request, if it is in one of the states before.
 * @returns whether it was
 */
export async function requestRun(
  tx: Tx,
  globals: GlobalTables,
  { id, state, author, maxFailures = null, canary, bake = true }: RunRequest,
  before: readonly RunState[],
): Promise<boolean> {
  const { affectedRows } = await runStatement(
    tx,
    `UPDATE :runs: SET state = :state, max_failures = :maxFailures, canary = :canary, bake = :bake,
        message = NULL, user_id = :userId, token_id = :tokenId, label = :label
      WHERE ${HAS_ID} AND state IN (:before)`,
    {
      runs: runsTable(globals),
      id,
      before: [...before],
      state,
      maxFailures,
      canary: canary ?? null,
      bake: bake ? 1 : 0,
      userId: author.userId,
      tokenId: author.tokenId,
      label: author.label,
    },
  )
  return affectedRows === 1
}

export function findRun(db: Db, globals: GlobalTables, id: string): Promise<Run | undefined> {
  const select = `SELECT ${RUN_COLUMNS} FROM :runs: WHERE ${HAS_ID}`
  return readRow<Run>(db, select, { runs: runsTable(globals), id })
}

/** The ids of the runs that begin with this, the latest first; two are enough to see that it names several. */
export async function findRunIds(
  db: Db,
  { globals, prefix }: { readonly globals: GlobalTables; readonly prefix: string },
): Promise<string[]> {
  const rows = await readRows<{ id: string; created_at: string }>(
    db,
    "SELECT id, created_at FROM :runs: WHERE id LIKE CONCAT(CONVERT(:prefix USING ascii), '%') ORDER BY created_at DESC, id LIMIT 2",
    { runs: runsTable(globals), prefix: escapeLike(prefix) },
  )
  return rows.map(({ id }) => id)
}

/** What these requests did that are runs, by id. */
export async function readRunTitles(
  db: Db,
  globals: GlobalTables,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const runs = await readRows<Pick<Run, 'id' | 'name' | 'title'>>(
    db,
    'SELECT id, name, title FROM :runs: WHERE id IN (:ids)',
    { runs: runsTable(globals), ids: [...ids] },
  )
  return new Map(runs.map((run) => [run.id, titleOf(run)]))
}

/** The description of a run; undefined if it is one of an older program without any. */
export async function readRunDescription(
  db: Db,
  globals: GlobalTables,
  id: string,
): Promise<Description | undefined> {
  const [row] = await readRows<{ description: Buffer | null }>(
    db,
    'SELECT description FROM :runs: WHERE id = :id',
    { runs: runsTable(globals), id },
  )
  return row?.description ? JSON.parse(await decompressContent(row.description)) : undefined
}

/** A run with the number of its sites in each state, and of the steps on all of them. */
export type RunSummary = Run & {
  readonly sites: Readonly<Partial<Record<RunSiteState, number>>>
  readonly steps: number
}

/** The latest runs, newest first. */
export async function listRuns(
  db: Db,
  globals: GlobalTables,
  { limit, id }: { readonly limit: number; readonly id?: string },
): Promise<RunSummary[]> {
  const values = { runs: runsTable(globals), sites: runSitesTable(globals), limit, id: id ?? '' }
  const runs = await readRows<Run>(
    db,
    `SELECT ${RUN_COLUMNS} FROM :runs: ${id === undefined ? '' : `WHERE ${HAS_ID}`}
      ORDER BY created_at DESC, id LIMIT :limit`,
    values,
  )
  if (runs.length === 0) return []
  type Counts = { run_id: string; state: RunSiteState; total: number; steps: number }
  const counts = await readRows<Counts>(
    db,
    `SELECT run_id, state, COUNT(*) AS total, CAST(SUM(step_count) AS UNSIGNED) AS steps
      FROM :sites: WHERE run_id IN (:ids) GROUP BY run_id, state`,
    { ...values, ids: runs.map((run) => run.id) },
  )
  return runs.map((run) => {
    const own = counts.filter(({ run_id }) => run_id === run.id)
    return {
      ...run,
      sites: Object.fromEntries(own.map(({ state, total }) => [state, total])),
      steps: own.reduce((sum, { steps }) => sum + steps, 0),
    }
  })
}

/** A later attempt may have failed. */
const IS_APPLIED = "applied_at IS NOT NULL AND state <> 'rolled_back'"

/** The sites of a run in order of their ids. */
export function listRunSites(
  db: Db,
  globals: GlobalTables,
  runId: string,
  {
    states = RUN_SITE_STATES,
    isApplied = false,
    after = 0,
    limit = 100_000,
  }: {
    readonly states?: readonly RunSiteState[]
    /** Only sites that the run was applied to, and that it was not rolled back from. */
    readonly isApplied?: boolean
    /** Only larger blog ids. */
    readonly after?: number
    readonly limit?: number
  } = {},
): Promise<RunSite[]> {
  return readRows<RunSite>(
    db,
    `SELECT ${SITE_COLUMNS} FROM :sites:
      WHERE run_id = :runId AND blog_id > :after AND state IN (:states) ${isApplied ? `AND ${IS_APPLIED}` : ''} ORDER BY blog_id LIMIT :limit`,
    { sites: runSitesTable(globals), runId, after, states: [...states], limit },
  )
}

/** The plan of a site as it is stored. */
export type StoredPlan = RunSiteNotes & { readonly steps: readonly Step[] }

/** The stored plans of these sites of a run, by blog id. */
export async function readRunPlans(
  db: Db,
  globals: GlobalTables,
  runId: string,
  blogIds: readonly number[],
): Promise<Map<number, StoredPlan>> {
  if (blogIds.length === 0) return new Map()
  const rows = await readRows<{ blog_id: number; steps: Buffer | null; notes: Buffer | null }>(
    db,
    'SELECT blog_id, steps, notes FROM :sites: WHERE run_id = :runId AND blog_id IN (:blogIds)',
    { sites: runSitesTable(globals), runId, blogIds: [...blogIds] },
  )
  const found = new Map<number, StoredPlan>()
  for (const { blog_id, steps, notes } of rows)
    found.set(blog_id, {
      ...(notes ? JSON.parse(await decompressContent(notes)) : NO_NOTES),
      steps: steps ? JSON.parse(await decompressContent(steps)) : [],
    })
  return found
}

/** The message of a site that lacks something: its first problems. */
export function messageOfProblems(
  problems: readonly (Pick<PlanProblem, 'name' | 'at' | 'message'> & { readonly kind: string })[],
): string {
  const first = problems.slice(0, MAX_LISTED_PROBLEMS)
  const more = problems.length - first.length
  const lines = first.map(
    ({ kind, name, ...problem }) => `${kind} ${name}: ${describeProblem(problem)}`,
  )
  return [...lines, ...(more > 0 ? [`and ${more} more problems`] : [])].join('\n')
}

const MAX_LISTED_PROBLEMS = 20

/** Of each site the last run with a description that was applied to it. */
export function listLastApplied(
  db: Db,
  globals: GlobalTables,
  name: string | undefined,
): Promise<{ run_id: string; name: string; blog_id: number; applied_at: string }[]> {
  const values = { runs: runsTable(globals), sites: runSitesTable(globals), name: name ?? '' }
  const own = `s.applied_at IS NOT NULL AND s.state <> 'rolled_back' AND r.name <> '' ${name === undefined ? '' : 'AND r.name = :name'}`
  return readRows(
    db,
    `SELECT s.run_id, r.name, s.blog_id, s.applied_at FROM :sites: s JOIN :runs: r ON r.id = s.run_id
      JOIN (SELECT s.blog_id, r.name, MAX(s.applied_at) AS applied_at FROM :sites: s JOIN :runs: r ON r.id = s.run_id
        WHERE ${own} GROUP BY s.blog_id, r.name) last
        ON last.blog_id = s.blog_id AND last.name = r.name AND last.applied_at = s.applied_at
      WHERE ${own} ORDER BY r.name, s.blog_id`,
    values,
  )
}

/** Deletes old runs, each in a transaction: a run of a thousand sites has a thousand rows. @returns their number */
export async function pruneRuns(
  db: Database,
  globals: GlobalTables,
  { now, signal }: { readonly now: Date; readonly signal?: AbortSignal },
): Promise<number> {
  const since = new Date(now.getTime() - db.timings.plan.keptRunDays * DAY_MS)
  const old = await readRows<{ id: string }>(
    db,
    'SELECT id FROM :runs: WHERE created_at < :since ORDER BY created_at',
    { runs: runsTable(globals), since: timeText(since) },
  )
  if (old.length === 0) return 0
  const kept = new Set((await listLastApplied(db, globals, undefined)).map(({ run_id }) => run_id))
  const deletable = old.filter(({ id }) => !kept.has(id))
  let deleted = 0
  for (const { id } of deletable) {
    if (signal?.aborted) break
    await db.write({}, async (tx) => {
      const tables = { sites: runSitesTable(globals), runs: runsTable(globals) }
      await runStatement(tx, 'DELETE FROM :sites: WHERE run_id = :id', { ...tables, id })
      await runStatement(tx, 'DELETE FROM :runs: WHERE id = :id', { ...tables, id })
    })
    deleted += 1
  }
  return deleted
}
