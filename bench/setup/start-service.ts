import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import type { Contender } from '../contender.ts'
import { processTree } from '../load/process-figures.ts'
import type { BenchDatabase } from './open-database.ts'
import { answers, startServer } from './start-server.ts'
import type { Undo } from './undo.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** The flags with which the image starts Node.js. */
const NODE_FLAGS = ['--max-semi-space-size=4']

/** Starts the built service in one process, without rate limits and without polling for changes, with its log in a file. */
export async function startService(
  { url, site, token }: BenchDatabase,
  folder: string,
  undo: Undo,
): Promise<Contender> {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' })
  const [port, frontPort] = [await freePort(), await freePort()]
  const server = await startServer(undo, {
    name: 'the service',
    command: [process.execPath, ...NODE_FLAGS, join(ROOT, 'dist/main.js'), 'serve'],
    env: {
      NODE_ENV: 'production',
      DATABASE_URL: url,
      PORT: String(port),
      FRONT_PORT: String(frontPort),
      STATIC_DIR: staticDir(folder),
      RATE_LIMIT_PER_MINUTE: '0',
      AUTH_FAILURES_PER_MINUTE: '0',
      // Polling would restore the static copy that the measurement of rendering has removed.
      WATCH_SECONDS: '0',
    },
    isReady: () => answers(`http://127.0.0.1:${frontPort}/`),
    logFile: join(folder, 'service.log'),
  })
  return {
    name: 'service',
    apiUrl: `http://127.0.0.1:${port}/site/${site.blogId}`,
    frontUrl: `http://127.0.0.1:${frontPort}${site.path.slice(0, -1)}`,
    headers: { authorization: `Bearer ${token}`, host: site.domain },
    processes: () => processTree(server.pid),
  }
}

/** Folder of the service's static copies. */
export const staticDir = (folder: string): string => join(folder, 'static')
