import type { Config } from '../../config/config.ts'
import { createDatabase } from '../../db/run-script.ts'
import { startPrivateDatabase } from '../../db/server/start-private-database.ts'

/** Where everything lies that a demo makes; it can be deleted at any time. */
export const DATA_FOLDER = '.data'

export type DemoDatabase = {
  readonly url: string
  /** It is this demo's own: whoever tries the commands has to be told its address. */
  readonly isOwn: boolean
  /** Where the database came from, for the reader of the first lines. */
  readonly how: string
  stop(): Promise<void>
}

/** The database at DATABASE_URL, else one of the program's own. */
export async function demoDatabase({ databaseUrl }: Config): Promise<DemoDatabase> {
  if (databaseUrl !== undefined) {
    const how = 'the database at DATABASE_URL'
    return { url: databaseUrl, isOwn: false, how, stop: async () => {} }
  }
  const server = await startPrivateDatabase({
    dataDir: `${DATA_FOLDER}/database`,
    durable: true,
    log: (line) => process.stderr.write(`${line}\n`),
  })
  try {
    return { ...server, isOwn: true, url: await createDatabase(server.url, 'wp_frames_demo') }
  } catch (error) {
    await server.stop()
    throw error
  }
}
