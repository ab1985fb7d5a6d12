import type { LookupAddress } from 'node:dns'
import { lookup as systemLookup } from 'node:dns/promises'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { parseUrl } from '../parse-url.ts'
import { parseRetryAfter } from '../retry-after.ts'
import type { Timings } from '../timings.ts'
import { ReceiverNames } from './receiver-names.ts'
import type { Receivers } from './receivers.ts'

/** What is sent to an address. */
export type PostedMessage = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How a try ended. */
export type Attempt = {
  readonly status: 'delivered' | 'failed'
  /** Null without a response. */
  readonly http_status: number | null
  readonly ms: number
  /** A sentence; null for `delivered`. It contains neither the address nor what was sent; of a redirect it names the host. */
  readonly error: string | null
  /** How long the receiver asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined
}

export type ReceiverClientOptions = {
  readonly receivers: Receivers
  readonly timings: Timings['webhooks']
  /** The addresses of a host [from the system for names that the operator allows, from the name servers for all others] */
  readonly lookup?: (host: string) => Promise<LookupAddress[]>
  /** Addresses with ports [those of the system] */
  readonly nameServers?: readonly string[]
}

type SendOptions = {
  /** The site whose user has chosen the address [0, the network] */
  readonly blogId?: number
  /** Ends the try [never] */
  readonly signal?: AbortSignal | undefined
}

/** The answer of a receiver that wants no further message. */
export const GONE = 410

/** Longer hosts are not named. */
const MAX_ORIGIN_CHARACTERS = 200

/** Names the host that a redirect leads to. Its path may be as secret as that of the receiver. */
function describeRedirect(status: number, location: string | undefined, from: URL): string {
  const refused = `The receiver answered with a redirect (${status}), which is not followed`
  const to = parseUrl(location ?? '', from)
  if (!to || !['http:', 'https:'].includes(to.protocol)) return `${refused}.`
  if (to.origin === from.origin)
    return `${refused}. It leads to another address of the same host: register that address.`
  if (to.origin.length > MAX_ORIGIN_CHARACTERS) return `${refused}.`
  return `${refused}. It leads to ${to.origin}: register the address there.`
}

/** Bytes of a response that are read: nobody needs them, but some receivers stop their work when the connection ends before. */
const MAX_RESPONSE_BYTES = 4096
/** Informational responses (1xx) before the final one, and bytes before it. A receiver that sends more is cut off: each is parsed on the main thread. */
const MAX_INFORMATION = 5
const MAX_HEAD_BYTES = 64 * 1024
const MAX_HEADER_BYTES = 16 * 1024

/** Sends messages to addresses that users choose, each by a connection of its own. No redirect is followed, and no connection is made to an address that is not allowed. */
export class ReceiverClient {
  readonly #options: ReceiverClientOptions
  readonly #names: ReceiverNames

  constructor(options: ReceiverClientOptions) {
    this.#options = options
    this.#names = new ReceiverNames(options)
  }

  get receivers(): Receivers {
    return this.#options.receivers
  }

  /** Ends the lookups of names. */
  close(): void {
    this.#names.close()
  }

  /** Sends a message once. */
  async send(
    address: string,
    message: PostedMessage,
    { blogId = 0, signal }: SendOptions = {},
  ): Promise<Attempt> {
    const begin = performance.now()
    const timeout = AbortSignal.timeout(this.#options.timings.sendTimeoutMs)
    const ended = signal ? AbortSignal.any([timeout, signal]) : timeout
    const attempt = await this.#attempt(new URL(address), message, { blogId, signal: ended }).catch(
      (error) =>
        failure(null, timeout.aborted ? 'The receiver did not answer in time.' : sentenceOf(error)),
    )
    return { ...attempt, ms: Math.round(performance.now() - begin) }
  }

  async #attempt(url: URL, message: PostedMessage, sending: Sending): Promise<SentAttempt> {
    const fault = this.receivers.findFault(url.href)
    if (fault !== undefined) return failure(null, `The address ${fault}.`)
    const { statusCode: status = 0, headers } = await this.#request(url, message, sending)
    if (status >= 200 && status < 300)
      return { status: 'delivered', http_status: status, error: null }
    if (status === GONE) return failure(status, 'The receiver wants no further message (410).')
    if (status >= 300 && status < 400)
      return failure(status, describeRedirect(status, headers.location, url))
    const failed = failure(status, `The receiver answered with ${status}.`)
    if (status !== 429 && status < 502) return failed
    const { maxRetryAfterMs } = this.#options.timings
    return { ...failed, retryAfterMs: parseRetryAfter(headers['retry-after'], maxRetryAfterMs) }
  }

  /** Resolves with the begin of the response. */
  #request(url: URL, message: PostedMessage, sending: Sending): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { request } = url.protocol === 'https:' ? https : http
      const sent = request(url, {
        method: 'POST',
        agent: false,
        signal: sending.signal,
        maxHeaderSize: MAX_HEADER_BYTES,
        lookup: this.#lookupOf(sending),
        headers: {
          ...message.headers,
          'content-length': Buffer.byteLength(message.body),
          'user-agent': 'wp-frames',
        },
      })
      limitHead(sent)
      sent.on('response', (response) => {
        drain(response)
        resolve(response)
      })
      sent.on('error', reject)
      // The connection is not HTTP any more, or ended before an answer came.
      sent.once('upgrade', (response, socket) => {
        socket.destroy()
        resolve(response)
      })
      sent.once('close', () => reject(new Error('the connection was closed')))
      sent.end(message.body)
    })
  }

  /**
   * Resolves a host to the addresses that are allowed. The connection is made to one of them, so no later answer of a name server matters.
   */
  #lookupOf(sending: Sending): LookupFunction {
    return (host, options, callback) => {
      const allowed = this.#findAllowed(host, sending)
      allowed.then(
        ([first, ...others]) =>
          options.all
            ? callback(null, [first, ...others])
            : callback(null, first.address, first.family),
        (error: NodeJS.ErrnoException) => callback(error, '', 0),
      )
    }
  }

  async #findAllowed(
    host: string,
    { blogId, signal }: Sending,
  ): Promise<[LookupAddress, ...LookupAddress[]]> {
    const { receivers, lookup } = this.#options
    const isNamed = receivers.allowsName(host)
    // Names that the operator allows may be in the files of this machine.
    const ofDefault = () =>
      isNamed ? systemLookup(host, { all: true }) : this.#names.find(host, blogId, signal)
    const found = await (lookup?.(host) ?? ofDefault())
    const [first, ...others] = found.filter(
      ({ address }) => isNamed || receivers.allowsAddress(address),
    )
    if (first) return [first, ...others]
    throw new RefusedError(
      found.length > 0
        ? 'The host has no public address. The operator can allow it with WEBHOOK_ALLOW_HOSTS.'
        : 'The host has no address.',
    )
  }
}

/** A try. */
type Sending = { readonly blogId: number; readonly signal: AbortSignal }

type SentAttempt = Omit<Attempt, 'ms'>

const failure = (http_status: number | null, error: string): SentAttempt => ({
  status: 'failed',
  http_status,
  error,
})

/** Its message may be shown. */
class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

/** Ends a request whose receiver sends too much before the status of its response. */
function limitHead(sent: ClientRequest): void {
  const end = () =>
    sent.destroy(
      new RefusedError(
        'The receiver sent too much before the status of its response, so the connection was ended.',
      ),
    )
  let count = 0
  sent.on('information', () => {
    count += 1
    if (count > MAX_INFORMATION) end()
  })
  sent.once('socket', (socket) => {
    const begin = socket.bytesRead
    const onData = () => {
      if (socket.bytesRead - begin > MAX_HEAD_BYTES) end()
    }
    socket.on('data', onData)
    for (const event of ['response', 'close']) sent.once(event, () => socket.off('data', onData))
  })
}

/** Reads the begin of a response. */
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
  if (error instanceof RefusedError) return error.message
  const code = /^[A-Z0-9_]+$/.test(error.code ?? '') ? ` (${error.code})` : ''
  return `The receiver could not be reached${code}.`
}
