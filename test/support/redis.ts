import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, openSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import { startGuarded } from '../../demo/private-database/guarded-process.ts'
import { freePort } from './free-port.ts'

/** A private Redis. It ends with the process, however that ends. */
export type TestRedis = {
  readonly url: string
  /** Kills the server and waits until it has ended. */
  kill(): Promise<void>
  /** Starts it again, empty, at the same address. */
  restart(): Promise<void>
  /** Suspends the server's process: it accepts connections and answers nothing. */
  freeze(): Promise<void>
  /** Ends it and removes its files. */
  stop(): Promise<void>
}

/** Debian's package redis-tools contains the server under another name, without the service that redis-server starts. */
const PROGRAMS = ['redis-server', 'valkey-server', 'redis-check-rdb']
const INSTALL_TIMEOUT_MS = 120_000

const run = promisify(execFile)

/** Finds the program of a Redis server, or installs it. Otherwise returns the reason, for the names of skipped tests. */
export async function findRedisProgram(): Promise<{ path: string } | { missing: string }> {
  const found = findProgram() ?? (await install())
  return found === undefined ? { missing: 'skipped: no redis-server here' } : { path: found }
}

function findProgram(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Installs it with apt-get, on Debian and as root only. */
async function install(): Promise<string | undefined> {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return undefined
  const aptGet = (...args: string[]) =>
    run('apt-get', ['--yes', '--option=DPkg::Lock::Timeout=60', ...args], {
      timeout: INSTALL_TIMEOUT_MS,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).catch(() => undefined)
  await aptGet('update')
  await aptGet('install', '--no-install-recommends', 'redis-tools')
  return findProgram()
}

/** Starts a Redis on a free port of 127.0.0.1. */
export async function startRedis(path: string): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'wp-frames-redis-'))
  // The program chooses its role by the name of its executable.
  const program = join(folder, 'redis-server')
  await symlink(path, program)
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  const output = openSync(join(folder, 'log'), 'a')
  const start = () => {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
    return startGuarded([program, ...options], { output, stop: 'kill -KILL "$child"' })
  }
  let server = start()
  await pidOf(url)
  return {
    url,
    kill: () => server.stop(),
    restart: async () => {
      server = start()
      await pidOf(url)
    },
    freeze: async () => void process.kill(await pidOf(url), 'SIGSTOP'),
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Waits until the server answers and returns its process id. */
async function pidOf(url: string): Promise<number> {
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: 500 })
  client.on('error', () => {})
  const info = await client.info('server')
  client.disconnect()
  return Number(/process_id:(\d+)/.exec(info)?.[1])
}
