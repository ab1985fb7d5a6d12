import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBenchDatabase } from '../freshness/bench-database.ts'
import { createFeedAccount } from '../freshness/start-pass.ts'
import { figuresOf } from '../load/process-figures.ts'
import { startService } from '../setup/start-service.ts'
import type { Undo } from '../setup/undo.ts'
import type { RunningNetwork } from './sized-network.ts'

/** A running service on a network. */
export type MeasuredService = {
  /** From the start of the process until /readyz answers 200. */
  readonly startMs: number
  readonly apiUrl: string
  readonly frontUrl: string
  readonly authorization: string
  readonly pids: readonly number[]
}

const LOOK_MS = 5

/** Starts the service with a poll, or with the feed, and its default number of processes. */
export async function startMeasuredService(
  { db, url, serverUrl, pids, folder }: RunningNetwork,
  blogId: number,
  { name, watchSeconds }: { name: 'poll' | 'feed'; watchSeconds: number },
  undo: Undo,
): Promise<MeasuredService> {
  const database = await createBenchDatabase(db, { url, pids, blogId })
  const feed: Record<string, string> =
    name === 'feed'
      ? { FEED_DATABASE_URL: await createFeedAccount(db, { url, serverUrl, pids }) }
      : {}
  const begin = performance.now()
  const service = await startService(database, folder, undo, {
    name,
    env: { WATCH_SECONDS: String(watchSeconds), ...feed },
  })
  const apiUrl = new URL(service.apiUrl).origin
  while ((await get(`${apiUrl}/readyz`)).status !== 200) await sleep(LOOK_MS)
  return {
    startMs: performance.now() - begin,
    apiUrl,
    frontUrl: new URL(service.frontUrl).origin,
    authorization: service.headers.authorization,
    pids: service.processes(),
  }
}

/** Peak memory of the service since it was reset, in MB. */
export const memoryOf = ({ pids }: MeasuredService): number => figuresOf(pids).peakBytes / 1e6

/** Sends a request and reads the whole answer. */
export function get(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly body: string; readonly ms: number }> {
  const begin = performance.now()
  return new Promise((answered, failed) => {
    const sent = request(url, { headers }, async (response) => {
      const body = await text(response)
      answered({ status: response.statusCode ?? 0, body, ms: performance.now() - begin })
    })
    sent.once('error', failed)
    sent.end()
  })
}
