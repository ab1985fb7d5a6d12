import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPrivateDatabase } from '../../demo/private-database/start-private-database.ts'
import { NetworkPool } from './network-pool.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the database server, with an account that may create databases. */
    serverUrl: string
    tablePrefix: string
    charset: 'utf8mb4' | 'utf8mb3'
    /** A folder of this run's own, removed after it. */
    runFolder: string
    /** Database of the run's `NetworkPool`. */
    networkPool: string
  }
}

const DATA = resolve(import.meta.dirname, '../../.data/test')

/**
 * Provides the database server of the run: the one at TEST_DATABASE_URL, or a private one, so that several runs and a running
 * `npm start` do not interfere.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  provide('tablePrefix', process.env.TEST_TABLE_PREFIX ?? 'wp_')
  provide('charset', process.env.TEST_CHARSET === 'utf8mb3' ? 'utf8mb3' : 'utf8mb4')
  const networkPool = `wp_frames_test_pool_${process.pid}`
  provide('networkPool', networkPool)
  removeLeftovers()
  const folder = join(DATA, String(process.pid))
  mkdirSync(folder, { recursive: true })
  provide('runFolder', folder)
  const given = process.env.TEST_DATABASE_URL
  if (given) {
    provide('serverUrl', given)
    const pool = new NetworkPool(given, networkPool)
    await pool.create()
    return async () => {
      await pool.drop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  const server = await startPrivateDatabase({
    dataDir: join(folder, 'db'),
    durable: false,
    // Newer servers offer TLS by default, but a test needs a server that does not.
    extraArgs: ['--loose-ssl=0', '--tls-version='],
    log: (line) => process.stderr.write(`${line}\n`),
  })
  provide('serverUrl', server.url)
  await new NetworkPool(server.url, networkPool).create()
  return async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Removes the folders of runs that were killed. The name of a folder is the process id of its run. */
function removeLeftovers(): void {
  if (!existsSync(DATA)) return
  for (const name of readdirSync(DATA)) {
    if (!isAlive(Number(name))) rmSync(join(DATA, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
