import { afterAll, expect, it } from 'vitest'
import { parseConfig } from '../../../../src/host/config/config.ts'
import { openServices } from '../../../../src/services.ts'
import { issueTokenFor } from '../../../support/api.ts'
import { eventually } from '../../../support/eventually.ts'
import { useNetwork } from '../../../support/network.ts'
import { batchSetting } from '../../../support/open-database.ts'
import { FAST } from '../../../support/timings.ts'
import { use } from '../../../support/use.ts'
import { Balancer } from '../../../torture/support/balancer.ts'

type Role = 'executor' | 'api'

const [OLD, NEW] = ['the old key '.repeat(4), 'the new key '.repeat(4)]
const network = await useNetwork()
const balancers = { executor: await use(Balancer.start()), api: await use(Balancer.start()) }
const token = await issueTokenFor(network, 'alice')
const stops: Partial<Record<Role, () => Promise<void>>> = {}
afterAll(() => Promise.all(Object.values(stops).map((stop) => stop())))

/** Starts a service with these keys, and stops the one before when it is ready, as a rolling restart does. */
async function replace(role: Role, keys: Record<string, string>): Promise<void> {
  const services = await openServices(
    parseConfig({
      ...batchSetting,
      DATABASE_URL: network.url,
      TABLE_PREFIX: network.globals.basePrefix,
      PORT: '0',
      STATIC_DIR: '',
      LOG_LEVEL: 'silent',
      RATE_LIMIT_PER_MINUTE: '0',
      EFFECTS_BUDGET_MS: '20000',
      // The balancer sees that it stops before it refuses connections.
      DRAIN_SECONDS: '1',
      ...(role === 'api' ? { EXECUTOR_URL: balancers.executor.url } : {}),
      ...keys,
    }),
    { isServer: true, timings: FAST },
  )
  const roles = { api: role === 'api', front: false, executor: role === 'executor' }
  const listening = await services.listen(roles)
  const url = String(listening.apiUrl ?? listening.executorUrl)
  const stopBefore = stops[role]
  stops[role] = async () => {
    await listening.close()
    await services.close()
  }
  balancers[role].add(url)
  await balancers[role].until(url, true)
  await stopBefore?.()
}

/** Sends a request to the API, on a connection of its own, as from a client whose requests a balancer distributes. */
const send = (method: string, path: string, body: object) =>
  fetch(`${balancers.api.url}/site/2/frames${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Connection: 'close',
    },
    body: JSON.stringify(body),
  })

/** Writes a frame that a page shows until it is ended. The executor builds it each time. */
function startWriting() {
  const answers: string[] = []
  let isEnded = false
  const writing = (async () => {
    for (let at = 1; !isEnded; at += 1) {
      const response = await send('PUT', '/rotated', { html: `<p>${at}</p>` })
      const { bake } = (await response.json()) as { bake?: { status: string } }
      answers.push(`${response.status} ${bake?.status}`)
    }
    return new Set(answers)
  })()
  return {
    /** Resolves when a write was answered that has begun after the call. */
    again: async () => {
      const before = answers.length
      await eventually(() => expect(answers.length).toBeGreaterThan(before + 1))
    },
    end: () => {
      isEnded = true
      return writing
    },
  }
}

it('the key is replaced without a failed request, first the one that executors accept, then the one that signs', async () => {
  await replace('executor', { EXECUTOR_KEY: OLD })
  await replace('api', { EXECUTOR_KEY: OLD })
  await send('POST', '', { slug: 'rotated', html: '<p>0</p>' })
  expect((await send('POST', '/rotated/assign', { page: 7 })).status).toBe(200)
  const writer = startWriting()
  for (const [role, keys] of [
    ['executor', { EXECUTOR_KEY: OLD, EXECUTOR_SECOND_KEY: NEW }],
    ['api', { EXECUTOR_KEY: NEW }],
    ['executor', { EXECUTOR_KEY: NEW }],
  ] as const) {
    await replace(role, keys)
    await writer.again()
  }
  expect([...(await writer.end())]).toEqual(['200 ok'])
}, 180_000)
