import autocannon from 'autocannon'
import { type Ask, type Contender, requestTo } from '../contender.ts'

/** How requests are sent: each connection sends the next one when the last is answered. */
export type Load = {
  /** Sent in turn; each connection begins elsewhere. */
  readonly asks: readonly Ask[]
  /** Sent in turn by one more connection all the while, and not counted. */
  readonly meanwhile?: readonly Ask[] | undefined
  readonly connections: number
  /** For how many seconds; or so many requests, one after the other, however long they take. */
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
    timeout: PATIENCE,
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

/** The time that this share of the answers did not take longer than; 0 of none. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
