import { type ChildProcess, spawn } from 'node:child_process'
import type { Answer } from './frames-api.ts'
import { batchSetting } from './open-database.ts'
import { programArgs } from './program.ts'

/** Several instances of the service in separate processes on one database, as operators run them. */
export type ServeProcesses = {
  /** Base address of each API. */
  readonly urls: readonly string[]
  readonly processes: readonly ChildProcess[]
  /**
   * Sends a request to the instances in rotation. It is sent again while it is refused with `service_busy`: on a busy machine many
   * concurrent writers may exceed the time that a write may wait.
   */
  send(token: string, method: string, path: string, body: object): Promise<Answer>
  /** The log lines of all instances. */
  logs(): string
  stop(): Promise<void>
}

/** Connections of each instance: with fewer, many writers on a busy machine would be refused with 503. */
const POOL_SIZE = 16

/** Starts `count` instances of `serve api`, or of another role (`` for none), without rate limits. */
export async function startServeProcesses(
  count: number,
  databaseUrl: string,
  env: Record<string, string> = {},
  role = 'api',
): Promise<ServeProcesses> {
  const started = await Promise.all(
    Array.from({ length: count }, () => startOne(role, databaseUrl, env)),
  )
  let requests = 0
  const send: ServeProcesses['send'] = async (token, method, path, body) => {
    for (;;) {
      requests += 1
      const answer = await fetch(`${started[requests % count]?.url}${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      const parsed: Answer['body'] = await answer.json()
      if (parsed.code !== 'service_busy') return { status: answer.status, body: parsed }
    }
  }
  return {
    urls: started.map(({ url }) => url),
    send,
    processes: started.map(({ child }) => child),
    logs: () => started.map(({ log }) => log()).join(''),
    stop: async () => {
      await Promise.all(started.map(({ child, ended }) => child.kill('SIGTERM') && ended))
    },
  }
}

async function startOne(role: string, databaseUrl: string, env: Record<string, string>) {
  const command = ['serve', ...(role === '' ? [] : [role])]
  const child = spawn(process.execPath, [...(await programArgs('src/main')), ...command], {
    env: {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: databaseUrl,
      PORT: '0',
      DB_POOL_SIZE: String(POOL_SIZE),
      STATIC_DIR: '',
      RATE_LIMIT_PER_MINUTE: '0',
      AUTH_FAILURES_PER_MINUTE: '0',
      ...batchSetting,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  let log = ''
  const line = await new Promise<string>((listening, failed) => {
    child.stderr?.on('data', (chunk) => {
      log += chunk
      const [line] = /^.*"listening".*\n/m.exec(log) ?? []
      if (line) listening(line)
    })
    child.once('exit', (code) => failed(new Error(`serve ended with ${code}: ${log}`)))
  })
  const { api, executor } = JSON.parse(line)
  return { child, ended, log: () => log, url: api ?? executor }
}
