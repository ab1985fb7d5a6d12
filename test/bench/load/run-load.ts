import { type Ask, type Contender, requestTo } from '../contender.ts'
import { KeptConnection } from './kept-connection.ts'

/** How requests are sent: each connection sends the next request when the previous one is answered. */
export type Load = {
  /** Sent in a cycle; each connection starts at another request. */
  readonly asks: readonly Ask[]
  readonly connections: number
  /** A duration in seconds; or a number of requests, one after the other, however long they take. */
  readonly until: { readonly seconds: number } | { readonly requests: number }
  /** The required status of every answer. */
  readonly status: number
}

/** The results of a load. Times in milliseconds, sorted. */
export type Answers = {
  readonly times: readonly number[]
  /** From the first request to the last answer. */
  readonly ms: number
}

/**
 * Sends requests to a contender as fast as it answers them.
 * @throws Error if an answer has another status, or a request is not answered
 */
export async function runLoad(contender: Contender, load: Load): Promise<Answers> {
  const { until, asks } = load
  const requests = asks.map((ask) => bytesOf(contender, ask))
  const { apiUrl, frontUrl } = contender
  const times: number[] = []
  const begin = performance.now()
  const isOver = (sent: number): boolean =>
    'requests' in until ? sent >= until.requests : performance.now() - begin >= until.seconds * 1000
  const send = async (first: number): Promise<void> => {
    const connection = new KeptConnection(asks[0]?.at === 'front' ? frontUrl : apiUrl)
    try {
      for (let sent = 0; !isOver(sent); sent += 1) {
        const at = (first + sent) % requests.length
        const sentAt = performance.now()
        const status = await connection.send(requests[at] ?? Buffer.alloc(0))
        times.push(performance.now() - sentAt)
        if (status !== load.status)
          throw new Error(`${contender.name} answered ${asks[at]?.path} with ${status}`)
      }
    } finally {
      connection.close()
    }
  }
  const connections = 'requests' in until ? 1 : load.connections
  const begins = Array.from({ length: connections }, (_, at) => (asks.length * at) / connections)
  await Promise.all(begins.map((at) => send(Math.floor(at))))
  return { times: times.sort((a, b) => a - b), ms: performance.now() - begin }
}

/** A request as it is sent. All are made before the load, because that shares the machine with what is measured. */
function bytesOf(contender: Contender, ask: Ask): Buffer {
  const { url, method, headers, body = '' } = requestTo(contender, ask)
  const { pathname, search } = new URL(url)
  const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) }
  const fields = Object.entries({ ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return Buffer.from([`${method} ${pathname}${search} HTTP/1.1`, ...fields, '', body].join('\r\n'))
}

/** The time within which this share of the answers came; 0 without answers. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
