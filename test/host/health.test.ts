import { afterEach, expect, it } from 'vitest'
import { answerProbes } from '../../src/host/health.ts'
import { Metrics } from '../../src/host/metrics.ts'
import { type Listening, listen } from '../support/listen.ts'
import { FAST } from '../support/timings.ts'

let server: Listening
afterEach(() => server.close())

it('the health server answers 503 if the probe fails', async () => {
  const probe = { read: () => Promise.reject(new Error('no')) }
  const answer = answerProbes(probe, { byAddressOnly: false })
  server = await listen((request, response) => void answer(request, response))
  const { status } = await fetch(`http://127.0.0.1:${server.port}/readyz`)
  expect(status).toBe(503)
})

it('the health server answers 500 if the metrics fail', async () => {
  const metrics = new Metrics(FAST.health)
  const read = (): number => {
    throw new Error('no')
  }
  metrics.gauges(read, { unreadable_sites: (count) => count })
  server = await listen(metrics.listener())
  const { status } = await fetch(`http://127.0.0.1:${server.port}/metrics`)
  expect(status).toBe(500)
})
