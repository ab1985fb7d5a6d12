import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import type { Contender } from '../contender.ts'
import { processTree } from '../load/process-figures.ts'
import type { BenchDatabase } from './open-database.ts'
import { answers, startServer } from './start-server.ts'
import type { Undo } from './undo.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

/** The program of the built service. */
export const PROGRAM = join(ROOT, 'dist/main.js')

/** The flags with which the image starts Node.js. */
const NODE_FLAGS = ['--max-semi-space-size=4']

/** Builds the service, and the package that it always loads, without the rest. */
export function buildService(): void {
  for (const folder of ['.', 'packages/php-serialized'])
    execFileSync('npx', ['tsc', '-p', join(folder, 'tsconfig.build.json')], {
      cwd: ROOT,
      stdio: 'inherit',
    })
}

type Process = {
  readonly name?: string
  /** Other variables of its environment. */
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the built service in one process, without rate limits and without polling for changes, with its log in a file. */
export async function startService(
  { url: databaseUrl, site, token }: BenchDatabase,
  folder: string,
  undo: Undo,
  { name = 'service', env = {} }: Process = {},
): Promise<Contender> {
  const [port, frontPort] = [await freePort(), await freePort()]
  const origin = `http://127.0.0.1:${port}`
  const { pid } = await startServer(undo, {
    name: `the ${name}`,
    command: [process.execPath, ...NODE_FLAGS, PROGRAM, 'serve'],
    env: {
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      STATIC_DIR: staticDir(folder),
      RATE_LIMIT_PER_MINUTE: '0',
      AUTH_FAILURES_PER_MINUTE: '0',
      // Polling would restore the static copy that the measurement of rendering has removed.
      WATCH_SECONDS: '0',
      PORT: String(port),
      FRONT_PORT: String(frontPort),
      ...env,
    },
    // A request to the front would read the hosts of all sites.
    isReady: () => answers(`${origin}/healthz`),
    logFile: join(folder, `${name}.log`),
  })
  return {
    name: 'service',
    apiUrl: `${origin}/site/${site.blogId}`,
    frontUrl: `http://127.0.0.1:${frontPort}${site.path.slice(0, -1)}`,
    headers: { authorization: `Bearer ${token}`, host: site.domain },
    processes: () => processTree(pid),
  }
}

/** Folder of the service's static copies. */
export const staticDir = (folder: string): string => join(folder, 'static')
