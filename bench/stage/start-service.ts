import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import type { Contender } from '../contender.ts'
import { processTree } from '../load/process-figures.ts'
import type { StageDatabase } from './open-database.ts'
import { answers, startServer } from './start-server.ts'
import type { Undo } from './undo.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** As the image starts Node. */
const NODE_FLAGS = ['--max-semi-space-size=4']

/** The service as operators run it, but without limits and without watching for edits: built, in one process, its log in a file. */
export async function startService(
  { url, site, token }: StageDatabase,
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
      // It would print anew the copy that a page is rendered without.
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

/** Where the service keeps static copies. */
export const staticDir = (folder: string): string => join(folder, 'static')
