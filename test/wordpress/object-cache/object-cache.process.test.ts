import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { migrate } from '../../../src/db/migrate.ts'
import { parseConfig } from '../../../src/host/config/config.ts'
import { createLog } from '../../../src/host/log.ts'
import { openServices } from '../../../src/services.ts'
import { MAX_STALE_KEYS, ObjectCache } from '../../../src/wordpress/object-cache/object-cache.ts'
import {
  staleKeysTable,
  storeStaleKeys,
} from '../../../src/wordpress/object-cache/stale-keys-table.ts'
import { emptyDatabase } from '../../support/database.ts'
import { describeWith } from '../../support/describe-with.ts'
import { eventually } from '../../support/eventually.ts'
import { useNetwork } from '../../support/network.ts'
import { openTestDatabase, type SqlDatabase } from '../../support/open-database.ts'
import { startRedis } from '../../support/redis.ts'
import { FAST, type TimingChanges } from '../../support/timings.ts'
import { use } from '../../support/use.ts'

const silent = createLog('silent')
const TABLE = staleKeysTable('wp_')

/** A process of the service with its connections and its object cache. */
type Process = {
  readonly db: SqlDatabase
  readonly cache: ObjectCache
  /** A write that makes these keys stale. */
  forget(...keys: string[]): Promise<void>
}

describeWith('redis', 'the object cache', async () => {
  const redis = await use(startRedis())
  const wordpress = new Redis(redis.url, { retryStrategy: () => 50 })
  wordpress.on('error', () => {})
  afterAll(() => wordpress.disconnect())
  const database = await use(emptyDatabase())
  const db = await use(openTestDatabase({ url: database.url, poolSize: 2, log: silent }))
  await migrate(db, 'wp_')
  beforeEach(() => db.sql(TABLE).delete())

  const opened: Process[] = []
  afterEach(async () => {
    for (const one of opened.splice(0)) {
      await one.cache.close()
      await one.db.close()
    }
  })
  const open = (log: object = {}, timings: TimingChanges['objectCache'] = {}): Process => {
    const own: SqlDatabase = openTestDatabase({
      url: database.url,
      poolSize: 2,
      log: silent,
      timings: { objectCache: { secondPassMs: 100, retryMs: 200, ...timings } },
      onInvalidate: (tx, keys) => cache.invalidate(tx, keys),
    })
    const cache = new ObjectCache({
      url: redis.url,
      prefix: 'wp:',
      form: 'redis-object-cache',
      tablePrefix: 'wp_',
      log: { ...silent, ...log },
      db: own,
    })
    const forget: Process['forget'] = (...keys) => own.write({}, async (tx) => tx.invalidate(keys))
    const one = { db: own, cache, forget }
    opened.push(one)
    return one
  }
  /** With a second pass that leaves time for assertions before it. */
  const openSlow = () => open({}, { secondPassMs: 1000 })
  const stored = () => db.sql(TABLE).select('cache_keys').pluck('cache_keys')
  const nothingStored = () => eventually(async () => expect(await stored()).toEqual([]))

  it('deletes the keys of a write in one transaction, and no others', async () => {
    await wordpress.mset('wp:2:options:a', '1', 'wp:2:options:b', '1', 'other', '1')
    const monitor = await wordpress.monitor()
    const commands: string[][] = []
    monitor.on('monitor', (_time: string, command: string[]) => commands.push(command))
    await open().forget('2:options:a', '2:options:b', '2:options:missing')
    await eventually(() => expect(commands.map(([name]) => name?.toLowerCase())).toContain('exec'))
    monitor.disconnect()
    expect(await wordpress.keys('*')).toEqual(['other'])
    const names = commands.map(([name]) => name)
    expect(commands.slice(names.indexOf('multi'), names.indexOf('exec') + 1)).toEqual([
      ['multi'],
      ['unlink', 'wp:2:options:a', 'wp:2:options:b', 'wp:2:options:missing'],
      ['exec'],
    ])
  })

  it('deletes them a second time, after a request that read the old row has cached it again', async () => {
    await openSlow().forget('2:posts:5')
    expect(await stored()).toEqual(['["2:posts:5"]'])
    await wordpress.set('wp:2:posts:5', 'the row before the commit')
    await eventually(async () => expect(await wordpress.exists('wp:2:posts:5')).toBe(0))
    await nothingStored()
  })

  it('deletes them a second time before the process ends', async () => {
    const { cache, forget } = openSlow()
    await forget('2:posts:6')
    await wordpress.set('wp:2:posts:6', 'the row before the commit')
    await cache.close()
    expect(await wordpress.exists('wp:2:posts:6')).toBe(0)
    expect(await stored()).toEqual([])
  })

  it('deletes more keys than fit into a command or a row', async () => {
    const ids = Array.from({ length: 12_500 }, (_, id) => id)
    await wordpress.mset(ids.flatMap((id) => [`wp:3:posts:${id}`, '1']))
    await openSlow().forget(...ids.map((id) => `3:posts:${id}`))
    expect(await wordpress.keys('wp:3:*')).toEqual([])
    expect(await stored()).toHaveLength(2)
    await nothingStored()
  })

  it('stores no keys of a write that was rolled back', async () => {
    const { db, cache } = open()
    const failing = db.write({}, async (tx) => {
      await cache.invalidate(tx, new Set(['2:posts:7']))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await stored()).toEqual([])
  })

  it('does not delay writes while it is unreachable, logs that once, and deletes the keys afterwards', async () => {
    const [error, info] = [vi.fn(), vi.fn()]
    const { forget } = open({ error, info })
    await redis.kill()
    await forget('2:options:while-away')
    await forget('2:options:still-away')
    expect(error).toHaveBeenCalledOnce()
    await redis.restart()
    await wordpress.mset('wp:2:options:while-away', '1', 'wp:2:options:still-away', '1')
    await eventually(async () => expect(await wordpress.keys('wp:2:options:*')).toEqual([]))
    // The process logs the recovery after the cache has deleted the keys.
    await eventually(() => expect(info).toHaveBeenCalledOnce())
    await nothingStored()
  })

  it('deletes the keys of a process that ended while it was unreachable', async () => {
    const ended = open()
    await redis.kill()
    await ended.forget('2:options:before-restart')
    await ended.cache.close()
    await redis.restart()
    await wordpress.set('wp:2:options:before-restart', '1')
    open().cache.start()
    await eventually(async () => expect(await wordpress.keys('wp:2:options:*')).toEqual([]))
    await nothingStored()
  })

  it('deletes the keys of a process that was killed between the commit and the deletion', async () => {
    await db.write({}, (tx) => storeStaleKeys(tx, TABLE, ['2:options:killed']))
    await wordpress.set('wp:2:options:killed', '1')
    const processes = [openSlow(), openSlow()]
    for (const { cache } of processes) cache.start()
    await eventually(async () => expect(await wordpress.keys('wp:2:options:*')).toEqual([]))
    await wordpress.set('wp:2:options:killed', 'the row before the commit')
    await eventually(async () => expect(await wordpress.keys('wp:2:options:*')).toEqual([]))
    await nothingStored()
  })

  it('deletes the keys that a killed process has left, when a service starts', async () => {
    const { url, globals, db } = await useNetwork()
    const left = staleKeysTable(globals.basePrefix)
    await db.write({}, (tx) => storeStaleKeys(tx, left, ['2:options:notoptions']))
    await wordpress.mset('2:options:notoptions', 'old', '3:options:notoptions', 'true')
    const settings = { STATIC_DIR: '', PORT: '0', FRONT_PORT: '0', LOG_LEVEL: 'silent' }
    const names = { DATABASE_URL: url, TABLE_PREFIX: globals.basePrefix }
    const config = parseConfig({ ...settings, ...names, OBJECT_CACHE_URL: redis.url })
    const services = await use(openServices(config, { timings: FAST }))
    await use(services.listen({ api: true, front: false, executor: false }))
    await eventually(async () =>
      expect(await wordpress.keys('[23]:options:*')).toEqual(['3:options:notoptions']),
    )
  })

  it('delays only the first write while it does not reply', async () => {
    const { forget } = openSlow()
    await redis.freeze()
    const began = performance.now()
    for (let write = 0; write < 30; write += 1) await forget(`2:posts:${write}`)
    // Each would wait for a second.
    expect(performance.now() - began).toBeLessThan(15_000)
    expect(await stored()).toHaveLength(30)
    await redis.kill()
    await redis.restart()
    await nothingStored()
  })

  it('limits the stored keys while it is unreachable, and logs that a flush is needed', async () => {
    await redis.kill()
    await db.write({}, async (tx) => {
      for (const blogId of [2, 3])
        await storeStaleKeys(
          tx,
          TABLE,
          Array.from({ length: MAX_STALE_KEYS / 2 + 1 }, (_, id) => `${blogId}:posts:${id}`),
        )
      await storeStaleKeys(tx, TABLE, [':site-options:1:notoptions'])
    })
    const error = vi.fn()
    open({ error }).cache.start()
    await eventually(async () => expect(await stored()).toHaveLength(1))
    expect(JSON.parse((await stored())[0])).toEqual([
      ':site-options:1:notoptions',
      ...[2, 3].flatMap((blogId) => [
        `${blogId}:options:alloptions`,
        `${blogId}:options:notoptions`,
        `${blogId}:posts:last_changed`,
        `${blogId}:terms:last_changed`,
      ]),
    ])
    expect(error).toHaveBeenCalledWith({ sites: [2, 3] }, expect.stringContaining('wp cache flush'))
    await redis.restart()
    await nothingStored()
  })
})
