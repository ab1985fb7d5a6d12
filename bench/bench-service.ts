import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { issueToken } from '../src/callers/issue-token.ts'
import type { CliServices, Listening } from '../src/cli/context.ts'
import { parseConfig } from '../src/config/config.ts'
import { migrate } from '../src/db/migrate.ts'
import { createDatabase, runScript } from '../src/db/run-script.ts'
import { startPrivateDatabase } from '../src/db/server/start-private-database.ts'
import { openServices } from '../src/services.ts'
import { findSite } from '../src/wordpress/network/find-site.ts'
import type { Site } from '../src/wordpress/network/site.ts'

const DUMP = resolve(import.meta.dirname, '../sql/demo/network.sql')
const ADMIN = 1
export const SHOP = 2

/** One answer of the API: how long it took at the caller, and how many statements it took. */
export type Answer = {
  readonly ms: number
  readonly queries: number
  readonly body: { readonly frame: { readonly id: string }; readonly menu: { readonly id: number } }
}

/** The service over HTTP on a private database that is thrown away. */
export type BenchService = {
  readonly services: CliServices
  readonly servers: Listening
  readonly site: Site
  call(method: string, path: string, body?: object): Promise<Answer>
  /** Calls in turn and prints the median, the 99th percentile and the statements of the last call. */
  measure(what: string, times: number, work: (turn: number) => Promise<Answer>): Promise<void>
  stop(): Promise<void>
}

/** Starts it: API and front in this process, durable database, no limits. */
export async function startBenchService(): Promise<BenchService> {
  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-bench-'))
  const dataDir = join(folder, 'db')
  const server = await startPrivateDatabase({ dataDir, durable: true, log: () => {} })
  const databaseUrl = await createDatabase(server.url, 'bench')
  await runScript(databaseUrl, readFileSync(DUMP, 'utf8'))
  const services = openServices(
    parseConfig({
      DATABASE_URL: databaseUrl,
      PORT: '0',
      FRONT_PORT: '18082',
      STATIC_DIR: join(folder, 'static'),
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'silent',
    }),
  )
  const { db, globals } = services
  await migrate(db, globals.basePrefix)
  const { token } = await db.transaction((tx) =>
    issueToken(tx, globals, { userId: ADMIN, now: new Date() }),
  )
  const site = await findSite(db, globals, SHOP)
  if (!site) throw new Error('the network has no shop')
  const servers = await services.listen({ api: true, front: true })
  let queries = 0
  db.sql.on('query', () => {
    queries += 1
  })

  const call = async (method: string, path: string, body?: object): Promise<Answer> => {
    const before = queries
    const start = performance.now()
    const answer = await fetch(`${servers.apiUrl}/site/${SHOP}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    const ms = performance.now() - start
    return { ms, queries: queries - before, body: JSON.parse(text) }
  }
  return {
    services,
    servers,
    site,
    call,
    measure: async (what, times, work) => {
      const answers: Answer[] = []
      for (let turn = 0; turn < times; turn += 1) answers.push(await work(turn))
      const ms = answers.map((answer) => answer.ms)
      console.log(`${line(what, ms)}   ${answers.at(-1)?.queries} queries`)
    },
    stop: async () => {
      await servers.close()
      await services.close()
      await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** A line of figures: the median and the 99th percentile of durations in milliseconds. */
export function line(what: string, durations: readonly number[]): string {
  const sorted = [...durations].sort((a, b) => a - b)
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
  return `${what.padEnd(58)} p50 ${at(0.5).padStart(7)} ms   p99 ${at(0.99).padStart(7)} ms`
}
