import { expect, it } from 'vitest'
import { readWorkGauges, type WorkGauges } from '../../../src/content/work/work-status.ts'
import { Metrics } from '../../../src/host/metrics.ts'
import { listen } from '../../support/listen.ts'
import { useNetwork } from '../../support/network.ts'
import { openUnreachable } from '../../support/open-database.ts'
import { FAST } from '../../support/timings.ts'
import { use } from '../../support/use.ts'

const network = await useNetwork()

const GAUGES: Parameters<typeof Metrics.prototype.gauges<WorkGauges>>[1] = {
  work_pending: ({ pending }) => pending,
  work_failing: ({ failing }) => failing,
  work_oldest_seconds: ({ oldestSeconds }) => oldestSeconds,
}

it('a scrape reads the work once, omits it while the database is unreachable or does not answer, and sends the other metrics', async () => {
  const metrics = new Metrics(FAST.health)
  const away = await use(openUnreachable())
  const reads = [
    () => readWorkGauges(network.db, network.globals),
    () => readWorkGauges(away, network.globals),
    () => new Promise<never>(() => {}),
    () => readWorkGauges(network.db, network.globals),
  ]
  metrics.gauges(() => reads.shift()?.() ?? Promise.reject(new Error('no more reads')), GAUGES)
  const { port } = await use(listen(metrics.listener()))
  const scrapes: number[] = []
  while (reads.length > 0) {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(text).toContain('process_cpu_seconds_total')
    scrapes.push(text.match(/^wp_frames_work_\w+ \d+$/gm)?.length ?? 0)
  }
  expect(scrapes).toEqual([3, 0, 0, 3])
})
