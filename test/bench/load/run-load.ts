import autocannon from 'autocannon'
import { type Ask, type Contender, requestTo } from '../contender.ts'

/** How requests are sent: each connection sends the next request when the previous one is answered. */
export type Load = {
  /** Sent in a cycle; each connection starts at another request. */
  readonly asks: readonly Ask[]
  /** Sent in a cycle by one more connection during the load; not counted. */
  readonly meanwhile?: readonly Ask[] | undefined
  readonly connections: number
  /** A duration in seconds; or a number of requests, one after the other, however long they take. */
  readonly until: { readonly seconds: number } | { readonly requests: number }
  /** The required status of every answer. */
  readonly status: number
}

/** The results of a load. Times in milliseconds, sorted. */
export type Answers = {
  readonly times: readonly number[]
  /** Requests that were sent: a few more than were answered if the time ran out. */
  readonly sent: number
  /** From the first request to the last answer. */
  readonly ms: number
}

/** Timeout of an answer, in seconds: with a remote database, WordPress takes three minutes for a tree of 1,000 items. */
const TIMEOUT_SECONDS = 600

/**
 * Sends requests to a contender as fast as it answers them.
 * @throws Error if an answer has another status, or a request is not answered
 */
export async function runLoad(contender: Contender, load: Load): Promise<Answers> {
  const { meanwhile, ...rest } = load
  const [answers] = await Promise.all([
    runOne(contender, rest),
    ...(meanwhile ? [runOne(contender, { ...rest, asks: meanwhile, connections: 1 })] : []),
  ])
  return answers
}

async function runOne(contender: Contender, load: Omit<Load, 'meanwhile'>): Promise<Answers> {
  const requests = load.asks.map((ask) => requestTo(contender, ask))
  const { origin } = new URL(requests[0]?.url ?? '')
  const sent = requests.map(({ url, method, headers, body }) => ({
    path: url.slice(origin.length),
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  }))
  let clients = 0
  const options: autocannon.Options = {
    url: origin,
    timeout: TIMEOUT_SECONDS,
    requests: sent,
    ...('requests' in load.until
      ? { connections: 1, amount: load.until.requests }
      : { connections: load.connections, duration: load.until.seconds }),
    setupClient: (client) => {
      const begin = Math.floor((sent.length * clients) / load.connections)
      client.setRequests([...sent.slice(begin), ...sent.slice(0, begin)])
      clients += 1
    },
  }
  const times: number[] = []
  const start = performance.now()
  let last = start
  let wrong: number | undefined
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

/** The time within which this share of the answers came; 0 without answers. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
