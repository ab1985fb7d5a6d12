import { freePort } from '../../support/free-port.ts'
import { Balancer } from '../support/balancer.ts'
import { type Service, startService } from '../support/service.ts'
import type { BuiltVersion } from './built-version.ts'

/** Shared by the APIs and the executors. */
const EXECUTOR_KEY = 'torture '.repeat(6)
/** Edits in WordPress are not looked for, so that only the work table can correct a page. */
const ENV = { WATCH_SECONDS: '0', DRAIN_SECONDS: '1', EXECUTOR_KEY }
const ROLES = ['executor', 'api', 'front'] as const
/** Processes of each role. */
const PROCESSES = 2

type Role = (typeof ROLES)[number]

/** A process with a fixed address, of one version at a time. */
export type Instance = {
  readonly name: string
  readonly role: Role
  readonly url: string
}

/** Two processes of each role, behind a load balancer for each role. */
export class Instances {
  /** In the order in which they are upgraded: an executor is called by APIs of both versions. */
  readonly all: readonly Instance[]
  readonly #formerErrors: string[] = []
  readonly #balancers: Readonly<Record<Role, Balancer>>
  readonly #running = new Map<Instance, Service>()
  readonly #where: { readonly databaseUrl: string; readonly staticDir: string }

  /** Starts all processes. */
  static async start(
    version: BuiltVersion,
    where: { readonly databaseUrl: string; readonly staticDir: string },
  ): Promise<Instances> {
    const all: Instance[] = []
    for (const role of ROLES)
      for (let number = 1; number <= PROCESSES; number += 1)
        all.push({ name: `${role} ${number}`, role, url: `http://127.0.0.1:${await freePort()}` })
    const [executor, api, front] = [
      await Balancer.start(),
      await Balancer.start(),
      await Balancer.start(),
    ]
    const instances = new Instances(all, { executor, api, front }, where)
    for (const instance of all) await instances.#start(instance, version)
    return instances
  }

  private constructor(
    all: readonly Instance[],
    balancers: Readonly<Record<Role, Balancer>>,
    where: { readonly databaseUrl: string; readonly staticDir: string },
  ) {
    this.all = all
    this.#balancers = balancers
    this.#where = where
    for (const { role, url } of all) balancers[role].add(url)
  }

  /** The log lines of errors of all processes that run or ran. */
  get errorLines(): readonly string[] {
    const running = [...this.#running.values()].flatMap(({ errorLines }) => errorLines)
    return [...this.#formerErrors, ...running]
  }

  /** The addresses of the load balancers, as those of one process. */
  get service(): Service {
    const { api, front } = this.#balancers
    const readErrors = () => this.errorLines
    return {
      pid: 0,
      apiUrl: api.url,
      frontUrl: front.url,
      get errorLines() {
        return readErrors()
      },
      kill: () => this.close(),
      stop: async () => null,
    }
  }

  /**
   * Stops a process as an orchestrator does, and starts it in another version at the same address.
   * @returns a sentence for each fault
   */
  async replace(instance: Instance, version: BuiltVersion): Promise<string[]> {
    const running = this.#running.get(instance)
    const code = await running?.stop()
    this.#formerErrors.push(...(running?.errorLines ?? []))
    this.#running.delete(instance)
    await this.#start(instance, version)
    return code === 0 ? [] : [`${instance.name} ended with ${code} when it was replaced`]
  }

  async close(): Promise<void> {
    for (const service of this.#running.values()) await service.kill()
    for (const balancer of Object.values(this.#balancers)) await balancer.close()
  }

  async #start(instance: Instance, { program }: BuiltVersion): Promise<void> {
    const { role, url } = instance
    const { port } = new URL(url)
    const env = {
      ...ENV,
      ...(role === 'front' ? { FRONT_PORT: port } : { PORT: port }),
      ...(role === 'executor' ? {} : { EXECUTOR_URL: this.#balancers.executor.url }),
    }
    this.#running.set(instance, await startService({ ...this.#where, program, role, env }))
    await this.#balancers[role].until(url, true)
  }
}
