import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { figuresOf } from '../load/process-figures.ts'
import type { QueryCount } from '../load/query-count.ts'
import type { StartedProxy } from '../remote/start-proxy.ts'
import type { Undo } from '../setup/undo.ts'

/** A finished command with what it has used. */
export type CommandRun = {
  /** Null if it was killed. */
  readonly code: number | null
  readonly ms: number
  readonly statements: number
  readonly roundTrips: number
  readonly peakBytes: number
  /** Standard output. */
  readonly output: string
}

const MAIN = resolve(import.meta.dirname, '../../../dist/main.js')
const SAMPLE_MS = 100

/** Runs commands of the built package on a network, whose database they reach through a proxy. */
export class CommandRunner {
  readonly #proxy: StartedProxy
  readonly #env: Readonly<Record<string, string>>
  readonly #queries: QueryCount
  readonly #undo: Undo

  /** @param env variables besides DATABASE_URL and those of this process */
  constructor(
    proxy: StartedProxy,
    queries: QueryCount,
    undo: Undo,
    env: Readonly<Record<string, string>> = {},
  ) {
    this.#proxy = proxy
    this.#env = env
    this.#queries = queries
    this.#undo = undo
  }

  /** @param killAfterMs kills it with SIGKILL [it is not killed] */
  async run(
    args: readonly string[],
    { killAfterMs }: { readonly killAfterMs?: number } = {},
  ): Promise<CommandRun> {
    const before = await this.#queries.read()
    const tripsBefore = await this.#proxy.readRoundTrips()
    const startedAt = performance.now()
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: {
        ...process.env,
        ...this.#env,
        NODE_ENV: 'production',
        DATABASE_URL: this.#proxy.url,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#undo.add(() => void child.kill('SIGKILL'))
    const chunks: Buffer[] = []
    const errors: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
    let peakBytes = 0
    const sampling = setInterval(() => {
      peakBytes = Math.max(peakBytes, figuresOf([child.pid ?? 0]).peakBytes)
    }, SAMPLE_MS)
    const killing =
      killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    const code = await new Promise<number | null>((done) => child.once('close', done))
    clearInterval(sampling)
    clearTimeout(killing)
    const ms = performance.now() - startedAt
    if (code === 1) console.log(Buffer.concat(errors).toString().slice(-2000))
    const statements = (await this.#queries.read()) - before
    const roundTrips = (await this.#proxy.readRoundTrips()) - tripsBefore
    const output = Buffer.concat(chunks).toString()
    return { code, ms, statements, roundTrips, peakBytes, output }
  }
}
