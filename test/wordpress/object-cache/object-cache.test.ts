import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createLog } from '../../../src/log.ts'
import { ObjectCache } from '../../../src/wordpress/object-cache/object-cache.ts'
import { eventually } from '../../support/eventually.ts'
import { findRedisProgram, startRedis, type TestRedis } from '../../support/redis.ts'

const found = await findRedisProgram()
const why = 'missing' in found ? ` (${found.missing})` : ''
const silent = createLog('silent')

describe.skipIf('missing' in found)(`the object cache${why}`, () => {
  let redis: TestRedis
  let wordpress: Redis
  beforeAll(async () => {
    if ('path' in found) redis = await startRedis(found.path)
    wordpress = new Redis(redis.url, { retryStrategy: () => 50 })
    wordpress.on('error', () => {})
  })
  afterAll(async () => {
    wordpress?.disconnect()
    await redis?.stop()
  })

  const opened: ObjectCache[] = []
  afterEach(() => Promise.all(opened.splice(0).map((cache) => cache.close())))
  const open = (log: object = {}): ObjectCache => {
    const options = { url: redis.url, prefix: 'wp:', form: 'redis-object-cache' } as const
    const cache = new ObjectCache({ ...options, log: { ...silent, ...log } })
    opened.push(cache)
    return cache
  }

  it('loses the keys of a call in one transaction, and no others', async () => {
    await wordpress.mset('wp:2:options:a', '1', 'wp:2:options:b', '1', 'other', '1')
    const monitor = await wordpress.monitor()
    const commands: string[][] = []
    monitor.on('monitor', (_time: string, command: string[]) => commands.push(command))
    await open().forget(new Set(['2:options:a', '2:options:b', '2:options:missing']))
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

  it('loses them again a little later, when a request that read the old row has put it back', async () => {
    await open().forget(new Set(['2:posts:5']))
    await wordpress.set('wp:2:posts:5', 'the row before the commit')
    await eventually(async () => expect(await wordpress.exists('wp:2:posts:5')).toBe(0))
  })

  it('loses them a second time before the program ends', async () => {
    const cache = open()
    await cache.forget(new Set(['2:posts:6']))
    await wordpress.set('wp:2:posts:6', 'the row before the commit')
    await cache.close()
    expect(await wordpress.exists('wp:2:posts:6')).toBe(0)
  })

  it('loses more keys than a command takes', async () => {
    const ids = Array.from({ length: 2500 }, (_, id) => id)
    await wordpress.mset(ids.flatMap((id) => [`wp:3:posts:${id}`, '1']))
    await open().forget(new Set(ids.map((id) => `3:posts:${id}`)))
    expect(await wordpress.keys('wp:3:*')).toEqual([])
  })

  it('that is away holds up no write, says so once, and loses the keys when it is back', async () => {
    const [error, info] = [vi.fn(), vi.fn()]
    const cache = open({ error, info })
    await redis.kill()
    await cache.forget(new Set(['2:options:while-away']))
    await cache.forget(new Set(['2:options:still-away']))
    expect(error).toHaveBeenCalledOnce()
    await redis.restart()
    await wordpress.mset('wp:2:options:while-away', '1', 'wp:2:options:still-away', '1')
    await eventually(async () => expect(await wordpress.keys('wp:2:options:*')).toEqual([]))
    expect(info).toHaveBeenCalledOnce()
  })
})
