import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { issueTokenFor } from '../../support/api.ts'
import { describeWith } from '../../support/describe-with.ts'
import { eventually } from '../../support/eventually.ts'
import { cloneNetwork, type TestNetwork } from '../../support/network.ts'
import { startRedis, type TestRedis } from '../../support/redis.ts'
import { type ServeProcesses, startServeProcesses } from '../../support/serve-processes.ts'

describeWith('redis', 'a service that is restarted', () => {
  let redis: TestRedis
  let network: TestNetwork
  beforeAll(async () => {
    redis = await startRedis()
    network = await cloneNetwork()
  })
  afterAll(async () => {
    await redis?.stop()
    await network?.drop()
  })

  const serve = (): Promise<ServeProcesses> =>
    startServeProcesses(1, network.url, {
      TABLE_PREFIX: network.globals.basePrefix,
      OBJECT_CACHE_URL: redis.url,
    })

  it('deletes the keys that a killed process could not delete', async () => {
    const token = await issueTokenFor(network, 'alice')
    const before = await serve()
    await redis.kill()
    const { status } = await fetch(`${before.urls[0]}/site/2/frames`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ slug: 'written-meanwhile', html: '<p>x</p>' }),
    })
    expect(status).toBe(200)
    const ended = new Promise((done) => before.processes[0]?.once('exit', done))
    before.processes[0]?.kill('SIGKILL')
    await ended
    await redis.restart()
    const wordpress = new Redis(redis.url)
    await wordpress.mset('2:options:notoptions', 'old', '3:options:notoptions', 'true')
    const after = await serve()
    await eventually(async () =>
      expect(await wordpress.keys('*')).toEqual(['3:options:notoptions']),
    )
    await after.stop()
    wordpress.disconnect()
  })
})
