import { BackgroundLoop } from '../../host/concurrency/background-loop.ts'
import type { Log } from '../../host/log.ts'
import type { Database } from '../database.ts'
import { isDatabaseUnavailable, isMissingTable } from '../database-error.ts'
import { newOwner } from '../lease.ts'
import { readRows } from '../sql.ts'
import { type Held, holdTask } from './hold-task.ts'
import {
  IS_TASK_DUE,
  LostLeaseError,
  latestTimes,
  type TaskColumns,
  type TaskEnd,
  type TaskTables,
  tasksTable,
} from './tasks-table.ts'

/** What one process at a time does for all. */
export type Task = {
  /** Identifies it in all processes. */
  readonly name: string
  /** How long a process has the task without renewal [`timings.tasks`]. After a crash another process continues after this time. */
  readonly leaseMs?: number
  /** What the log says when it fails. */
  readonly failure: string
  /** Pause after the first failure, and the longest one, in milliseconds [`timings.tasks`]. */
  readonly pauseMs?: number
  readonly maxPauseMs?: number
  /**
   * Does what is due, for as long as it likes. It ends early if the signal is aborted, because the process stops or has lost the task.
   * @returns when the task is due again; undefined if nothing is left, and the task needs no row
   * @throws TaskFailure if the task knows what follows
   */
  run(held: Held, signal: AbortSignal): Promise<TaskRest | undefined>
}

/** What follows a run. */
export type TaskRest = Pick<TaskEnd, 'dueInMs' | 'state'>

/** Finds tasks of which there are many, such as one for each webhook. */
export type TaskSource = {
  /**
   * The tasks that this process is to begin, as far as they are due.
   * @param running the names of the tasks of this source that it does already
   */
  find(running: ReadonlySet<string>): Promise<readonly Task[]>
}

/** Why a task failed, for operators, and what follows. */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure'
  /** The pause until the next try; undefined for that of any failure. */
  readonly pauseMs: number | undefined
  readonly state: TaskColumns['state']

  constructor(
    message: string,
    { cause, pauseMs, state }: { cause?: unknown; pauseMs?: number } & Pick<TaskColumns, 'state'>,
  ) {
    super(message, { cause })
    this.pauseMs = pauseMs
    this.state = state
  }
}

export type TaskRunnerOptions = {
  readonly db: Database
  readonly globals: TaskTables
  readonly log: Log
}

/** Does the tasks of a process: looks once a second which ones are due, takes those that no other process has, and tries again what fails. */
export class TaskRunner {
  readonly #options: TaskRunnerOptions
  readonly #tasks: Task[] = []
  readonly #endings: (() => Promise<void>)[] = []
  #isStopped = false
  /** Ends the runs in progress. `AbortSignal.any` would keep each signal that a task listens to for as long as the process lives. */
  readonly #runs = new Set<AbortController>()
  /** The owners of tasks that this process has, or could not give up because the database was away, by their names: it takes them again at once. */
  readonly #unreleased = new Map<string, string>()
  readonly #wake: () => void

  constructor(options: TaskRunnerOptions) {
    this.#options = options
    this.#wake = this.addSource({ find: (running) => this.#findDue(running) })
  }

  /** Adds a task. @returns looks at once whether it is due */
  add(task: Task): () => void {
    this.#tasks.push(task)
    this.#wake()
    return this.#wake
  }

  /** Adds tasks that are found in other tables. @returns looks at once which ones there are */
  addSource(source: TaskSource): () => void {
    const { log, db } = this.#options
    const { lookMs, againMs } = db.timings.tasks
    const running = new Map<string, Promise<void>>()
    let isFailing = false
    const loop = new BackgroundLoop(async (signal) => {
      try {
        for (const task of await source.find(new Set(running.keys()))) {
          if (running.has(task.name) || signal.aborted) continue
          const ended = this.#do(task).then((dueInMs) => {
            running.delete(task.name)
            // It may be due again, or others of the source.
            if (dueInMs <= lookMs) setTimeout(() => loop.wake(), Math.max(dueInMs, againMs)).unref()
          })
          running.set(task.name, ended)
        }
        isFailing = false
      } catch (error) {
        const level = isFailing || isOutageOf(error) ? 'debug' : 'warn'
        isFailing = true
        log[level]({ err: error }, 'could not look for tasks')
      }
      return lookMs
    })
    this.#endings.push(async () => {
      await loop.stop()
      await Promise.all(running.values())
    })
    return () => loop.wake()
  }

  /** Ends all runs, and gives the tasks up: another process may continue at once. */
  async stop(): Promise<void> {
    this.#endRuns()
    await Promise.all(this.#endings.map((end) => end()))
  }

  /** Does a task now, unless another process has it or it rests. For processes that look for none. */
  async doNow(task: Task, signal: AbortSignal): Promise<void> {
    const stop = () => this.#endRuns()
    signal.addEventListener('abort', stop)
    await this.#do(task)
    signal.removeEventListener('abort', stop)
  }

  #endRuns(): void {
    this.#isStopped = true
    for (const run of this.#runs) run.abort()
  }

  async #findDue(running: ReadonlySet<string>): Promise<readonly Task[]> {
    const { db, globals } = this.#options
    const tasks = this.#tasks.filter(({ name }) => !running.has(name))
    if (tasks.length === 0) return []
    const rows = await readRows<{ name: string }>(
      db,
      `SELECT name FROM :tasks: WHERE name IN (:names) AND NOT ${IS_TASK_DUE} AND NOT IFNULL(owner IN (:owners), FALSE)`,
      {
        tasks: tasksTable(globals),
        names: tasks.map(({ name }) => name),
        owners: ['', ...this.#unreleased.values()],
        ...latestTimes(db),
      },
    )
    const others = new Set(rows.map(({ name }) => name))
    return tasks.filter(({ name }) => !others.has(name))
  }

  /** @returns when it is due again, as far as this process knows, in milliseconds */
  async #do(task: Task): Promise<number> {
    try {
      return await this.#take(task)
    } catch (error) {
      // If it was not given up, this process takes it again, or the lease ends by itself.
      const level = isOutageOf(error) ? 'debug' : 'warn'
      this.#options.log[level]({ err: error, task: task.name }, 'a task was not taken or given up')
      return Number.POSITIVE_INFINITY
    }
  }

  async #take(task: Task): Promise<number> {
    const { db, globals } = this.#options
    const { name } = task
    const { leaseMs } = { ...db.timings.tasks, ...task }
    const owner = this.#unreleased.get(name) ?? newOwner()
    const held = await holdTask(db, globals, { name, leaseMs, owner })
    if (!held) {
      this.#unreleased.delete(name)
      return Number.POSITIVE_INFINITY
    }
    this.#unreleased.set(name, owner)
    const end = await this.#run(task, held)
    if (end === undefined) await held.end()
    else await held.release(this.#isStopped ? { ...end, dueInMs: 0 } : end)
    this.#unreleased.delete(name)
    return end?.dueInMs ?? 0
  }

  async #run(task: Task, held: Held): Promise<TaskEnd | undefined> {
    const begin = performance.now()
    const run = new AbortController()
    this.#runs.add(run)
    held.lost.addEventListener('abort', () => run.abort())
    if (this.#isStopped || held.lost.aborted) run.abort()
    try {
      // What a task of a runner stores fails once the task is lost, so there is nothing to fence.
      if (held.former !== undefined) await held.forgetFormer()
      const rest = await task.run(held, run.signal)
      return rest && { ...rest, tries: 0, error: null }
    } catch (error) {
      // What has lasted for long has failed for the first time.
      const { maxPauseMs } = this.#options.db.timings.tasks
      return this.#fail(task, error, performance.now() - begin > maxPauseMs ? 0 : held.tries)
    } finally {
      this.#runs.delete(run)
    }
  }

  #fail(task: Task, error: unknown, tries: number): TaskEnd {
    const { db, log } = this.#options
    const { pauseMs, maxPauseMs } = { ...db.timings.tasks, ...task }
    const isOutage = isOutageOf(error) || error instanceof LostLeaseError
    const level = isOutage || tries > 0 ? 'debug' : 'warn'
    const reason = error instanceof TaskFailure ? error : undefined
    log[level]({ err: reason?.cause ?? error, task: task.name }, messageOf(task, reason))
    if (isOutage) return { dueInMs: pauseMs, tries }
    return {
      dueInMs: reason?.pauseMs ?? Math.min(pauseMs * 2 ** tries, Math.max(pauseMs, maxPauseMs)),
      tries: tries + 1,
      error: error instanceof Error ? error.message : String(error),
      state: reason?.state,
    }
  }
}

const messageOf = ({ failure }: Task, reason: TaskFailure | undefined): string =>
  reason ? `${failure}: ${reason.message}` : failure

/** The tables are missing while a dump is loaded. */
const isOutageOf = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || isMissingTable(error)
