import { afterAll, expect, it } from 'vitest'
import { issueTokenFor } from '../../../support/api.ts'
import { useNetwork } from '../../../support/network.ts'
import { type ServeProcesses, startServeProcesses } from '../../../support/serve-processes.ts'
import { use } from '../../../support/use.ts'
import { Balancer } from '../../../torture/support/balancer.ts'

const [OLD, NEW] = ['the old key '.repeat(4), 'the new key '.repeat(4)]
const network = await useNetwork()
const executors = await use(Balancer.start())
const apis = await use(Balancer.start())
const token = await issueTokenFor(network, 'alice')
const running: Record<'executor' | 'api', ServeProcesses | undefined> = {
  executor: undefined,
  api: undefined,
}
afterAll(() => Promise.all(Object.values(running).map((processes) => processes?.stop())))

/** Starts a process with these keys, and stops the one before when it is ready, as a rolling restart does. */
async function replace(role: 'executor' | 'api', keys: Record<string, string>): Promise<void> {
  const env = {
    TABLE_PREFIX: network.globals.basePrefix,
    EFFECTS_BUDGET_MS: '20000',
    // The balancer sees that it stops before it refuses connections.
    DRAIN_SECONDS: '1',
  }
  const url: Record<string, string> = role === 'api' ? { EXECUTOR_URL: executors.url } : {}
  const started = await startServeProcesses(1, network.url, { ...env, ...url, ...keys }, role)
  const balancer = role === 'api' ? apis : executors
  const before = running[role]
  running[role] = started
  balancer.add(...started.urls)
  for (const one of started.urls) await balancer.until(one, true)
  await before?.stop()
}

/** Sends a request to the API, on a connection of its own, as from a client whose requests a balancer distributes. */
const send = (method: string, path: string, body: object) =>
  fetch(`${apis.url}/site/2/frames${path}`, {
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
  const answers = new Map<string, number>()
  let isEnded = false
  const writing = (async () => {
    for (let at = 1; !isEnded; at += 1) {
      const response = await send('PUT', '/rotated', { html: `<p>${at}</p>` })
      const { bake } = (await response.json()) as { bake?: { status: string } }
      const outcome = `${response.status} ${bake?.status}`
      answers.set(outcome, (answers.get(outcome) ?? 0) + 1)
    }
    return answers
  })()
  return {
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
  await replace('executor', { EXECUTOR_KEY: OLD, EXECUTOR_SECOND_KEY: NEW })
  await replace('api', { EXECUTOR_KEY: NEW })
  await replace('executor', { EXECUTOR_KEY: NEW })
  const answers = await writer.end()
  expect([...answers.keys()]).toEqual(['200 ok'])
  expect(answers.get('200 ok')).toBeGreaterThan(3)
}, 400_000)
