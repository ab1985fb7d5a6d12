import { join, resolve } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import type { Contender } from '../contender.ts'
import { processTree } from '../load/process-figures.ts'
import type { BenchDatabase } from './open-database.ts'
import { answers, startServer } from './start-server.ts'
import { staticDir } from './start-service.ts'
import type { Undo } from './undo.ts'

/** Starts the floor in one process, on the service's database and static copies. */
export async function startFloor(
  { url, site, token }: BenchDatabase,
  folder: string,
  undo: Undo,
): Promise<Contender> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const server = await startServer(undo, {
    name: 'the floor',
    command: [
      ...[process.execPath, '--import', import.meta.resolve('tsx')],
      resolve(import.meta.dirname, '../floor/main.ts'),
      ...[String(port), url, staticDir(folder)],
    ],
    env: { NODE_ENV: 'production' },
    isReady: () => answers(origin),
    logFile: join(folder, 'floor.log'),
  })
  return {
    name: 'floor',
    apiUrl: `${origin}/site/${site.blogId}`,
    frontUrl: `${origin}${site.path.slice(0, -1)}`,
    headers: { authorization: `Bearer ${token}`, host: site.domain },
    processes: () => processTree(server.pid),
  }
}
