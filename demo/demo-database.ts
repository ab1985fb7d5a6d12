import { CommandError } from '../src/cli/cli-context.ts'
import type { Config } from '../src/host/config/config.ts'
import { DATA_FOLDER } from './data-folder.ts'
import { createDatabase } from './private-database/run-script.ts'
import { DatabaseServerError } from './private-database/server-failure.ts'
import { startPrivateDatabase } from './private-database/start-private-database.ts'

export type DemoDatabase = {
  readonly url: string
  /** True for the demo's private database: its address is printed, because commands need it. */
  readonly isPrivate: boolean
  /** Describes the database in the welcome text. */
  readonly how: string
  stop(): Promise<void>
}

/** Opens the database at DEMO_DATABASE_URL, which is `databaseUrl` here, or starts a private one. */
export async function openDemoDatabase({ databaseUrl }: Config): Promise<DemoDatabase> {
  if (databaseUrl !== undefined) {
    const how = 'the database at DEMO_DATABASE_URL'
    return { url: databaseUrl, isPrivate: false, how, stop: async () => {} }
  }
  const server = await startServer()
  try {
    return { ...server, isPrivate: true, url: await createDatabase(server.url, 'wp_frames_demo') }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function startServer() {
  try {
    return await startPrivateDatabase({
      dataDir: `${DATA_FOLDER}/database`,
      durable: true,
      log: (line) => process.stderr.write(`${line}\n`),
    })
  } catch (error) {
    throw error instanceof DatabaseServerError ? new CommandError(error.message) : error
  }
}
