import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeEach, expect, it } from 'vitest'
import {
  FEED,
  isFeedHealthy,
  readFeedState,
  type StoredFeed,
} from '../../../src/changes/feed/feed-state.ts'
import { newOwner } from '../../../src/db/lease.ts'
import { releaseTask, renewTask, takeTask } from '../../../src/db/tasks/tasks-table.ts'
import { Metrics } from '../../../src/host/metrics.ts'
import { eventually } from '../../support/eventually.ts'
import { listen } from '../../support/listen.ts'
import { sqlOf } from '../../support/statements.ts'
import { taskRow } from '../../support/tasks.ts'
import { FAST } from '../../support/timings.ts'
import { use } from '../../support/use.ts'
import { createFeed, startFeed, startFeedServer } from './feed-fixture.ts'

const server = await use(startFeedServer())
beforeEach(async () => void (await row().delete()))

const row = () => taskRow(server, FEED)
const state = () => readFeedState(server.db, server.globals)
const lease = (owner: string) => ({ name: FEED, owner, leaseMs: 3000 })
const take = (owner: string) => takeTask(server.db, server.globals, lease(owner))
const renew = (owner: string, stored: StoredFeed = {}) => {
  const state = JSON.stringify({ beat: `${owner}-1:1`, ...stored })
  return renewTask(server.db, server.globals, lease(owner), { state })
}
const endLease = () => row().update({ due_at: sqlOf(server.db).raw('NOW(6)') })

it('the state of the feed names its owner while the lease lasts, and the error with which it was released', async () => {
  expect(await state()).toBeUndefined()
  const owner = newOwner()
  await take(owner)
  expect((await state())?.owner).toBe(owner)
  // It has ended, or the clock of the database was set back.
  for (const dueAt of ['NOW(6)', 'NOW(6) + INTERVAL 1 HOUR']) {
    await row().update({ due_at: sqlOf(server.db).raw(dueAt) })
    expect((await state())?.owner).toBeNull()
  }
  const failedAt = new Date().toISOString()
  const end = { dueInMs: 60_000, error: 'why', state: JSON.stringify({ failedAt }) }
  await releaseTask(server.db, server.globals, lease(owner), end)
  expect(await state()).toMatchObject({ owner: null, error: { message: 'why', secondsAgo: 0 } })
})

it('the feed is healthy while it delivers changes in time', async () => {
  const owner = newOwner()
  const healthy = () => isFeedHealthy(server.db, server.globals)
  expect(await healthy()).toBe(false)
  await take(owner)
  expect(await healthy()).toBe(false)
  await renew(owner, { lagMs: 100 })
  expect(await healthy()).toBe(true)
  await renew(owner, { lagMs: 60_000 })
  expect(await healthy()).toBe(false)
  await renew(owner, { lagMs: 100 })
  await endLease()
  expect(await healthy()).toBe(false)
  // What its former owner has stored says nothing about the next one.
  await take(newOwner())
  expect(await healthy()).toBe(false)
})

it('the feed is followed by another process when its owner was killed or suspended', async () => {
  const child = startChild()
  await child.report()
  const feed = createFeed(server)
  feed.start()
  await server.run("UPDATE wp_2_posts SET post_title = 'seen by the child' WHERE ID = 10")
  await child.report()
  child.process.kill('SIGSTOP')
  const suspendedAt = Date.now()
  const changes = await feed.changesOf("UPDATE wp_2_posts SET post_title = 'seen' WHERE ID = 16")
  expect(Date.now() - suspendedAt).toBeLessThan(server.db.timings.tasks.leaseMs + 3000)
  // The position of the child may be older than the first edit.
  expect(changes).toMatchObject({ 2: { posts: expect.arrayContaining([16]) } })
  expect(feed.take()).toEqual({})
  const { owner } = (await state()) ?? {}
  child.process.kill('SIGCONT')
  // It finds that it has lost the feed, and leaves it alone.
  await server.row('SELECT SLEEP(2)')
  expect(await state()).toMatchObject({ owner, isHealthy: true })
  await child.kill()
  await feed.stop()
})

function startChild() {
  const module = resolve(import.meta.dirname, 'follow-in-child.ts')
  const args = ['--import=tsx', module, server.url, server.feedUrl]
  const child: ChildProcess = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (!child.stdout) throw new Error('no output')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    process: child,
    /** Resolves when it reports changes. */
    report: async () => expect((await lines.next()).value).toBe('report'),
    kill: async () => {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}

it('the feed reports itself in the metrics', async () => {
  const metrics = new Metrics(FAST.health)
  const { port, close } = await listen(metrics.listener())
  const samples = async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    return Object.fromEntries(
      [...text.matchAll(/^wp_frames_feed_(\w+) (\S+)$/gm)].map(([, name, value]) => [name, value]),
    )
  }
  const feed = await startFeed(server, { metrics })
  await feed.changesOf("UPDATE wp_2_posts SET post_title = 'counted' WHERE ID = 10")
  expect(await samples()).toEqual({
    up: '1',
    lag_seconds: expect.stringMatching(/^0(\.\d+)?$/),
    // The post, and the markers.
    events_total: '3',
    reconnects_total: '0',
    resnapshots_total: '1',
  })
  const { id } = await server.row<{ id: number }>(
    "SELECT id AS id FROM information_schema.processlist WHERE command LIKE 'Binlog Dump%'",
  )
  await server.run(`KILL ${id}`)
  await eventually(async () => expect(await samples()).toMatchObject({ reconnects_total: '1' }))
  await feed.stop()
  expect(await samples()).toMatchObject({ up: '0' })
  await close()
})
