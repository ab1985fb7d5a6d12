import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_WAITING_WRITES } from '../../../src/db/database.ts'
import { newOwner } from '../../../src/db/lease.ts'
import { runStatement } from '../../../src/db/sql.ts'
import { type HeldTask, holdTask } from '../../../src/db/tasks/hold-task.ts'
import { pruneTasks } from '../../../src/db/tasks/prune-task.ts'
import {
  endTask,
  forgetFormer,
  LostLeaseError,
  releaseTask,
  renewTask,
  requestTask,
  type TaskLease,
  takeTask,
  tasksTable,
  withdrawTasks,
} from '../../../src/db/tasks/tasks-table.ts'
import type { Tx } from '../../../src/db/transaction.ts'
import { eventually } from '../../support/eventually.ts'
import { useNetwork } from '../../support/network.ts'
import { sqlOf } from '../../support/statements.ts'

const network = await useNetwork()
const { db, globals } = network
beforeEach(() => rows().delete())

const rows = () => db.sql(tasksTable(globals))
const now = (more: string) => db.sql.raw(`NOW(6) ${more}`)
const leaseOf = (more: Partial<TaskLease> = {}): TaskLease => ({
  name: 'poll',
  owner: newOwner(),
  leaseMs: 3000,
  ...more,
})
const take = (lease: TaskLease) => takeTask(db, globals, lease)
const renew = (lease: TaskLease) => renewTask(db, globals, lease)
const end = () => rows().update({ due_at: now('- INTERVAL 1 SECOND') })
const NEW = { former: undefined, state: null, tries: 0 }

describe('a task', () => {
  it('has one owner, until it is released', async () => {
    const [first, second] = [leaseOf(), leaseOf()]
    expect(await take(first)).toEqual(NEW)
    expect([await take(second), await renew(second)]).toEqual([undefined, false])
    await releaseTask(db, globals, second, { dueInMs: 0 })
    expect(await renew(first)).toBe(true)
    await releaseTask(db, globals, first, { dueInMs: 0, state: '{"at":1}' })
    expect(await renew(first)).toBe(false)
    expect(await take(second)).toEqual({ ...NEW, state: '{"at":1}' })
  })

  it('is taken by one of several processes that find it at the same time', async () => {
    const owners = Array.from({ length: 8 }, () => leaseOf())
    const first = await Promise.all(owners.map(take))
    expect(first.filter(Boolean)).toEqual([NEW])
    await end()
    const former = owners[first.findIndex(Boolean)]?.owner
    const second = await Promise.all(owners.map(({ name }) => take(leaseOf({ name }))))
    expect(second.filter(Boolean)).toEqual([{ ...NEW, former }])
  })

  it('stores its failures in a row, and why it failed', async () => {
    const lease = leaseOf()
    await take(lease)
    const error = 'x'.repeat(600)
    await releaseTask(db, globals, lease, { dueInMs: 0, tries: 2, error })
    expect(await rows().first('tries', 'error')).toEqual({ tries: 2, error: error.slice(0, 500) })
    const next = leaseOf()
    expect(await take(next)).toEqual({ ...NEW, tries: 2 })
    await releaseTask(db, globals, next, { dueInMs: 0, tries: 0, error: null })
    expect(await rows().first('tries', 'error')).toEqual({ tries: 0, error: null })
  })

  it.each([['by nobody'], ['by another process']])(
    'is requested while it is held %s',
    async (by) => {
      const lease = leaseOf()
      if (by !== 'by nobody') await take(lease)
      await db.write({}, (tx) => requestTask(tx, globals, 'poll', '{"at":0}'))
      expect(await renew(lease)).toBe(false)
      expect(await take(leaseOf())).toMatchObject({ state: '{"at":0}' })
    },
  )

  it('is withdrawn from its owner', async () => {
    const lease = leaseOf()
    await take(lease)
    await db.write({}, (tx) => withdrawTasks(tx, globals, 'poll'))
    expect(await renew(lease)).toBe(false)
    expect(await rows()).toEqual([])
  })

  it('keeps its owner after the end of the lease, until another process takes it', async () => {
    const lease = leaseOf()
    await take(lease)
    await rows().update({ due_at: now('- INTERVAL 1 HOUR') })
    expect(await renew(lease)).toBe(true)
    expect(await take(leaseOf())).toBeUndefined()
  })

  it.each([
    ['longer than any lease', { due_at: '+ INTERVAL 61 SECOND' }],
    ['longer than any rest', { owner: null, due_at: '+ INTERVAL 61 MINUTE' }],
  ])('is due if it would wait %s: the clock was set back', async (_, { due_at, ...more }) => {
    await take(leaseOf())
    await rows().update({ ...more, due_at: now(due_at) })
    expect(await take(leaseOf())).toBeDefined()
  })

  it('waits for no other work of the network', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const work = Array.from({ length: MAX_WAITING_WRITES + 1 }, () =>
      db.write({ isWork: true }, () => released),
    )
    const taken = await take(leaseOf()).catch(() => 'refused')
    release()
    await Promise.all(work)
    expect(taken).toEqual(NEW)
  })
})

it('what killed processes have left is deleted after a day', async () => {
  const due = (hours: number) => now(`- INTERVAL ${hours} HOUR`)
  for (const [name, hours] of [
    ['run:left', 25],
    ['run:new', 23],
    ['site:2', 25],
  ] as const)
    await rows().insert({ name, due_at: due(hours), owner: newOwner() })
  expect(await pruneTasks(db, globals, ['run:%', 'webhook:%'], new AbortController().signal)).toBe(
    1,
  )
  expect((await rows().orderBy('name')).map(({ name }) => name)).toEqual(['run:new', 'site:2'])
})

describe('the former owner of a task', () => {
  it('is known to the next ones, until one of them has fenced it', async () => {
    const [first, second, third, fourth] = [leaseOf(), leaseOf(), leaseOf(), leaseOf()]
    await take(first)
    await end()
    expect(await take(second)).toEqual({ ...NEW, former: first.owner })
    // The second one was killed before it had fenced the first one, so it has begun nothing.
    await end()
    expect(await take(third)).toEqual({ ...NEW, former: first.owner })
    await expect(forgetFormer(db, globals, second)).rejects.toThrow(LostLeaseError)
    await forgetFormer(db, globals, third)
    await end()
    expect(await take(fourth)).toEqual({ ...NEW, former: third.owner })
  })

  it('outlives an end before it is fenced', async () => {
    const [first, second] = [leaseOf(), leaseOf()]
    await take(first)
    await end()
    await take(second)
    await endTask(db, globals, second)
    expect(await take(leaseOf())).toEqual({ ...NEW, former: first.owner })
  })
})

describe('a held task', () => {
  const hold = async (leaseMs = 3000): Promise<HeldTask> => {
    const held = await holdTask(db, globals, { name: 'poll', leaseMs })
    if (!held) throw new Error('another process has the task')
    return held
  }
  const mark = (held: HeldTask, how: 'commit' | 'commitLast' = 'commit') =>
    held[how]((tx) => sqlOf(tx)(tasksTable(globals)).insert({ name: 'mark', due_at: '2000-01-01' }))
  const marks = () => rows().where({ name: 'mark' })

  it('commits what it has done', async () => {
    const held = await hold()
    await mark(held)
    expect(await marks()).toHaveLength(1)
    await held.end()
  })

  it('renews its lease with each commit', async () => {
    const held = await hold()
    await end()
    await held.commit(() => undefined)
    expect(await take(leaseOf())).toBeUndefined()
    await held.end()
  })

  it.each(['commit', 'commitLast'] as const)(
    'stores nothing by %s after it was lost',
    async (how) => {
      const held = await hold()
      await end()
      await take(leaseOf())
      await expect(mark(held, how)).rejects.toThrow(LostLeaseError)
      expect(held.lost.aborted).toBe(true)
      expect(await marks()).toEqual([])
      await held.release({ dueInMs: 0 })
      expect(await take(leaseOf())).toBeUndefined()
    },
  )

  const failing = (tx: Tx) => runStatement(tx, 'SELECT * FROM nowhere', {})

  it.each(['commit', 'commitLast'] as const)(
    'keeps the task if a statement of %s fails, with the error of the statement',
    async (how) => {
      const held = await hold()
      await expect(held[how](failing)).rejects.toMatchObject({ code: 'ER_NO_SUCH_TABLE' })
      expect(held.lost.aborted).toBe(false)
      expect(await take(leaseOf())).toBeUndefined()
      await held.end()
    },
  )

  it('loses nobody the task while it commits', async () => {
    const held = await hold()
    const later = await held.commit(async () => {
      const taken = take(leaseOf())
      return { taken }
    })
    expect(await later.taken).toBeUndefined()
    await held.end()
  })

  it('is renewed in the background, also after failures, until it is lost', async () => {
    const held = await hold(150)
    let renewals = 0
    held.renewBy(async () => {
      renewals += 1
      if (renewals === 1) throw new Error('the database is away')
      await held.renew()
    })
    const [before] = await rows()
    await eventually(async () => {
      const [{ due_at }] = await rows()
      expect(due_at > before.due_at).toBe(true)
    })
    expect(held.lost.aborted).toBe(false)
    await rows().update({ owner: newOwner(), due_at: now('+ INTERVAL 10 SECOND') })
    await eventually(() => expect(held.lost.aborted).toBe(true))
    await held.release({ dueInMs: 0 })
  })
})
