import { join, resolve } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import type { Contender, ContenderName } from '../contender.ts'
import { processTree } from '../load/process-figures.ts'
import { prepareWordPress } from '../wordpress/prepare-wordpress.ts'
import { startWordPress } from '../wordpress/start-wordpress.ts'
import type { BenchSetup } from '../workloads/workload.ts'
import { answers, startServer } from './start-server.ts'
import type { Undo } from './undo.ts'

/** Starts the chosen contenders besides the service, and returns them with the versions of their parts. */
export async function startContenders(
  setup: BenchSetup,
  asked: readonly ContenderName[],
  folder: string,
  undo: Undo,
) {
  const { database, service } = setup
  const isWordPress = asked.includes('wordpress') || asked.includes('cached')
  const parts = isWordPress ? await prepareWordPress() : undefined
  const contenders: Contender[] = []
  for (const name of asked) {
    if (name === 'service') contenders.push(service)
    else if (name === 'express') contenders.push(await startExpress(setup, folder, undo))
    else if (parts) contenders.push(await startWordPress(name, parts.root, database, folder, undo))
  }
  const versions = { node: process.versions.node, database: database.version, ...parts?.versions }
  return { contenders, versions }
}

/** Starts Express alone in one process, on the service's database. */
async function startExpress(
  { database: { url }, service }: BenchSetup,
  folder: string,
  undo: Undo,
): Promise<Contender> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const { origin: from, pathname } = new URL(service.apiUrl)
  const main = resolve(import.meta.dirname, '../express/main.ts')
  const server = await startServer(undo, {
    name: 'express',
    command: [process.execPath, '--import', import.meta.resolve('tsx'), main, `${port}`, url, from],
    env: { NODE_ENV: 'production' },
    isReady: () => answers(origin),
    logFile: join(folder, 'express.log'),
  })
  return {
    ...service,
    name: 'express',
    apiUrl: `${origin}${pathname}`,
    processes: () => processTree(server.pid),
    clearCache: async () => void (await fetch(origin, { method: 'DELETE' })),
  }
}
