import { openSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { startGuarded } from '../../demo/private-database/guarded-process.ts'
import { freePort } from './free-port.ts'
import { programPath } from './programs.ts'

/** A private Redis. It ends with the process, however that ends. */
export type TestRedis = Awaited<ReturnType<typeof startRedis>>

/** Starts a Redis on a free port of 127.0.0.1, in a group of `describeWith('redis', ...)`. */
export async function startRedis() {
  const folder = await mkdtemp(join(tmpdir(), 'wp-frames-redis-'))
  // The program chooses its role by the name of its executable.
  const program = join(folder, 'redis-server')
  await symlink(programPath('redis'), program)
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
    /** Kills the server and waits until it has ended. */
    kill: () => server.stop(),
    /** Starts it again, empty, at the same address. */
    restart: async () => {
      server = start()
      await pidOf(url)
    },
    /** Suspends the server's process: it accepts connections and answers nothing. */
    freeze: async () => void process.kill(await pidOf(url), 'SIGSTOP'),
    /** Ends it and removes its files. */
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
