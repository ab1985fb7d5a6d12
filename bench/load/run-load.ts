import autocannon from 'autocannon'
import { type Ask, type Contender, requestTo } from '../contender.ts'

/** How requests are sent: each connection sends the next one when the last is answered. */
export type Load = {
  /** Sent in turn. */
  readonly asks: readonly Ask[]
  readonly connections: number
  /** For how many seconds; or so many requests, however long they take. */
  readonly until: { readonly seconds: number } | { readonly requests: number }
  /** The status that every answer has to have. */
  readonly status: number
}

/** What the sender saw. Times in milliseconds, sorted. */
export type Answers = {
  readonly times: readonly number[]
  /** Requests that were sent: a few more than were answered, where the time was over. */
  readonly sent: number
  /** From the first request to the last answer. */
  readonly ms: number
}

/** Seconds after which an answer is no longer waited for. */
const PATIENCE = 300

/**
 * Sends requests to a contender as fast as it answers them.
 * @throws Error where an answer has another status, or none comes
 */
export async function runLoad(contender: Contender, load: Load): Promise<Answers> {
  const requests = load.asks.map((ask) => requestTo(contender, ask))
  const { origin } = new URL(requests[0]?.url ?? '')
  const times: number[] = []
  const start = performance.now()
  let last = start
  let wrong: number | undefined
  const options: autocannon.Options = {
    url: origin,
    connections: load.connections,
    timeout: PATIENCE,
    ...('seconds' in load.until
      ? { duration: load.until.seconds }
      : { amount: load.until.requests }),
    requests: requests.map(({ url, method, headers, body }) => ({
      path: url.slice(origin.length),
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    })),
  }
  const { errors, requests: counted } = await new Promise<autocannon.Result>((done, failed) => {
    const run = autocannon(options, (error, result) => (error ? failed(error) : done(result)))
    run.on('response', (_client, status, _bytes, time) => {
      times.push(time)
      last = performance.now()
      if (status !== load.status) wrong = status
    })
  })
  const what = `${contender.name}: ${requests[0]?.method} ${requests[0]?.url}`
  if (wrong !== undefined) throw new Error(`${what} was answered ${wrong}`)
  if (errors > 0) throw new Error(`${what}: ${errors} requests failed`)
  return { times: times.sort((a, b) => a - b), sent: counted.sent, ms: last - start }
}

/** The time that this share of the answers did not take longer than; 0 of none. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
