import { expect, it } from 'vitest'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { workOn } from '../../src/work/work.ts'
import { listen } from '../support/listen.ts'
import { createTestExecutor } from '../support/local-executor.ts'
import { openTestDatabase } from '../support/open-database.ts'
import { FAST } from '../support/timings.ts'
import { use } from '../support/use.ts'
import { createExecutorFixture } from './executor-fixture.ts'

const built = await use(createExecutorFixture())

const log = createLog('silent')

async function bakesOf(metrics: Metrics, outcome: string): Promise<string | undefined> {
  const { port, close } = await listen(metrics.listener())
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  await close()
  return new RegExp(`^wp_frames_bakes_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(page)?.[1]
}

it('the metric counts a build that could not start as failed, with or without a frame', async () => {
  const metrics = new Metrics(FAST.health)
  const db = openTestDatabase({ url: 'mysql://nobody@127.0.0.1:9/none', poolSize: 1, log })
  const executor = createTestExecutor({ db, globals: built.network.globals, log, metrics })
  const change = { bake: true, work: [], version: 1 }
  await executor.apply(built.site, change)
  expect(await bakesOf(metrics, 'failed')).toBe('1')
  await executor.apply(built.site, { ...change, frame: '0123456789abcdef' })
  expect(await bakesOf(metrics, 'failed')).toBe('2')
  await executor.close()
  await db.close()
})

it('the metric counts the bakes of a change for which no client waits', async () => {
  const { network, site, frame } = built
  await frame('inner', 'x')
  await frame('outer', '<!-- svc/frame {"name":"inner"} /-->', { bake: false })
  const metrics = new Metrics(FAST.health)
  const executor = createTestExecutor({ ...network, log, metrics, budget: () => 0 })
  const id = await built.idOf('outer')
  await executor.apply(site, { bake: true, work: workOn('frame', [id]) })
  await executor.finish(site.blogId)
  expect(await bakesOf(metrics, 'baked')).toBe('1')
  await executor.close()
})
