import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../../support/free-port.ts'
import { batchSetting } from '../../support/open-database.ts'

const MAIN = resolve(import.meta.dirname, '../../../dist/main.js')

/** The built service in its own process. */
export type Service = {
  readonly pid: number
  /** '' for an executor. */
  readonly apiUrl: string
  /** '' without a front. */
  readonly frontUrl: string
  /** Log lines of unexpected errors. */
  readonly errorLines: readonly string[]
  /** Kills it and waits until it has ended. */
  kill(): Promise<void>
  /** Sends SIGTERM, waits until it has ended, and returns its exit code. */
  stop(): Promise<number | null>
}

export type ServiceOptions = {
  readonly databaseUrl: string
  /** The folder of the static copies [none, or what `env` says] */
  readonly staticDir?: string
  /** The only part that it runs [API and front, with the executor]. */
  readonly role?: 'api' | 'executor' | 'front'
  /** The path of its `main.js` [the one of the work tree] */
  readonly program?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the service without rate limits, with the memory settings of the image, and waits until it listens. */
export async function startService({
  databaseUrl,
  staticDir,
  role,
  program = MAIN,
  env = {},
}: ServiceOptions): Promise<Service> {
  const args = ['--max-semi-space-size=4', program, 'serve', ...(role ? [role] : [])]
  const child = spawn(process.execPath, args, {
    env: {
      MALLOC_ARENA_MAX: '2',
      PATH: process.env.PATH ?? '',
      DATABASE_URL: databaseUrl,
      PORT: '0',
      FRONT_PORT: String(await freePort()),
      ...(staticDir === undefined ? {} : { STATIC_DIR: staticDir }),
      RATE_LIMIT_PER_MINUTE: '0',
      AUTH_FAILURES_PER_MINUTE: '0',
      ...batchSetting,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  // It never outlives a trial that is interrupted.
  const endWithTrial = () => void child.kill('SIGKILL')
  process.once('exit', endWithTrial)
  void ended.then(() => process.removeListener('exit', endWithTrial))
  const errorLines: string[] = []
  const { api = '', front = '' } = await untilListening(child, errorLines)
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  return {
    pid: child.pid ?? 0,
    apiUrl: api,
    frontUrl: front,
    errorLines,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  }
}

/** pino's level of errors. */
const ERROR = 50

function untilListening(child: ChildProcess, errorLines: string[]): Promise<Partial<Line>> {
  return new Promise((listening, failed) => {
    const said: string[] = []
    if (!child.stderr) return failed(new Error('no standard error'))
    createInterface(child.stderr).on('line', (line) => {
      const entry = parseLine(line)
      if (entry?.msg === 'listening') listening(entry)
      if (entry === undefined) said.push(line)
      if (entry === undefined || entry.level >= ERROR) errorLines.push(line)
    })
    child.once('exit', (code) => failed(new Error(`serve ended with ${code}: ${said.join('\n')}`)))
  })
}

type Line = { level: number; msg: string; api?: string; front?: string }

function parseLine(line: string): Line | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
