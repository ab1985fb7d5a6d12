import { type ChildProcess, spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { freePort } from './demo.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** The service in processes of its own, as operators run several instances on one database. */
export type ServeProcesses = {
  /** Base address of each API. */
  readonly urls: readonly string[]
  readonly processes: readonly ChildProcess[]
  /** All that they have logged. */
  logs(): string
  stop(): Promise<void>
}

/** Starts `count` instances of `serve api`, without limits; or of another role. */
export async function startServeProcesses(
  count: number,
  databaseUrl: string,
  env: Record<string, string> = {},
  role = 'api',
): Promise<ServeProcesses> {
  const started = await Promise.all(
    Array.from({ length: count }, () => startOne(role, databaseUrl, env)),
  )
  return {
    urls: started.map(({ url }) => url),
    processes: started.map(({ child }) => child),
    logs: () => started.map(({ log }) => log()).join(''),
    stop: async () => {
      await Promise.all(started.map(({ child, ended }) => child.kill('SIGTERM') && ended))
    },
  }
}

async function startOne(role: string, databaseUrl: string, env: Record<string, string>) {
  const port = await freePort()
  // Its command would run another process and pass signals on, but kill it where that takes long.
  const tsx = pathToFileURL(join(ROOT, 'node_modules/tsx/dist/loader.mjs')).href
  const program = [`--import=${tsx}`, join(ROOT, 'src/main.ts'), 'serve', role]
  const child = spawn(process.execPath, program, {
    env: {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      STATIC_DIR: '',
      RATE_LIMIT_PER_MINUTE: '0',
      AUTH_FAILURES_PER_MINUTE: '0',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  let log = ''
  await new Promise<void>((listening, failed) => {
    child.stderr?.on('data', (chunk) => {
      log += chunk
      if (log.includes('"listening"')) listening()
    })
    child.once('exit', (code) => failed(new Error(`serve ended with ${code}: ${log}`)))
  })
  return { child, ended, log: () => log, url: `http://127.0.0.1:${port}` }
}
