import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '../../../src/db/database.ts'
import { newOwner } from '../../../src/db/lease.ts'
import { readRows } from '../../../src/db/sql.ts'
import {
  type Task,
  TaskFailure,
  type TaskRest,
  TaskRunner,
  type TaskRunnerOptions,
} from '../../../src/db/tasks/task-runner.ts'
import { isFree, latestTimes, takeTask, tasksTable } from '../../../src/db/tasks/tasks-table.ts'
import { createLog } from '../../../src/host/log.ts'
import { eventually } from '../../support/eventually.ts'
import { useNetwork } from '../../support/network.ts'
import { timed } from '../../support/timings.ts'

const network = await useNetwork()
const { globals } = network
beforeEach(() => rows().delete())

const rows = () => network.db.sql(tasksTable(globals))
const row = async () => (await rows().where({ name: 'scrub' }))[0]
/** Only a wake-up ends its pauses. */
const HOUR = 3_600_000
const GONE = Object.assign(new Error('the database is away'), { code: 'ECONNREFUSED' })

function startRunner(options: Partial<TaskRunnerOptions> = {}): TaskRunner {
  const runner = new TaskRunner({ ...network, log: createLog('silent'), ...options })
  onTestFinished(() => runner.stop())
  return runner
}

const taskOf = (run: Task['run'], more: Partial<Task> = {}): Task => ({
  name: 'scrub',
  leaseMs: 3000,
  failure: 'checking failed',
  run,
  ...more,
})

setFlagsFromString('--expose_gc')
const collectGarbage: () => void = runInNewContext('gc')

/** A task that counts its runs. */
function counting(rest: TaskRest | undefined, more: Partial<Task> = {}) {
  const counts = { runs: 0, atOnce: 0, most: 0 }
  const task = taskOf(async () => {
    counts.runs += 1
    counts.atOnce += 1
    counts.most = Math.max(counts.most, counts.atOnce)
    await new Promise((resolve) => setImmediate(resolve))
    counts.atOnce -= 1
    return rest
  }, more)
  return Object.assign(counts, { task })
}

describe('a runner', () => {
  it('keeps nothing of a run that has ended, also if the task still listens to its signal', async () => {
    let signal: WeakRef<AbortSignal> | undefined
    const task = taskOf(async (_, given) => {
      given.addEventListener('abort', () => {})
      signal = new WeakRef(given)
      return undefined
    })
    await startRunner().doNow(task, new AbortController().signal)
    await eventually(() => {
      collectGarbage()
      expect(signal?.deref()).toBeUndefined()
    })
  })

  it('does a task again and again, in one of several processes at a time', async () => {
    const counted = counting({ dueInMs: 0 })
    for (let n = 0; n < 3; n += 1) startRunner().add(counted.task)
    await eventually(() => expect(counted.runs).toBeGreaterThan(5))
    expect(counted.most).toBe(1)
  })

  it('leaves a task that rests, until somebody makes it due and wakes the runner', async () => {
    const db = timed(network.db, { tasks: { lookMs: HOUR } })
    const counted = counting({ dueInMs: HOUR, state: '{"at":7}' })
    const wake = startRunner({ db }).add(counted.task)
    await eventually(async () => expect(await row()).toMatchObject({ owner: null }))
    expect(await row()).toMatchObject({ state: '{"at":7}', tries: 0, error: null })
    await rows().update({ due_at: '2000-01-01' })
    wake()
    await eventually(() => expect(counted.runs).toBe(2))
  })

  it('hands the state of a task to its next run', async () => {
    const states: (string | null)[] = []
    const task = taskOf(async ({ state }) => {
      states.push(state)
      return { dueInMs: 0, state: String(states.length) }
    })
    startRunner().add(task)
    await eventually(() => expect(states.slice(0, 3)).toEqual([null, '1', '2']))
  })

  it('tries a failed task again after a pause, stores why, and logs it once', async () => {
    const logged: unknown[] = []
    const log = { ...createLog('silent'), warn: (...args: unknown[]) => void logged.push(args[1]) }
    let failures = 0
    const task = taskOf(async () => {
      failures += 1
      if (failures <= 3) throw new Error(`no ${failures}`)
      return { dueInMs: HOUR }
    })
    startRunner({ log: log as never }).add(task)
    await eventually(async () => expect(await row()).toMatchObject({ tries: 2, error: 'no 2' }))
    await eventually(async () => expect(await row()).toMatchObject({ tries: 0, error: null }))
    expect([failures, logged]).toEqual([4, ['checking failed']])
  })

  it('waits as long as a failure says, with the state that it gives', async () => {
    const task = taskOf(() =>
      Promise.reject(new TaskFailure('wrong password', { pauseMs: HOUR, state: 'null' })),
    )
    startRunner().add(task)
    await eventually(async () =>
      expect(await row()).toMatchObject({ tries: 1, error: 'wrong password', state: 'null' }),
    )
    expect(
      await takeTask(network.db, globals, { name: task.name, leaseMs: 3000, owner: newOwner() }),
    ).toBeUndefined()
  })

  it('takes a task again at once that it could not give up', async () => {
    const db = timed(network.db, { tasks: { leaseMs: 60_000 } })
    let isAway = false
    const away: Database = {
      ...db,
      write: (options, work) => (isAway ? Promise.reject(GONE) : db.write(options, work)),
    }
    const owners: string[] = []
    const task = taskOf(
      async ({ owner }) => {
        owners.push(owner)
        if (owners.length === 1) isAway = true
        return { dueInMs: HOUR }
      },
      { leaseMs: 60_000 },
    )
    startRunner({ db: away }).add(task)
    await eventually(async () => expect(await row()).toMatchObject({ owner: owners[0] }))
    await eventually(() => expect(isAway).toBe(true))
    isAway = false
    await eventually(async () => expect(await row()).toMatchObject({ owner: null }))
    expect(new Set(owners).size).toBe(1)
    expect(owners).toHaveLength(2)
  })

  it('gives up what it does when it stops: another process continues at once', async () => {
    const lasting = (runs: string[]) =>
      taskOf(async ({ owner }, signal) => {
        runs.push(owner)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return { dueInMs: HOUR }
      })
    const [first, second]: [string[], string[]] = [[], []]
    const runner = startRunner()
    runner.add(lasting(first))
    await eventually(() => expect(first).toHaveLength(1))
    startRunner().add(lasting(second))
    expect(await row()).toMatchObject({ owner: first[0] })
    await runner.stop()
    await eventually(() => expect(second).toHaveLength(1))
  })

  it('ends a run whose task was lost', async () => {
    let lost = false
    const task = taskOf(
      (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            lost = true
            resolve({ dueInMs: 0 })
          })
        }),
      { leaseMs: 90 },
    )
    startRunner().add(task)
    await eventually(async () => expect(await row()).toMatchObject({ owner: expect.any(String) }))
    const due_at = network.db.sql.raw('NOW(6) + INTERVAL 20 SECOND')
    await rows().update({ owner: 'another process', due_at })
    await eventually(() => expect(lost).toBe(true))
    expect(await row()).toMatchObject({ owner: 'another process' })
  })

  it('continues what a killed process has had, and leaves nothing of it', async () => {
    const killed = { name: 'scrub', owner: newOwner(), leaseMs: 0 }
    await takeTask(network.db, globals, killed)
    const counted = counting(undefined)
    const db = timed(network.db, { tasks: { lookMs: HOUR, againMs: HOUR } })
    startRunner({ db }).add(counted.task)
    await eventually(async () => expect([counted.runs, await rows()]).toEqual([1, []]))
  })

  it('gives a task up whose former owner it could not forget', async () => {
    await takeTask(network.db, globals, { name: 'scrub', owner: newOwner(), leaseMs: 0 })
    const { db } = network
    let writes = 0
    // The statement that takes the task, then the one that forgets its former owner.
    const write: Database['write'] = (options, work) => {
      writes += 1
      return writes === 2 ? Promise.reject(GONE) : db.write(options, work)
    }
    const counted = counting({ dueInMs: HOUR })
    const free = `SELECT 1 FROM DUAL WHERE ${isFree("'scrub'")}`
    const values = { tasks: tasksTable(globals), ...latestTimes(db) }
    startRunner({ db: { ...db, write } }).addSource({
      find: async () => (await readRows(db, free, values)).map(() => counted.task),
    })
    await eventually(() => expect(counted.runs).toBe(1))
    await eventually(async () => expect(await row()).toMatchObject({ owner: null, former: null }))
  })

  it('does the tasks that are found in other tables, and deletes their rows', async () => {
    const waiting = ['one', 'two']
    const done: string[] = []
    const runner = startRunner()
    runner.addSource({
      find: async () =>
        waiting.map((name) =>
          taskOf(
            async () => {
              done.push(name)
              waiting.splice(waiting.indexOf(name), 1)
              return undefined
            },
            { name: `run:${name}` },
          ),
        ),
    })
    await eventually(async () =>
      expect([done.toSorted(), await rows()]).toEqual([['one', 'two'], []]),
    )
  })
})
