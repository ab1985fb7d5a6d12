import http from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { FairQueue } from '#wp-frames/host/concurrency/fair-queue'
import type { StoreAddress } from '#wp-frames/host/config/store-address'
import { sha256Hex } from '#wp-frames/host/hash'
import type { Timings } from '#wp-frames/host/timings'
import { readRefusal } from './store-answer.ts'
import type { StoreCredentials } from './store-credentials.ts'
import { StoreError } from './store-error.ts'

/** Requests at once. */
export const REQUESTS_AT_ONCE = 32
/** Requests at once for one site. */
export const REQUESTS_PER_SITE = 16
/** Attempts at a request that the store refuses for the moment. */
const ATTEMPTS = 4
/** Largest body of an answer, in bytes. */
export const MAX_OBJECT_BYTES = 64 * 1024 * 1024
/** The code of an answer that is larger. */
export const TOO_LARGE = 'the answer is too large'

export type StoreRequest = {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Key of the object, with the prefix; `` for the bucket. */
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** Statuses that are answers, not errors, besides 2xx. */
  readonly expected?: readonly number[]
  /** Called before each attempt is signed; its error ends the request. */
  readonly beforeSigning?: () => Promise<void>
  /** Called for each attempt that was sent and not answered: the store may execute it later. */
  readonly onUnanswered?: () => void
  /** One attempt, and less patience: a visitor waits. */
  readonly isUrgent?: boolean
}

export type StoreResponse = {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

/**
 * Sends requests to a store, signed with AWS Signature Version 4. The number of requests at once is bounded, in all and for each site. A
 * request that the store refuses for the moment is repeated after a pause, in which it holds no slot.
 */
export class StoreClient {
  readonly address: StoreAddress
  readonly #credentials: StoreCredentials
  readonly #agent: http.Agent
  readonly #timings: Timings['store']
  readonly #queue: FairQueue
  /** By how much the clock of this machine was ahead of that of the store at the last answer, in milliseconds. */
  skewMs = 0
  /** Keys that are derived for a day and region. */
  #signingKeys = new Map<string, ArrayBuffer>()

  constructor(address: StoreAddress, credentials: StoreCredentials, timings: Timings['store']) {
    this.address = address
    this.#credentials = credentials
    this.#timings = timings
    this.#queue = new FairQueue({
      resource: 'the store of the static copies',
      concurrency: REQUESTS_AT_ONCE,
      concurrencyPerKey: REQUESTS_PER_SITE,
      maxWaitingPerKey: Number.POSITIVE_INFINITY,
      maxWaitMs: timings.waitMs,
    })
    const options = { keepAlive: true, maxFreeSockets: REQUESTS_AT_ONCE }
    this.#agent = address.baseUrl.startsWith('https:')
      ? new https.Agent(options)
      : new http.Agent(options)
  }

  /** Ends the connections. */
  close(): void {
    this.#agent.destroy()
  }

  /**
   * Sends a request.
   * @param lane requests of one site wait behind one another, not behind those of other sites
   * @throws StoreError
   */
  async send(lane: number, request: StoreRequest): Promise<StoreResponse> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#queue.run(String(lane), () => this.#attempt(request))
      } catch (error) {
        const isLast = attempt === ATTEMPTS || request.isUrgent === true
        if (isLast || !(error instanceof StoreError) || !error.isTemporary) throw error
        const { pauseMs, maxPauseMs } = this.#timings
        const pause = error.retryAfterMs ?? pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random())
        await sleep(Math.min(pause, maxPauseMs))
      }
    }
  }

  async #attempt(request: StoreRequest): Promise<StoreResponse> {
    await request.beforeSigning?.()
    const response = await this.#exchange(request)
    const { status, headers } = response
    const date = Date.parse(headers.date ?? '')
    if (!Number.isNaN(date)) this.skewMs = Date.now() - date
    if ((status >= 200 && status < 300) || request.expected?.includes(status)) return response
    // A proxy has answered in place of the store.
    if (status === 502 || status === 504) request.onUnanswered?.()
    const refusal = readRefusal(status, response, await this.#credentials.get())
    if (status === 403 || status === 400) this.#credentials.forget()
    const retryAfterMs = Number(headers['retry-after']) * 1000 || undefined
    throw new StoreError(nameRequest(request), { status, ...refusal, retryAfterMs })
  }

  async #exchange(request: StoreRequest): Promise<StoreResponse> {
    const { method, key, query = {}, body } = request
    const credentials = await this.#credentials.get()
    const url = new URL(this.address.baseUrl + encodeKey(key))
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const signed = await new AwsV4Signer({
      ...credentials,
      method,
      url: url.href,
      headers: { ...request.headers, 'X-Amz-Content-Sha256': sha256Hex(body ?? '') },
      service: 's3',
      region: this.address.region,
      cache: this.#signingKeys,
      // Also Content-Type: Ceph refuses signatures without it since version 20.
      allHeaders: true,
    }).sign()
    const silenceMs = this.#timings[request.isUrgent ? 'urgentSilenceMs' : 'silenceMs']
    const headers = Object.fromEntries(signed.headers)
    try {
      return await this.#receive(signed.url, { method, headers, silenceMs }, request)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
      throw new StoreError(nameRequest(request), { status: 0, code }, error)
    }
  }

  #receive(
    url: URL,
    { method, headers, silenceMs }: { method: string; headers: object; silenceMs: number },
    { body, onUnanswered }: StoreRequest,
  ): Promise<StoreResponse> {
    const { request } = url.protocol === 'https:' ? https : http
    return new Promise((resolve, reject) => {
      const length = body || method === 'PUT' ? { 'Content-Length': body?.length ?? 0 } : {}
      const options = { method, headers: { ...headers, ...length }, agent: this.#agent }
      const sent = request(url, options, (response) => {
        const chunks: Buffer[] = []
        let bytes = 0
        // The store has executed the request.
        response.on('error', reject)
        if (method === 'GET' && Number(response.headers['content-length']) > MAX_OBJECT_BYTES)
          sent.destroy(failure(TOO_LARGE))
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > MAX_OBJECT_BYTES) sent.destroy(failure(TOO_LARGE))
          else chunks.push(chunk)
        })
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        )
      })
      sent.setTimeout(silenceMs, () => sent.destroy(failure(`no answer in ${silenceMs} ms`)))
      let isSent = false
      sent.on('finish', () => {
        isSent = true
      })
      sent.on('error', (error) => {
        if (isSent) onUnanswered?.()
        reject(error)
      })
      sent.end(body)
    })
  }
}

const failure = (code: string): Error => Object.assign(new Error(code), { code })

const nameRequest = ({ method, key }: StoreRequest): string => `${method} "${key}"`

/** Each segment percent-encoded as signatures need it (RFC 3986). */
function encodeKey(key: string): string {
  return encodeURIComponent(key)
    .replace(/%2F/g, '/')
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}
