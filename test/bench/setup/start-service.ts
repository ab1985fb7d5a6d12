import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import type { Contender } from '../contender.ts'
import { processTree } from '../load/process-figures.ts'
import type { BenchDatabase } from './open-database.ts'
import { answers, type StartedServer, startServer } from './start-server.ts'
import type { Undo } from './undo.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

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

/**
 * Starts the built service in one process, without rate limits and without polling for changes, with its log in a file.
 * @param env other variables of its environment
 */
export async function startService(
  database: BenchDatabase,
  folder: string,
  undo: Undo,
  { name = 'service', env = {} }: Partial<Pick<Process, 'name' | 'env'>> = {},
): Promise<Contender> {
  const [port, frontPort] = [await freePort(), await freePort()]
  const { pid } = await startProcess(database, folder, undo, {
    name,
    role: [],
    env: { PORT: String(port), FRONT_PORT: String(frontPort), ...env },
    // A request to the front would read the hosts of all sites.
    url: `http://127.0.0.1:${port}/healthz`,
  })
  return {
    ...contenderAt(database, `http://127.0.0.1:${port}`, () => processTree(pid)),
    frontUrl: `http://127.0.0.1:${frontPort}${database.site.path.slice(0, -1)}`,
  }
}

const EXECUTOR_KEY = 'the key of the executors of the benchmark'

/** Starts the API and these many executors in processes of their own. The API wakes the first executor. */
export async function startSeparately(
  database: BenchDatabase,
  folder: string,
  undo: Undo,
  executors: number,
): Promise<Contender> {
  const pids: number[] = []
  const urls: string[] = []
  const start = async (role: string, env: Record<string, string>): Promise<string> => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const { pid } = await startProcess(database, folder, undo, {
      name: `${role}-${port}`,
      role: [role],
      url: `${url}/healthz`,
      env: { ...env, PORT: String(port), EXECUTOR_KEY },
    })
    pids.push(pid)
    return url
  }
  for (let index = 0; index < executors; index += 1) urls.push(await start('executor', {}))
  const apiUrl = await start('api', { EXECUTOR_URL: urls[0] ?? '' })
  return contenderAt(database, apiUrl, () => pids.flatMap(processTree))
}

const contenderAt = (
  { site, token }: BenchDatabase,
  url: string,
  processes: () => number[],
): Contender => ({
  name: 'service',
  apiUrl: `${url}/site/${site.blogId}`,
  frontUrl: '',
  headers: { authorization: `Bearer ${token}`, host: site.domain },
  processes,
})

type Process = {
  readonly name: string
  readonly role: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** An address that is answered when the process is ready. */
  readonly url: string
}

function startProcess(
  { url: databaseUrl }: BenchDatabase,
  folder: string,
  undo: Undo,
  { name, role, env, url }: Process,
): Promise<StartedServer> {
  return startServer(undo, {
    name: `the ${name}`,
    command: [process.execPath, ...NODE_FLAGS, join(ROOT, 'dist/main.js'), 'serve', ...role],
    env: {
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      STATIC_DIR: staticDir(folder),
      RATE_LIMIT_PER_MINUTE: '0',
      AUTH_FAILURES_PER_MINUTE: '0',
      // Polling would restore the static copy that the measurement of rendering has removed.
      WATCH_SECONDS: '0',
      ...env,
    },
    isReady: () => answers(url),
    logFile: join(folder, `${name}.log`),
  })
}

/** Folder of the service's static copies. */
export const staticDir = (folder: string): string => join(folder, 'static')
