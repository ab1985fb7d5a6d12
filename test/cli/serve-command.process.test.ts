import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { readSiteGraph } from '../../src/content/frames/read-graph.ts'
import { lockRegistry } from '../../src/content/frames/registry.ts'
import { issueTokenFor } from '../support/api.ts'
import { commandsOn, runCommand } from '../support/cli.ts'
import { answerOnTerminal } from '../support/cli-process.ts'
import { eventually } from '../support/eventually.ts'
import { listen } from '../support/listen.ts'
import { useNetwork } from '../support/network.ts'
import { type ServeProcesses, startServeProcesses } from '../support/serve-processes.ts'
import { use, useFolder } from '../support/use.ts'

const network = await useNetwork()
const token = await issueTokenFor(network, 'alice')

let service: ServeProcesses
const agents: Agent[] = []
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.destroy()
  await service?.stop()
})

const start = async (env: Record<string, string> = {}): Promise<string> => {
  const common = { TABLE_PREFIX: network.globals.basePrefix }
  service = await startServeProcesses(1, network.url, { ...common, ...env })
  return `${service.urls[0]}/site/2`
}

/** Stops the process with SIGTERM; resolves with its exit code. */
function terminate(): Promise<number | null> {
  const child = service.processes[0]
  return new Promise((resolve) => {
    child?.once('close', (code) => resolve(code))
    child?.kill('SIGTERM')
  })
}

/** An agent that keeps connections open for the next request. */
function keepAlive(maxSockets: number): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets, maxFreeSockets: maxSockets })
  agents.push(agent)
  return agent
}

/** How long a stopping server waits at least for the next request of an idle connection: half of its grace period. */
const IDLE_GRACE_MS = 250

type Answer = { readonly status: number; readonly last: boolean; readonly body: unknown }

/** Sends a request; rejects if the response is incomplete. */
function send(agent: Agent, method: string, url: string, body?: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent,
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    })
    sent.on('error', reject)
    sent.on('response', async (response: IncomingMessage) => {
      try {
        const { statusCode: status = 0, headers } = response
        const last = headers.connection === 'close'
        resolve({ status, last, body: JSON.parse(await text(response)) })
      } catch (error) {
        reject(error)
      }
    })
    sent.end(body && JSON.stringify(body))
  })
}

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

it('a running service uses nothing that Node deprecates, logs what libraries print, and ignores SIGHUP', async () => {
  const print = "setInterval(() => console.error('packets out of %s', 'order'), 50)"
  const library = `--import data:text/javascript,${encodeURIComponent(print)}`
  const url = await start({ NODE_OPTIONS: `--throw-deprecation ${library}` })
  await eventually(() => {
    const lines = service.logs().split('\n')
    const printed = lines.findLast((line) => line.includes('packets out of'))
    expect(JSON.parse(printed ?? '{}')).toMatchObject({ level: 40, msg: 'packets out of order' })
  })
  for (let sent = 0; sent < 2; sent += 1) {
    service.processes[0]?.kill('SIGHUP')
    await eventually(() =>
      expect(service.logs().match(/SIGHUP is ignored/g)).toHaveLength(sent + 1),
    )
  }
  expect((await send(keepAlive(1), 'GET', `${url}/menus`)).status).toBe(200)
  expect(await terminate()).toBe(0)
})

describe('SIGTERM', () => {
  it('completes several hundred running requests', async () => {
    const url = await start()
    const agent = keepAlive(300)
    // A stopping server accepts no new connections, so all connections are opened before.
    await times(300, () => send(agent, 'GET', `${url}/menus`))
    const site = await network.site(2)
    const write = (slug: string) =>
      send(agent, 'POST', `${url}/frames`, { slug, html: 'x', bake: false })
    // The writes wait for the lock on the site's frames, so they are running when the signal arrives, on a fast machine too.
    const { sent, exit } = await network.db.write({}, async (tx) => {
      await lockRegistry(tx, site)
      let answered = 0
      const sent = times(300, async (index) => {
        const slug = index % 30 === 0 ? `stopped-${index}` : undefined
        const answer = await (slug ? write(slug) : send(agent, 'GET', `${url}/menus`))
        answered += 1
        return { slug, ...answer }
      })
      sent.catch(() => {})
      await eventually(() => expect(answered).toBeGreaterThanOrEqual(10))
      return { sent, exit: terminate() }
    })
    const answers = await sent
    expect(await exit).toBe(0)
    expect(answers.filter(({ last }) => last).length).toBeGreaterThan(0)
    // A slow machine may respond with 503 to some requests, which is a complete response.
    const done = answers.filter(({ status }) => status === 200)
    expect(answers.filter((answer) => !done.includes(answer) && answer.status !== 503)).toEqual([])
    const graph = await readSiteGraph(network.db, site)
    const written = graph.all().flatMap(({ slug }) => (slug.startsWith('stopped-') ? [slug] : []))
    expect(written).toEqual(expect.arrayContaining(done.flatMap(({ slug }) => slug ?? [])))
    expect(written.length).toBeGreaterThan(0)
  })

  it('closes no connection before it has announced it with Connection: close', async () => {
    const url = await start()
    let exit: Promise<number | null> | undefined
    let stoppedAt = Number.POSITIVE_INFINITY
    let answered = 0
    const clients = Array.from({ length: 60 }, () => keepAlive(1))
    // A stopping server accepts no new connections, so all connections are opened before.
    await Promise.all(clients.map((agent) => send(agent, 'GET', `${url}/menus`)))
    await times(60, async (index) => {
      const agent = clients[index] as Agent
      for (;;) {
        const idle = performance.now() - stoppedAt
        const answer = await send(agent, 'GET', `${url}/menus`).catch((error) => {
          if (idle < IDLE_GRACE_MS) throw error
        })
        if (!answer) return
        expect(answer.status).toBe(200)
        answered += 1
        if (answered === 200) {
          exit = terminate()
          stoppedAt = performance.now()
        }
        if (answer.last) return
      }
    })
    expect(await exit).toBe(0)
  })
})

describe('serve', () => {
  const env = { ...commandsOn(network).environment, PORT: '0' }

  it.each([
    ['no key', {}],
    ['a short secret', { EXECUTOR_KEY: 'short' }],
    ['an invalid key', { EXECUTOR_KEY: '-----BEGIN PRIVATE KEY-----\nx' }],
  ])('does not start with EXECUTOR_URL and %s', async (_name, key) => {
    const given = { ...env, EXECUTOR_URL: 'http://127.0.0.1:9', ...key }
    const { code, stderr } = await runCommand(['serve', 'api'], given)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^EXECUTOR_KEY .*\n$/)])
  })

  it('names the port that is in use', async () => {
    const { port } = await use(listen(() => {}))
    const { code, stderr } = await runCommand(['serve', 'api'], { ...env, PORT: String(port) })
    expect(code).toBe(1)
    expect(stderr).toMatch(new RegExp(`^Port ${port} on \\S+ is in use by another program\\.`))
  })

  it('does not start a separate executor without a key', async () => {
    const { code, stderr } = await runCommand(['serve', 'executor'], env)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^EXECUTOR_KEY .*\n$/)])
  })

  it('greets on a terminal, without log lines, and says what a stop leaves', async () => {
    // A new folder, which the first start takes.
    const STATIC_DIR = await useFolder('greeted')
    const given = { ...env, FRONT_PORT: '0', LOG_LEVEL: 'info', STATIC_DIR, LOG_LEVL: 'info' }
    const { output } = await answerOnTerminal('\x03', ['serve'], given, 'Ctrl-C stops')
    expect(output).toMatch(/Console {2}http:\S+\/console\/\s+Next {5}issue a token/)
    expect(output).toContain('Stopped. What was still to be built is recorded')
    expect(output).toMatch(/^The variable LOG_LEVL is not known/)
    expect(output).not.toContain('"level"')
  })
})
