import { expect, it } from 'vitest'
import { readWorkGauges, type WorkGauges } from '../../../src/content/work/work-status.ts'
import { Metrics } from '../../../src/host/metrics.ts'
import { listen } from '../../support/listen.ts'
import { useNetwork } from '../../support/network.ts'
import { openUnreachable } from '../../support/open-database.ts'
import { FAST } from '../../support/timings.ts'
import { putWork } from '../../support/work-rows.ts'

const network = await useNetwork()

/** The samples of the work at each of some scrapes, after `between` was called. */
async function scrape(metrics: Metrics, between: readonly (() => Promise<unknown>)[]) {
  const { port, close } = await listen(metrics.listener())
  const scrapes: string[][] = []
  for (const step of between) {
    await step()
    const response = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(text).toContain('process_cpu_seconds_total')
    scrapes.push(text.match(/^wp_frames_work_\w+ \d+$/gm) ?? [])
  }
  await close()
  return scrapes
}

const GAUGES: Parameters<typeof Metrics.prototype.gauges<WorkGauges>>[1] = {
  work_pending: ({ pending }) => pending,
  work_failing: ({ failing }) => failing,
  work_oldest_seconds: ({ oldestSeconds }) => oldestSeconds,
}

it('each scrape reads the work once', async () => {
  const metrics = new Metrics(FAST.health)
  let reads = 0
  const read = () => {
    reads += 1
    return readWorkGauges(network.db, network.globals)
  }
  metrics.gauges(read, GAUGES)
  const rows = [
    { name: '1', since: -3600 },
    { name: '2', tries: 1 },
  ]
  const scrapes = await scrape(metrics, [
    () => putWork(network, 2, rows),
    () => putWork(network, 2, []),
  ])
  expect(scrapes).toEqual([
    [
      'wp_frames_work_pending 2',
      'wp_frames_work_failing 1',
      expect.stringMatching(/^wp_frames_work_oldest_seconds 36\d\d$/),
    ],
    ['wp_frames_work_pending 0', 'wp_frames_work_failing 0', 'wp_frames_work_oldest_seconds 0'],
  ])
  expect(reads).toBe(2)
})

it('a scrape omits the work while the database is unreachable or does not answer, and sends the other metrics', async () => {
  const metrics = new Metrics(FAST.health)
  const db = openUnreachable()
  const reads = [
    () => readWorkGauges(network.db, network.globals),
    () => readWorkGauges(db, network.globals),
    () => new Promise<never>(() => {}),
    () => readWorkGauges(network.db, network.globals),
  ]
  metrics.gauges(() => reads.shift()?.() ?? Promise.reject(new Error('no more reads')), GAUGES)
  const nothing = async () => {}
  const scrapes = await scrape(metrics, [nothing, nothing, nothing, nothing])
  expect(scrapes.map((samples) => samples.length)).toEqual([3, 0, 0, 3])
  await db.close()
})
