import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { listen } from '../support/listen.ts'
import { createTestExecutor } from '../support/local-executor.ts'
import { createExecutorFixture, type ExecutorFixture } from './executor-fixture.ts'

let built: ExecutorFixture
beforeAll(async () => {
  built = await createExecutorFixture()
})
afterAll(() => built.stop())

const log = createLog('silent')

async function failuresOf(metrics: Metrics): Promise<string | undefined> {
  const { port, close } = await listen(metrics.listener())
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  await close()
  return /^wp_frames_bakes_total\{outcome="failed"\} (\d+)$/m.exec(page)?.[1]
}

it('counts a build that could not start as failed, with or without a frame', async () => {
  const metrics = new Metrics()
  const db = openDatabase({ url: 'mysql://nobody@127.0.0.1:9/none', poolSize: 1, log })
  const executor = createTestExecutor({ db, globals: built.network.globals, log, metrics })
  const change = { bake: true, touched: [], pages: [], version: 1 }
  await executor.apply(built.site, change)
  expect(await failuresOf(metrics)).toBe('1')
  await executor.apply(built.site, { ...change, frame: '0123456789abcdef' })
  expect(await failuresOf(metrics)).toBe('2')
  await executor.close()
  await db.close()
})
