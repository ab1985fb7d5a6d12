import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChangeFeedOptions } from '../../../src/changes/feed/change-feed.ts'
import { readFeedServer } from '../../../src/changes/feed/feed-server.ts'
import {
  FEED,
  isFeedHealthy,
  parseFeed,
  readFeedState,
  type StoredFeed,
} from '../../../src/changes/feed/feed-state.ts'
import { newOwner } from '../../../src/db/lease.ts'
import { releaseTask, renewTask, takeTask } from '../../../src/db/tasks/tasks-table.ts'
import { Metrics } from '../../../src/host/metrics.ts'
import { eventually } from '../../support/eventually.ts'
import { listen } from '../../support/listen.ts'
import { startRelay } from '../../support/relay.ts'
import { sqlOf } from '../../support/statements.ts'
import { taskRow } from '../../support/tasks.ts'
import { FAST, timed } from '../../support/timings.ts'
import { use } from '../../support/use.ts'
import { createFeed, startFeed, startFeedServer, type TestFeed } from './feed-fixture.ts'

const server = await use(startFeedServer())
// Without a position, everything is compared.
await (await startFeed(server)).stop()

const launched: TestFeed[] = []
afterEach(async () => {
  for (const feed of launched.splice(0)) await feed.stop()
})

/** Starts a feed, and stops it after the test. */
function launch(options: Partial<ChangeFeedOptions> = {}): TestFeed {
  const feed = createFeed(server, options)
  launched.push(feed)
  feed.start()
  return feed
}

async function launchAndWait(options: Partial<ChangeFeedOptions> = {}): Promise<TestFeed> {
  const feed = await startFeed(server, options)
  launched.push(feed)
  return feed
}

let titles = 0
const editPost = (id: number) => {
  titles += 1
  return server.run(`UPDATE wp_2_posts SET post_title = 'title ${titles}' WHERE ID = ${id}`)
}
const state = async () => (await readFeedState(server.db, server.globals)) ?? expect.fail('no row')
const stored = async () => parseFeed((await taskRow(server, FEED).first('state')).state)
const positionNow = async () => (await readFeedServer(server.db)).position

/** The connection that receives the binlog. */
const streamId = async (): Promise<number> => {
  const { id } = await server.row<{ id: number }>(
    "SELECT id AS id FROM information_schema.processlist WHERE command LIKE 'Binlog Dump%' ORDER BY id DESC LIMIT 1",
  )
  return id
}

describe('a change feed', () => {
  it('reports what was changed while no process followed it', async () => {
    await editPost(10)
    expect(await launch().changesOf(() => editPost(16))).toEqual({ 2: { posts: [10, 16] } })
  })

  it('reports what was changed after its connection was lost', async () => {
    const feed = await launchAndWait()
    await server.run(`KILL ${await streamId()}`)
    await editPost(10)
    expect(await feed.changesOf(() => editPost(16))).toEqual({ 2: { posts: [10, 16] } })
    expect((await state()).error?.message).toMatch(/connection|killed/i)
  })

  it('notices a connection that is silent', async () => {
    const relay = await startRelay(server.feedUrl)
    const feed = await launchAndWait({
      feedUrl: relay.url,
      db: timed(server.db, { feed: { silenceMs: 500 } }),
    })
    relay.block()
    await editPost(10)
    await eventually(async () => expect(await isFeedHealthy(server.db, server.globals)).toBe(false))
    expect(feed.take()).toEqual({})
    relay.unblock()
    expect(await feed.changesOf(() => editPost(16))).toEqual({ 2: { posts: [10, 16] } })
    await feed.stop()
    await relay.stop()
  })

  it('keeps a connection on which nothing happens', async () => {
    // On a busy machine a heartbeat comes late.
    const feed = await launchAndWait({ db: timed(server.db, { feed: { silenceMs: 1000 } }) })
    const before = await state()
    const id = await streamId()
    await server.row('SELECT SLEEP(1.5)')
    expect(await feed.changesOf(() => editPost(10))).toEqual({ 2: { posts: [10] } })
    expect(await state()).toMatchObject({ owner: before.owner })
    expect(await streamId()).toBe(id)
  })

  it('continues after a table was altered or dropped before its events are read', async () => {
    await server.run(
      `CREATE TABLE wp_50_options LIKE wp_options;
      INSERT INTO wp_50_options (option_name, option_value) VALUES ('a', '');
      CREATE TABLE wp_51_options LIKE wp_options;
      INSERT INTO wp_51_options (option_name, option_value) VALUES ('a', '');
      DROP TABLE wp_50_options;
      ALTER TABLE wp_51_options ADD COLUMN more int FIRST`,
    )
    expect(await launch().changesOf(() => editPost(10))).toEqual({
      1: { options: 'all' },
      2: { posts: [10] },
      50: { options: 'all' },
      51: { options: 'all' },
    })
  })

  it('reports everything once if its position was purged', async () => {
    await editPost(10)
    await purgeLogs()
    const feed = launch()
    expect(await feed.changesOf('SELECT 1')).toBe('everything')
    expect(await feed.changesOf(() => editPost(16))).toEqual({ 2: { posts: [16] } })
  })

  async function purgeLogs(): Promise<void> {
    await server.run('FLUSH BINARY LOGS; FLUSH BINARY LOGS')
    const logs = async (): Promise<{ Log_name: string }[]> =>
      (await sqlOf(server.db).raw('SHOW BINARY LOGS'))[0]
    const last = (await logs()).at(-1)?.Log_name
    await eventually(async () => {
      await server.run(`PURGE BINARY LOGS TO '${last}'`)
      expect((await logs())[0]?.Log_name).toBe(last)
    })
  }

  /** A position after these transactions of a server: the own one, or another one. */
  async function positionOf(whose: 'own' | 'other', sequence: number): Promise<object> {
    // A position of MySQL lists all servers. Without the own one, the stream begins with the oldest log that is left.
    await purgeLogs()
    const { identity } = await readFeedServer(server.db)
    const own = identity.split(' ').at(-1)
    if (server.isMariaDb) return { position: `0-${whose === 'own' ? own : 77}-${sequence}` }
    const uuid = whose === 'own' ? own : '3e11fa47-71ca-11e1-9e33-c80aa9429562'
    return { position: `${uuid}:1-${sequence}` }
  }

  it.each<[string, () => object | Promise<object>]>([
    ['is ahead of the server', () => positionOf('own', 999_999_999)],
    ['has another server in it', () => positionOf('other', 1)],
    ['belongs to another server', () => ({ server: 'elsewhere 3306 1' })],
    ['is unreadable', () => ({ position: 'nonsense' })],
    ['is missing', () => ({ position: undefined })],
  ])('reports everything once if its position %s', async (_, columns) => {
    const changed = { ...(await stored()), ...(await columns()) }
    await taskRow(server, FEED).update({ state: JSON.stringify(changed) })
    const feed = launch()
    expect(await feed.changesOf('SELECT 1')).toBe('everything')
    expect(await feed.changesOf(() => editPost(16))).toEqual({ 2: { posts: [16] } })
    expect((await stored()).server).toBe((await readFeedServer(server.db)).identity)
  })

  it('reports again what was not recorded, and does not move its position before', async () => {
    let failures = 0
    const feed = await launchAndWait({
      onChanges: async ({ sites }) => {
        if (failures === 2 || !sites.has(2)) return
        failures += 1
        throw new Error('not now')
      },
    })
    const before = await positionNow()
    expect(await feed.changesOf(() => editPost(10))).toEqual({ 2: { posts: [10] } })
    expect(failures).toBe(2)
    await feed.stop()
    expect(sequence((await stored()).position)).toBeGreaterThan(sequence(before))

    const failing = createFeed(server, { onChanges: () => Promise.reject(new Error('never')) })
    failing.start()
    await eventually(async () => expect((await state()).owner).not.toBeNull())
    await editPost(16)
    await eventually(async () => expect((await state()).lagMs).toBeGreaterThan(500))
    await failing.stop()
    expect(await launch().changesOf(() => editPost(22))).toEqual({ 2: { posts: [16, 22] } })
  })

  const sequence = (position = ''): number => Number(position.split('-').at(-1))

  it('stores its position when it stops', async () => {
    const feed = await launchAndWait()
    await feed.changesOf(() => editPost(10))
    await feed.stop()
    expect(await state()).toMatchObject({ owner: null, isHealthy: false })
    expect(await launch().changesOf(() => editPost(16))).toEqual({ 2: { posts: [16] } })
  })

  it('leaves the work to the poll while binlog_format is not ROW, and compares everything afterwards', async () => {
    const feed = await launchAndWait({ db: timed(server.db, { feed: { permanentPauseMs: 200 } }) })
    await server.run('SET GLOBAL binlog_format = MIXED')
    await editPost(10)
    await eventually(async () =>
      expect((await state()).error?.message).toMatch(/binlog_format=MIXED.*SET GLOBAL/),
    )
    expect(await isFeedHealthy(server.db, server.globals)).toBe(false)
    await editPost(10)
    await server.run("SET GLOBAL binlog_format = 'ROW'")
    expect(await feed.changesOf('SELECT 1')).toBe('everything')
    expect(await feed.changesOf(() => editPost(16))).toEqual({ 2: { posts: [16] } })
  })
})

describe('a feed that cannot work', () => {
  const wrongPassword = () => Object.assign(new URL(server.feedUrl), { password: 'wrong' }).href

  it.each<[string, () => string | Promise<string>, RegExp]>([
    ['a wrong password', wrongPassword, /denied access.*Check its password/],
    ['no privilege', accountWithoutPrivilege, /denied access.*grant it REPLICATION SLAVE/],
  ])('reports %s', async (_, url, message) => {
    const feed = createFeed(server, { feedUrl: await url() })
    feed.start()
    await eventually(async () => expect((await state()).error?.message).toMatch(message))
    expect(await isFeedHealthy(server.db, server.globals)).toBe(false)
    await feed.stop()
  })

  async function accountWithoutPrivilege(): Promise<string> {
    await server.run("CREATE USER nobody@'127.0.0.1' IDENTIFIED BY 'pw'")
    return Object.assign(new URL(server.feedUrl), { username: 'nobody', password: 'pw' }).href
  }
})

describe('a feed and its owner', () => {
  beforeEach(async () => void (await row().delete()))

  const row = () => taskRow(server, FEED)
  const current = () => readFeedState(server.db, server.globals)
  const lease = (owner: string) => ({ name: FEED, owner, leaseMs: 3000 })
  const take = (owner: string) => takeTask(server.db, server.globals, lease(owner))
  const renew = (owner: string, stored: StoredFeed = {}) => {
    const state = JSON.stringify({ beat: `${owner}-1:1`, ...stored })
    return renewTask(server.db, server.globals, lease(owner), { state })
  }
  const endLease = () => row().update({ due_at: sqlOf(server.db).raw('NOW(6)') })

  it('the state of the feed names its owner while the lease lasts, and the error with which it was released', async () => {
    expect(await current()).toBeUndefined()
    const owner = newOwner()
    await take(owner)
    expect((await current())?.owner).toBe(owner)
    // It has ended, or the clock of the database was set back.
    for (const dueAt of ['NOW(6)', 'NOW(6) + INTERVAL 1 HOUR']) {
      await row().update({ due_at: sqlOf(server.db).raw(dueAt) })
      expect((await current())?.owner).toBeNull()
    }
    const failedAt = new Date().toISOString()
    const end = { dueInMs: 60_000, error: 'why', state: JSON.stringify({ failedAt }) }
    await releaseTask(server.db, server.globals, lease(owner), end)
    expect(await current()).toMatchObject({ owner: null, error: { message: 'why', secondsAgo: 0 } })
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
    const { owner } = (await current()) ?? {}
    child.process.kill('SIGCONT')
    // It finds that it has lost the feed, and leaves it alone.
    await server.row('SELECT SLEEP(2)')
    expect(await current()).toMatchObject({ owner, isHealthy: true })
    await child.kill()
    await feed.stop()
  })

  it('the feed reports itself in the metrics', async () => {
    const metrics = new Metrics(FAST.health)
    const { port, close } = await listen(metrics.listener())
    const samples = async () => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      return Object.fromEntries(
        [...text.matchAll(/^wp_frames_feed_(\w+) (\S+)$/gm)].map(([, name, value]) => [
          name,
          value,
        ]),
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
    await server.run(`KILL ${await streamId()}`)
    await eventually(async () => expect(await samples()).toMatchObject({ reconnects_total: '1' }))
    await feed.stop()
    expect(await samples()).toMatchObject({ up: '0' })
    await close()
  })
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
