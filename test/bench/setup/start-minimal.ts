import { join, resolve } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import type { Contender } from '../contender.ts'
import { processTree } from '../load/process-figures.ts'
import type { BenchSetup } from './bench-setup.ts'
import { answers, startServer } from './start-server.ts'
import type { Undo } from './undo.ts'

/** Starts the floor or Express alone in one process, on the service's database. */
export async function startMinimal(
  name: 'floor' | 'express',
  { database: { url, site, token }, service, staticDir }: BenchSetup,
  folder: string,
  undo: Undo,
): Promise<Contender> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const server = await startServer(undo, {
    name,
    command: [
      process.execPath,
      '--import',
      import.meta.resolve('tsx'),
      resolve(import.meta.dirname, `../${name}/main.ts`),
      String(port),
      url,
      name === 'floor' ? staticDir : new URL(service.apiUrl).origin,
    ],
    env: { NODE_ENV: 'production' },
    isReady: () => answers(origin),
    logFile: join(folder, `${name}.log`),
  })
  return {
    name,
    apiUrl: `${origin}/site/${site.blogId}`,
    frontUrl: `${origin}${site.path.slice(0, -1)}`,
    headers: { authorization: `Bearer ${token}`, host: site.domain },
    processes: () => processTree(server.pid),
    ...(name === 'express' ? { clearCache: () => forget(origin) } : {}),
  }
}

async function forget(origin: string): Promise<void> {
  await fetch(origin, { method: 'DELETE' })
}
