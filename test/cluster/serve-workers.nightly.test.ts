import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { generateToken } from '../../src/auth/tokens.ts'
import { readSiteGraph } from '../../src/frames/read-graph.ts'
import { lockRegistry } from '../../src/frames/registry.ts'
import { issueTokenFor } from '../support/api.ts'
import { runCommand } from '../support/cli.ts'
import { spawnCommand } from '../support/cli-process.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { cloneNetwork } from '../support/network.ts'
import { type ServeProcesses, startServeProcesses } from '../support/serve-processes.ts'
import { use, useFolder } from '../support/use.ts'

const network = await use(cloneNetwork())
const token = await issueTokenFor(network, 'alice')
const folder = await useFolder('workers')

let service: ServeProcesses
const agents: Agent[] = []
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.destroy()
  await service?.stop()
})

type Line = { readonly msg: string; readonly pid: number; readonly worker?: number }

const lines = (message: string): Line[] =>
  service
    .logs()
    .split('\n')
    .filter((line) => line.includes(`"${message}"`))
    .map((line) => JSON.parse(line))
const workers = (): Line[] => lines('worker process is ready')
/** The ids of the worker processes that have answered requests. */
const answering = () => new Set(lines('request completed').map(({ worker }) => worker))

/** Starts the service with two worker processes. @returns the address of the shop's API */
async function start(env: Record<string, string> = {}, role = 'api'): Promise<string> {
  const common = { TABLE_PREFIX: network.globals.basePrefix, WORKERS: '2' }
  service = await startServeProcesses(1, network.url, { ...common, ...env }, role)
  // Their lines and the message that they listen take different ways.
  await eventually(() => expect(workers()).toHaveLength(2))
  return `${service.urls[0]}/site/2`
}

/** An agent that keeps its connections; the primary process distributes new connections. */
function keepAlive(maxSockets: number): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets, maxFreeSockets: maxSockets })
  agents.push(agent)
  return agent
}

type Sent = { readonly agent?: Agent; readonly as?: string; readonly slug?: string }
type Received = { readonly status: number; readonly remaining: string | undefined }

/** Reads the menus or, with a slug, creates a frame; on a connection of its own without an agent. Rejects if the answer is incomplete. */
function send(url: string, { agent, as = token, slug }: Sent = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/${slug === undefined ? 'menus' : 'frames'}`, {
      agent: agent ?? false,
      method: slug === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${as}`, 'Content-Type': 'application/json' },
    })
    sent.on('error', reject)
    sent.on('response', async (response) => {
      try {
        await text(response)
        const { statusCode: status = 0, headers } = response
        resolve({ status, remaining: headers['ratelimit-remaining']?.toString() })
      } catch (error) {
        reject(error)
      }
    })
    sent.end(slug === undefined ? undefined : JSON.stringify({ slug, html: 'x', bake: false }))
  })
}

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

/** False for a zombie too: the process that adopts the child of a killed one may take a while to notice its end. */
const isRunning = (pid: number): boolean => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Sends requests, some at a time, until each worker process has answered one: idle ones accept connections in no order. */
async function untilBothAnswer(sendOne: () => Promise<void>): Promise<void> {
  do await times(10, sendOne)
  while (answering().size < 2)
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)

async function slugs(): Promise<Set<string>> {
  const graph = await readSiteGraph(network.db, await network.site(2))
  return new Set(graph.all().map(({ slug }) => slug))
}

describe('rate limits', () => {
  it('hold for the worker processes together', async () => {
    // More than the failures below: those that are refused at once would use up the requests of their address before the others are answered.
    const url = await start({ RATE_LIMIT_PER_MINUTE: '25', AUTH_FAILURES_PER_MINUTE: '5' })
    const statuses = (await times(45, () => send(url))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(25)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    const failed = await times(20, () => send(url, { as: generateToken() }))
    expect(failed.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(failed.filter(({ status }) => status === 429)).toHaveLength(15)
    // Whichever process answers next, nothing is left.
    await untilBothAnswer(async () => expect((await send(url)).status).toBe(429))
  })
})

describe('a worker process that is killed', () => {
  it('loses no acknowledged write, and is replaced while the port keeps answering', async () => {
    const url = await start()
    const created: string[] = []
    let isOver = false
    const write = async (client: number): Promise<void> => {
      for (let index = 0; !isOver; index += 1) {
        const slug = `killed-${client}-${index}`
        // A request that the killed process was answering fails.
        const answer = await send(url, { slug }).catch(() => undefined)
        if (answer?.status === 200) created.push(slug)
      }
    }
    const writing = times(4, write)
    await eventually(() => expect(created.length).toBeGreaterThan(5))
    for (const killed of workers()) {
      const before = created.length
      const ready = workers().length
      process.kill(killed.pid, 'SIGKILL')
      await eventually(() => expect(isRunning(killed.pid)).toBe(false))
      await eventually(() => expect(created.length).toBeGreaterThan(before + 5))
      await eventually(() => expect(workers().length).toBe(ready + 1))
    }
    isOver = true
    await writing
    const stored = await slugs()
    expect(created.filter((slug) => !stored.has(slug))).toEqual([])
    expect(lines('a worker process ended; another one is started')).toHaveLength(2)
    expect(workers().map(({ worker }) => worker)).toEqual([1, 2, 3, 4])
  })
})

describe('SIGTERM', () => {
  it('ends all processes after they have answered their requests', async () => {
    const url = await start()
    const agent = keepAlive(100)
    // A stopping server accepts no new connections, so all connections are opened before.
    await times(100, () => send(url, { agent }))
    const site = await network.site(2)
    const [primary] = service.processes
    if (!primary) throw new Error('no process')
    // The writes wait for the lock on the site's frames, so they are running when the signal arrives.
    const { sent, exit } = await network.db.write({}, async (tx) => {
      await lockRegistry(tx, site)
      let answered = 0
      const sent = times(100, async (index) => {
        const slug = index % 20 === 0 ? `stopped-${index}` : undefined
        const answer = await send(url, { agent, ...(slug === undefined ? {} : { slug }) })
        answered += 1
        return { slug, ...answer }
      })
      sent.catch(() => {})
      await eventually(() => expect(answered).toBeGreaterThanOrEqual(10))
      const exit = once(primary, 'exit')
      primary.kill('SIGTERM')
      return { sent, exit }
    })
    const answers = await sent
    expect((await exit)[0]).toBe(0)
    for (const { pid } of workers()) expect(isRunning(pid)).toBe(false)
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    const stored = await slugs()
    const done = answers.flatMap(({ slug, status }) => (status === 200 && slug ? [slug] : []))
    expect(done.filter((slug) => !stored.has(slug))).toEqual([])
  })

  it('ends a worker process that is starting', async () => {
    await start()
    const [primary] = service.processes
    const [first] = workers()
    process.kill(first?.pid ?? 0, 'SIGKILL')
    const started = await eventually(() => {
      const [newest] = childrenOf(primary?.pid ?? 0).filter(
        (child) => !workers().some(({ pid }) => pid === child),
      )
      return newest ?? expect.unreachable('no other process has started')
    })
    const exit = primary && once(primary, 'exit')
    primary?.kill('SIGTERM')
    expect((await exit)?.[0]).toBe(0)
    expect(isRunning(started)).toBe(false)
  })

  it('is not needed by worker processes whose primary process is killed', async () => {
    await start()
    service.processes[0]?.kill('SIGKILL')
    await eventually(() =>
      expect(workers().map(({ pid }) => isRunning(pid))).toEqual([false, false]),
    )
  })

  it('ends a single worker process, which is replaced', async () => {
    const url = await start()
    const [first] = workers()
    process.kill(first?.pid ?? 0, 'SIGTERM')
    await eventually(() => expect(workers()).toHaveLength(3))
    expect((await send(url)).status).toBe(200)
  })
})

describe('metrics', () => {
  it('with a port in use end the start before a worker process listens, and the message names the port', async () => {
    const taken = createServer()
    taken.listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const { ended } = await spawnCommand(['serve', 'api'], {
      DATABASE_URL: network.url,
      TABLE_PREFIX: network.globals.basePrefix,
      STATIC_DIR: '',
      PORT: '0',
      WORKERS: '2',
      METRICS_HOST: '127.0.0.1',
      METRICS_PORT: String(port),
    })
    const { code, stderr } = await ended
    expect(code).toBe(1)
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use`)
    expect(stderr).toContain('METRICS_PORT')
    expect(stderr).not.toContain('worker process is ready')
    taken.close()
  })

  it('are the sums of the worker processes, and include those that have ended', async () => {
    const url = await start({ METRICS_PORT: String(await freePort()) })
    const metrics: string = JSON.parse(
      service.logs().match(/^.*"listening".*$/m)?.[0] ?? '',
    ).metrics
    const scrape = async () => (await fetch(`${metrics}/metrics`)).text()
    const countOf = (scraped: string, name: string) =>
      Number(
        scraped.match(new RegExp(`^${name}\\{[^}]*route="[^"]*menus"[^}]*\\} (\\d+)$`, 'm'))?.[1],
      )
    const expectCount = (count: number) =>
      eventually(async () => {
        const scraped = await scrape()
        expect(countOf(scraped, 'wp_frames_http_requests_total')).toBe(count)
        expect(countOf(scraped, 'wp_frames_http_request_duration_seconds_count')).toBe(count)
        return scraped
      })
    let sent = 0
    await untilBothAnswer(async () => {
      sent += 1
      expect((await send(url)).status).toBe(200)
    })
    const scraped = await expectCount(sent)
    expect(scraped).toMatch(/^wp_frames_work_pending 0$/m)
    const [first] = workers()
    process.kill(first?.pid ?? 0, 'SIGKILL')
    await eventually(() => expect(workers()).toHaveLength(3))
    expect(await expectCount(sent)).toMatch(/^wp_frames_worker_processes_ended_total 1$/m)
    await times(5, () => send(url))
    await expectCount(sent + 5)
    const { status, body } = { status: (await fetch(metrics)).status, body: await scrape() }
    expect([status, body.includes('nodejs_version_info')]).toEqual([404, true])
  })
})

describe('roles', () => {
  it('front and API share their ports in each worker process', async () => {
    const frontPort = await freePort()
    const env = { FRONT_PORT: String(frontPort), STATIC_DIR: join(folder, 'static') }
    const url = await start({ ...env, WATCH_SECONDS: '1' }, '')
    expect((await send(url)).status).toBe(200)
    const answered = await times(10, async () => {
      const { status } = await fetch(`http://127.0.0.1:${frontPort}/healthz`)
      return status
    })
    expect(new Set(answered)).toEqual(new Set([200]))
    expect(workers()).toHaveLength(2)
  })
})

describe('a start that fails', () => {
  it('ends with the reason if the port is in use', async () => {
    const url = await start()
    const { port } = new URL(url)
    await expect(
      startServeProcesses(1, network.url, {
        TABLE_PREFIX: network.globals.basePrefix,
        WORKERS: '2',
        PORT: port,
      }),
    ).rejects.toThrow(/serve ended with 1: Port \d+ on 127.0.0.1 is in use.*before it listened/s)
  })

  it.each(['0', '-1', 'two', '', '129', '1.5'])('refuses --workers "%s"', async (workers) => {
    const { code, stderr } = await runCommand(['serve', `--workers=${workers}`], {})
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('must be a whole number from 1 to 128'),
    ])
  })
})
