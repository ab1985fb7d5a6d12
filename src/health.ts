import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from './log.ts'

/** A part that requests need: resolves where it is there, throws where it is not. */
export type ReadinessCheck = {
  readonly test: () => Promise<unknown>
  /** False for what is shown but keeps no request from being answered. */
  readonly required: boolean
}

export type Readiness = {
  readonly status: 'ready' | 'unready' | 'stopping'
  /** By name. Why one is down is in the log, not here. */
  readonly parts: Readonly<Record<string, 'up' | 'down'>>
}

/** How long a part may take, in milliseconds. */
const CHECK_TIMEOUT_MS = 2000
/** How long what was found is told again: probes need no token, and must not become a load. In milliseconds. */
const CACHED_MS = 1000

/** Whether this process can answer requests. However often that is asked, it is looked into once a second. */
export class ReadinessProbe {
  readonly #checks: Readonly<Record<string, ReadinessCheck>>
  #kept: { readonly at: number; readonly found: Promise<Readiness> } | undefined
  readonly #log: Log
  readonly #down = new Set<string>()
  #stopping = false

  constructor(checks: Readonly<Record<string, ReadinessCheck>>, log: Log) {
    this.#checks = checks
    this.#log = log
  }

  /** From now on it is stopping, whatever its parts do. */
  stop(): void {
    this.#stopping = true
  }

  async read(): Promise<Readiness> {
    if (this.#stopping) return { status: 'stopping', parts: {} }
    const now = performance.now()
    if (!this.#kept || now - this.#kept.at > CACHED_MS)
      this.#kept = { at: now, found: this.#look() }
    return this.#kept.found
  }

  async #look(): Promise<Readiness> {
    const checks = Object.entries(this.#checks)
    const found = await Promise.all(
      checks.map(async ([name, check]) => ({ name, check, up: await this.#isUp(name, check) })),
    )
    const isReady = found.every(({ check, up }) => up || !check.required)
    return {
      status: isReady ? 'ready' : 'unready',
      parts: Object.fromEntries(found.map(({ name, up }) => [name, up ? 'up' : 'down'])),
    }
  }

  async #isUp(part: string, { test }: ReadinessCheck): Promise<boolean> {
    try {
      await withTimeout(test())
      if (this.#down.delete(part)) this.#log.info({ part }, 'a part is up again')
      return true
    } catch (error) {
      if (!this.#down.has(part)) this.#log.warn({ part, err: error }, 'a part is down')
      this.#down.add(part)
      return false
    }
  }
}

async function withTimeout(work: Promise<unknown>): Promise<void> {
  const waiting = new AbortController()
  const late = sleep(CHECK_TIMEOUT_MS, undefined, { signal: waiting.signal }).then(() => {
    throw new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)
  })
  try {
    await Promise.race([work, late])
  } finally {
    waiting.abort()
    // Neither is waited for any more.
    for (const unheard of [work, late]) unheard.catch(() => {})
  }
}

/** `localhost`, an IPv4 address, or an IPv6 address in brackets, with a port or without. */
const BY_ADDRESS = /^(?:localhost|\d+(?:\.\d+){3}|\[[0-9a-f:.]+\])(?::\d+)?$/i

/**
 * Answers `GET /healthz`: the process is alive; and `GET /readyz`: it can answer requests, else 503 with the part that is down. Neither
 * takes a token or counts against a limit.
 * @param byAddressOnly leaves requests that name a host to others: below a site's name, every path is the site's
 */
export function answerProbes(
  probe: Pick<ReadinessProbe, 'read'>,
  { byAddressOnly }: { readonly byAddressOnly: boolean },
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const path = request.url?.split('?', 1)[0]
    if (path !== '/healthz' && path !== '/readyz') return false
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    if (byAddressOnly && !BY_ADDRESS.test(request.headers.host ?? '')) return false
    if (path === '/healthz') sendJson(response, 200, { status: 'ok' })
    else void sendReadiness(probe, response)
    return true
  }
}

/** A probe that fails must not end the process. */
async function sendReadiness(
  probe: Pick<ReadinessProbe, 'read'>,
  response: ServerResponse,
): Promise<void> {
  try {
    const found = await probe.read()
    sendJson(response, found.status === 'ready' ? 200 : 503, found)
  } catch {
    sendJson(response, 503, { status: 'unready', parts: {} })
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    .end(JSON.stringify(body))
}
