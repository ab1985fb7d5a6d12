import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseUrl } from '../../parse-url.ts'
import type { Timings } from '../../timings.ts'
import { CommandError } from '../cli-context.ts'
import type { Login } from './logins.ts'

/** A request to a service. */
export type ServiceRequest = {
  /** In upper case. */
  readonly method: string
  /** Below the address of the API, with the query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** As it is sent. */
  readonly body?: string | undefined
  /** Ends the request, also while it waits to be sent again. */
  readonly signal?: AbortSignal | undefined
}

/** The service, or a proxy before it, is away for now. */
export class NoAnswerError extends CommandError {}

/** A response with its whole body. */
export type ServiceResponse = Pick<Response, 'ok' | 'status' | 'statusText' | 'headers'> & {
  readonly text: string
}

/** How often a request is sent again: to a service that is busy, and without a response, because somebody waits for the command. */
const RETRIES = { busy: 5, silent: 2 }

/**
 * Sends a request with the token of a login, and again if the service is busy or the connection fails, as the client of scripts does. A write
 * has a key, so that it is stored once.
 * @throws CommandError without a response, and for a redirect, which is not followed because the token would be sent to another address; the
 * reason of the signal
 */
export async function sendRequest(
  login: Login,
  request: ServiceRequest,
  { backOffMs, maxWaitSeconds, longWaitSeconds }: Timings['cli'],
): Promise<ServiceResponse> {
  assertSecure(login.url, login.insecure)
  const headers = new Headers(request.headers)
  headers.set('Authorization', `Bearer ${login.token}`)
  headers.set('Accept', 'application/json')
  if (request.body !== undefined && !headers.has('Content-Type'))
    headers.set('Content-Type', 'application/json')
  const isKeyOwn = request.method !== 'GET' && !headers.has('Idempotency-Key')
  if (isKeyOwn) headers.set('Idempotency-Key', randomUUID())
  const url = `${login.url}${request.path}`
  const { method, body = null, signal = null } = request
  for (let attempt = 1; ; attempt += 1) {
    const received = await receive(url, { method, headers, body, redirect: 'manual', signal })
    signal?.throwIfAborted()
    if (isKeyOwn && isTooLargeForKey(received)) {
      // Nothing was stored. Without a key, the answer need not be kept.
      headers.delete('Idempotency-Key')
      continue
    }
    const wait = waitAfter(received, attempt, backOffMs)
    const retries = received instanceof Error ? RETRIES.silent : RETRIES.busy
    if (wait === undefined || wait > maxWaitSeconds || attempt > retries)
      return settle(received, { method, url })
    if (wait >= longWaitSeconds)
      process.stderr.write(`The service is busy; trying again in ${Math.ceil(wait)} s.\n`)
    await sleep(wait * 1000, undefined, signal ? { signal } : {})
  }
}

/** Whether the service refuses a write because it would have to keep its answer for the key. */
function isTooLargeForKey(received: ServiceResponse | Error): boolean {
  if (received instanceof Error || received.status !== 413) return false
  return received.text.includes('"idempotent_answer_too_large"')
}

/** The body is read here, so that a connection that is lost in the middle of a response counts as one without a response. */
async function receive(url: string, init: RequestInit): Promise<ServiceResponse | Error> {
  try {
    const response = await fetch(url, init)
    const { ok, status, statusText, headers } = response
    return { ok, status, statusText, headers, text: await response.text() }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Seconds after which to send a request again; undefined for never. */
function waitAfter(
  received: ServiceResponse | Error,
  attempt: number,
  backOffMs: number,
): number | undefined {
  const backOff = (backOffMs / 1000) * 2 ** (attempt - 1) * (1 + Math.random())
  if (received instanceof Error) return backOff
  const { status, headers } = received
  const isOfProxy = !headers.get('Content-Type')?.includes('json')
  const isTemporary = status === 429 || status === 503
  // The service's own 502 says that the write is stored.
  if (!isTemporary && !((status === 502 || status === 504) && isOfProxy)) return undefined
  const asked = headers.get('Retry-After')
  return asked !== null && /^\d+$/.test(asked) ? Number(asked) : backOff
}

function settle(
  received: ServiceResponse | Error,
  { method, url }: { readonly method: string; readonly url: string },
): ServiceResponse {
  if (received instanceof Error)
    throw new NoAnswerError(
      `No response to ${method} ${url}: ${reasonOf(received)}. Check the address, and whether the service runs.`,
    )
  if (received.status < 300 || received.status > 399) return received
  throw new CommandError(
    `${url} redirects to ${received.headers.get('Location') ?? 'another address'}. The token was not sent there. If it is the address of the API, log in with it: wp-frames login <url>.`,
  )
}

/** The reason of a failed connection, which `fetch` has in the cause of its error. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message || String(Reflect.get(cause, 'code')) : message
}

/** @throws CommandError for an address without TLS that is not on this machine: others on the way could read the token */
export function assertSecure(address: string, insecure: boolean): void {
  const url = parseUrl(address)
  if (insecure || url?.protocol === 'https:' || isLoopback(url?.hostname ?? '')) return
  throw new CommandError(
    `${address} is not encrypted, so that others could read the token on its way. Use https://, or --insecure in a network that you trust.`,
  )
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
