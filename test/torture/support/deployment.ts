import { readFile } from 'node:fs/promises'
import { freePort } from '../../support/free-port.ts'
import { SERVICE_USER } from '../disruptions/disruption.ts'
import { type Service, startService } from './service.ts'
import type { StaticCopies } from './static-copies.ts'
import { makeAccount, type TortureFixture } from './torture-fixture.ts'

/** `one process`: API, front and executor together. `apart`: an API, and two executors, the first of which it calls. */
export type Layout = 'one process' | 'apart'

/** Shared by the API and the executors. */
const EXECUTOR_KEY = 'torture '.repeat(6)
/** Edits in WordPress are not looked for, so that only the work table can correct a page. An executor may be slow on a busy machine. */
const ENV = { WATCH_SECONDS: '0', EXECUTOR_KEY }

type Part = {
  readonly name: string
  /** Starts its process, each time at the same address if others call it. */
  start(): Promise<Service>
}

/** The processes of the service on a fixture. Each can be killed and started again. */
export class Deployment {
  readonly #parts: ReadonlyMap<string, Part>
  readonly #copies: StaticCopies
  readonly #running = new Map<string, Service>()
  readonly #written = new Map<string, number>()

  /** Starts all processes. @param env variables of all processes */
  static async start(
    fixture: TortureFixture,
    layout: Layout,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Deployment> {
    const databaseUrl = await makeAccount(fixture, SERVICE_USER)
    const envOf = (name: string) => ({ ...ENV, ...env, ...fixture.copies.envOf(name) })
    const options = { databaseUrl, envOf }
    const parts = layout === 'apart' ? await partsApart(options) : [onePart(options)]
    const deployment = new Deployment(parts, fixture.copies)
    for (const { name } of parts) await deployment.restart(name)
    return deployment
  }

  private constructor(parts: readonly Part[], copies: StaticCopies) {
    this.#copies = copies
    this.#parts = new Map(parts.map((part) => [part.name, part]))
  }

  /** The names of its processes. */
  get names(): readonly string[] {
    return [...this.#parts.keys()]
  }

  /** Address of the API; it changes when its process is restarted. */
  get apiUrl(): string {
    return [...this.#running.values()].find(({ apiUrl }) => apiUrl !== '')?.apiUrl ?? ''
  }

  pidOf(name: string): number {
    return this.#running.get(name)?.pid ?? 0
  }

  async kill(name: string): Promise<void> {
    const service = this.#running.get(name)
    if (!service) return
    const written = await writtenBytes(service)
    this.#written.set(name, (this.#written.get(name) ?? 0) + written)
    this.#running.delete(name)
    await service.kill()
  }

  /** The bytes that all processes of this name have written to files, or sent to a store, which shows whether they published pages. */
  async writtenBy(name: string): Promise<number> {
    const sent = this.#copies.bytesBy(name)
    if (sent !== undefined) return sent
    const service = this.#running.get(name)
    return (this.#written.get(name) ?? 0) + (service ? await writtenBytes(service) : 0)
  }

  /** Starts a process and waits until it listens. */
  async restart(name: string): Promise<void> {
    const service = await this.#parts.get(name)?.start()
    if (service) this.#running.set(name, service)
  }

  async close(): Promise<void> {
    for (const service of this.#running.values()) await service.kill()
  }
}

/** Linux counts the bytes when a process changes the pages of a file in memory. Connections are not counted. */
async function writtenBytes({ pid }: Service): Promise<number> {
  const counters = await readFile(`/proc/${pid}/io`, 'utf8')
  return Number(/^write_bytes: (\d+)/m.exec(counters)?.[1])
}

type PartOptions = {
  readonly databaseUrl: string
  /** The variables of a process. */
  readonly envOf: (name: string) => Readonly<Record<string, string>>
}

function onePart({ databaseUrl, envOf }: PartOptions): Part {
  const name = 'the service'
  return { name, start: () => startService({ databaseUrl, env: envOf(name) }) }
}

async function partsApart({ databaseUrl, envOf }: PartOptions): Promise<Part[]> {
  const ports = [await freePort(), await freePort()]
  const api = 'the API'
  const env = { ...envOf(api), EXECUTOR_URL: `http://127.0.0.1:${ports[0]}` }
  return [
    ...ports.map((port, at): Part => {
      const name = `executor ${at + 1}`
      const env = { ...envOf(name), PORT: String(port) }
      return { name, start: () => startService({ databaseUrl, role: 'executor', env }) }
    }),
    { name: api, start: () => startService({ databaseUrl, role: 'api', env }) },
  ]
}
