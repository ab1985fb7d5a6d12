import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { FairQueue } from '../concurrency/fair-queue.ts'
import { parseUrl } from '../parse-url.ts'
import { parseRetryAfter } from '../retry-after.ts'
import type { Timings } from '../timings.ts'
import type { Receivers } from './receivers.ts'
import type { SignedMessage } from './sign-message.ts'

/** How a try ended. */
export type Attempt = {
  /** `gone`: the receiver wants no further message (410). */
  readonly outcome: 'delivered' | 'failed' | 'gone'
  /** Null without a response. */
  readonly status: number | null
  readonly ms: number
  /** A sentence; null for `delivered`. It contains neither the address nor what was sent; of a redirect it names the host. */
  readonly error: string | null
  /** How long the receiver asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined
}

export type WebhookSenderOptions = {
  readonly receivers: Receivers
  readonly timings: Timings['webhooks']
  /** Resolves the name of a host [the system's for names that the operator allows, the name servers for all others] */
  readonly lookup?: LookupFunction
  /** Addresses with ports [those of the system] */
  readonly nameServers?: readonly string[]
}

/** Messages that users send by hand: each may last as long as a try. */
export const MESSAGES_AT_ONCE = {
  resource: 'other messages that were sent by hand',
  concurrency: 8,
  concurrencyPerKey: 2,
  maxWaitingPerKey: 4,
}

/** Longer hosts are not named. */
const MAX_ORIGIN_CHARACTERS = 200

/** Names the host that a redirect leads to. Its path may be as secret as that of the webhook. */
function describeRedirect(status: number, location: string | undefined, from: URL): string {
  const refused = `The receiver answered with a redirect (${status}), which is not followed`
  const to = parseUrl(location ?? '', from)
  if (!to || !['http:', 'https:'].includes(to.protocol)) return `${refused}.`
  if (to.origin === from.origin)
    return `${refused}. It leads to another address of the same host: register that address.`
  if (to.origin.length > MAX_ORIGIN_CHARACTERS) return `${refused}.`
  return `${refused}. It leads to ${to.origin}: register the address there.`
}

/** Bytes of a response that are read: nobody needs them, but the connection is used again when they end. */
const MAX_RESPONSE_BYTES = 4096
/** Informational responses (1xx) before the final one, and bytes before it. A receiver that sends more is cut off: each is parsed on the main thread. */
const MAX_INFORMATION = 5
const MAX_HEAD_BYTES = 64 * 1024
const MAX_HEADER_BYTES = 16 * 1024
/** Connections to one host without a request that are kept. */
const MAX_FREE_SOCKETS = 2

/** Sends messages. No redirect is followed, and no connection is made to an address that is not allowed. */
export class WebhookSender {
  readonly #options: WebhookSenderOptions
  readonly #http: HttpAgent
  readonly #https: HttpsAgent
  /** Name servers are asked by this process itself: a silent one would occupy the threads of the system's lookups, for which all others wait. */
  readonly #resolver: Resolver
  readonly #byHand: FairQueue

  constructor(options: WebhookSenderOptions) {
    this.#options = options
    const { lookupMs, byHandWaitMs: maxWaitMs } = options.timings
    this.#resolver = new Resolver({ timeout: lookupMs, tries: 1 })
    if (options.nameServers) this.#resolver.setServers(options.nameServers)
    this.#byHand = new FairQueue({ ...MESSAGES_AT_ONCE, maxWaitMs })
    const agent = {
      keepAlive: true,
      maxFreeSockets: MAX_FREE_SOCKETS,
      timeout: options.timings.freeSocketMs,
      lookup: this.#lookup,
    }
    this.#http = new HttpAgent(agent)
    this.#https = new HttpsAgent(agent)
  }

  get receivers(): Receivers {
    return this.#options.receivers
  }

  /** Runs what sends a message by hand. @param blogId 0 for the network. @throws AppError `service_busy` if too many are sent of the site at once */
  byHand<T>(blogId: number, work: () => Promise<T>): Promise<T> {
    return this.#byHand.run(String(blogId), work)
  }

  /** Ends the connections that wait for a further message. */
  close(): void {
    this.#resolver.cancel()
    this.#http.destroy()
    this.#https.destroy()
  }

  /** Sends a message once. @param signal ends the try */
  async send(address: string, message: SignedMessage, signal?: AbortSignal): Promise<Attempt> {
    const begin = performance.now()
    const timeout = AbortSignal.timeout(this.#options.timings.sendTimeoutMs)
    const ended = signal ? AbortSignal.any([timeout, signal]) : timeout
    const attempt = await this.#attempt(new URL(address), message, ended).catch(
      (error): Omit<Attempt, 'ms'> => ({
        outcome: 'failed',
        status: null,
        error: timeout.aborted ? 'The receiver did not answer in time.' : sentenceOf(error),
      }),
    )
    return { ...attempt, ms: Math.round(performance.now() - begin) }
  }

  async #attempt(
    url: URL,
    message: SignedMessage,
    signal: AbortSignal,
  ): Promise<Omit<Attempt, 'ms'>> {
    const fault = this.receivers.findFault(url.href)
    if (fault !== undefined)
      return { outcome: 'failed', status: null, error: `The address ${fault}.` }
    const response = await this.#request(url, message, signal)
    const status = response.statusCode ?? 0
    if (status >= 200 && status < 300) return { outcome: 'delivered', status, error: null }
    if (status === 410)
      return { outcome: 'gone', status, error: 'The receiver wants no further message (410).' }
    return {
      outcome: 'failed',
      status,
      error:
        status >= 300 && status < 400
          ? describeRedirect(status, response.headers.location, url)
          : `The receiver answered with ${status}.`,
      retryAfterMs:
        status === 429 || status >= 502
          ? parseRetryAfter(response.headers['retry-after'], this.#options.timings.maxRetryAfterMs)
          : undefined,
    }
  }

  /** Resolves with the begin of the response. */
  #request(url: URL, message: SignedMessage, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const isHttps = url.protocol === 'https:'
      const headers = headersOf(message)
      const options = { method: 'POST', signal, headers, maxHeaderSize: MAX_HEADER_BYTES }
      const sent: ClientRequest = isHttps
        ? requestHttps(url, { ...options, agent: this.#https })
        : request(url, { ...options, agent: this.#http })
      limitHead(sent)
      sent.on('response', (response) => {
        drain(response)
        resolve(response)
      })
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The receiver has closed a connection that waited; the message did not arrive.
        if (sent.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted)
          resolve(this.#request(url, message, signal))
        else reject(error)
      })
      // The connection is not HTTP any more, or ended before an answer came.
      sent.once('upgrade', (response, socket) => {
        socket.destroy()
        resolve(response)
      })
      sent.once('close', () => reject(new Error('the connection was closed')))
      sent.end(message.body)
    })
  }

  /** Names that the operator allows may be in the files of this machine. */
  #lookupOf(host: string): LookupFunction {
    if (this.receivers.allowsName(host)) return systemLookup as LookupFunction
    return (name, _options, callback) => {
      this.#resolve(name).then(
        (found) => callback(null, found),
        (error: NodeJS.ErrnoException) => callback(error, []),
      )
    }
  }

  async #resolve(host: string): Promise<LookupAddress[]> {
    const results = await Promise.allSettled([
      this.#resolver.resolve4(host),
      this.#resolver.resolve6(host),
    ])
    const found = results.flatMap((result, index) =>
      result.status === 'fulfilled'
        ? result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
        : [],
    )
    const [first] = results
    if (found.length === 0 && first?.status === 'rejected') throw first.reason
    return found
  }

  /** Resolves a host to the addresses that are allowed. The connection is made to one of them, so no later answer of a name server matters. */
  readonly #lookup: LookupFunction = (host, options, callback) => {
    const { receivers } = this.#options
    const lookup = this.#options.lookup ?? this.#lookupOf(host)
    lookup(host, { ...options, all: true }, (error, found) => {
      const addresses = Array.isArray(found) ? found : []
      const isNamed = receivers.allowsName(host)
      const allowed = addresses.filter((one) => isNamed || receivers.allowsAddress(one.address))
      const [first] = allowed
      if (error) callback(error, '', 0)
      else if (!first) callback(new BlockedError(addresses.length > 0), '', 0)
      else if (options.all) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
}

/** Ends a request whose receiver sends too much before the status of its response. */
function limitHead(sent: ClientRequest): void {
  let count = 0
  sent.on('information', () => {
    count += 1
    if (count > MAX_INFORMATION) sent.destroy(new FloodError())
  })
  sent.once('socket', (socket) => {
    const begin = socket.bytesRead
    const onData = () => {
      if (socket.bytesRead - begin > MAX_HEAD_BYTES) sent.destroy(new FloodError())
    }
    socket.on('data', onData)
    for (const event of ['response', 'close']) sent.once(event, () => socket.off('data', onData))
  })
}

/** Too much came before the status. */
class FloodError extends Error {
  override readonly name = 'FloodError'
}

/** The host has no address that is allowed. */
class BlockedError extends Error {
  override readonly name = 'BlockedError'
  constructor(hasAddresses: boolean) {
    super(
      hasAddresses
        ? 'The host has no public address. The operator can allow it with WEBHOOK_ALLOW_HOSTS.'
        : 'The host has no address.',
    )
  }
}

const headersOf = ({ headers, body }: SignedMessage): Record<string, string | number> => ({
  ...headers,
  'content-length': Buffer.byteLength(body),
  'user-agent': 'wp-frames',
})

/** Reads the begin of a response, so that its connection can be used again. */
function drain(response: IncomingMessage): void {
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_RESPONSE_BYTES) response.destroy()
  })
  response.on('error', () => {})
}

/** Of an error of the system, only the code: its message may contain the address. */
function sentenceOf(error: NodeJS.ErrnoException): string {
  if (error instanceof BlockedError) return error.message
  if (error instanceof FloodError)
    return 'The receiver sent too much before the status of its response, so the connection was ended.'
  const code = /^[A-Z0-9_]+$/.test(error.code ?? '') ? ` (${error.code})` : ''
  return `The receiver could not be reached${code}.`
}
