import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createLog } from '../../../src/host/log.ts'
import { connectCounterStore, RateLimits } from '../../../src/record/auth/rate-limits.ts'
import { describeWith } from '../../support/describe-with.ts'
import { eventually } from '../../support/eventually.ts'
import { startRedis, type TestRedis } from '../../support/redis.ts'
import { FAST } from '../../support/timings.ts'

const silent = createLog('silent')
const connections: Redis[] = []
afterEach(() => {
  for (const connection of connections.splice(0)) connection.disconnect()
})

type Instance = Awaited<ReturnType<typeof instance>>

/** Longer than any pause of this process, in milliseconds. */
const LONG_TIMEOUT_MS = 20_000

/** One instance of the service, with its own connection and counters. */
async function instance(url: string, redisReplyMs = LONG_TIMEOUT_MS) {
  const [warn, info] = [vi.fn(), vi.fn()]
  const redis = connectCounterStore(url, { ...silent, warn, info }, { ...FAST.auth, redisReplyMs })
  connections.push(redis)
  await eventually(() => expect(redis.status).toBe('ready'))
  return {
    limits: new RateLimits({ rateLimitPerMinute: 120, authFailuresPerMinute: 20, redis }),
    warn,
    info,
  }
}

const send = (instances: readonly Instance[], key: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, sent) =>
      instances[sent % instances.length]?.limits.countRequest(key),
    ),
  )

describeWith('redis', 'limits shared through Redis', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis?.stop())

  it('block nobody when Redis dies under load, and are shared again after it has restarted', async () => {
    const instances = await Promise.all([0, 1].map(() => instance(redis.url)))
    const load = send(instances, 'token:dies', 100)
    const [counted] = await Promise.all([load, redis.kill()])
    expect(counted.filter((one) => one?.exceeded)).toEqual([])
    const alone = await Promise.all(
      instances.map(({ limits }) => limits.countRequest('token:alone')),
    )
    expect(alone.map((one) => one?.quota.remaining)).toEqual([119, 119])
    for (const { warn } of instances) {
      await eventually(() => expect(warn).toHaveBeenCalledOnce())
    }

    await redis.restart()
    for (const { info } of instances) {
      await eventually(() => expect(info).toHaveBeenCalledOnce())
    }
    await send(instances, 'token:back', 120)
    const [over] = await send(instances, 'token:back', 1)
    expect(over?.exceeded?.code).toBe('too_many_requests')
    for (const { warn } of instances) expect(warn).toHaveBeenCalledOnce()
  })

  it('still apply per instance while Redis is unavailable', async () => {
    const one = await instance(redis.url)
    await redis.kill()
    const counted = await send([one], 'token:local', 130)
    expect(counted.filter((sent) => sent?.exceeded)).toHaveLength(10)
    for (let failed = 1; failed <= 20; failed += 1) await one.limits.countFailure('192.0.2.1')
    await expect(one.limits.assertMayAuthenticate('192.0.2.1')).rejects.toMatchObject({
      code: 'too_many_auth_failures',
    })
    await redis.restart()
  })

  it('block nobody when Redis accepts requests but does not reply', async () => {
    const one = await instance(redis.url, 500)
    await redis.freeze()
    expect((await send([one], 'token:frozen', 50)).filter((sent) => sent?.exceeded)).toEqual([])
    await eventually(() => expect(one.warn).toHaveBeenCalledOnce())
    // Redis is known to be unavailable, so the instance does not wait for it again.
    expect(connections[0]?.status).not.toBe('ready')
    await redis.kill()
    await redis.restart()
  })

  it('log one warning when Redis rejects writes', async () => {
    const one = await instance(redis.url)
    await connections[0]?.config('SET', 'maxmemory', '1')
    const counted = await send([one], 'token:full', 50)
    expect(counted.filter((sent) => sent?.exceeded)).toEqual([])
    expect(one.warn).toHaveBeenCalledOnce()
    await connections[0]?.config('SET', 'maxmemory', '0')
  })

  it('are removed from Redis after the minute', async () => {
    const one = await instance(redis.url)
    await one.limits.countRequest('token:ttl')
    await one.limits.countFailure('192.0.2.9')
    for (const key of ['svc:requests:token:ttl', 'svc:failures:192.0.2.9']) {
      const left = await connections[0]?.pttl(key)
      expect(left).toBeGreaterThan(0)
      expect(left).toBeLessThanOrEqual(60_000)
    }
  })

  it('count the requests of all instances together', async () => {
    const instances = await Promise.all([0, 1, 2].map(() => instance(redis.url)))
    const counted = await send(instances, `token:${randomUUID()}`, 150)
    expect(counted.filter((one) => one?.exceeded === undefined)).toHaveLength(120)
    expect(counted.filter((one) => one?.exceeded)).toHaveLength(30)
  })

  it('block an address on all instances', async () => {
    const [one, other] = await Promise.all([instance(redis.url), instance(redis.url)])
    const address = randomUUID()
    for (let failed = 1; failed <= 20; failed += 1) await one?.limits.countFailure(address)
    await expect(other?.limits.assertMayAuthenticate(address)).rejects.toMatchObject({
      code: 'too_many_auth_failures',
    })
  })
})
