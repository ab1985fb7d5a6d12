import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from './log.ts'
import type { Timings } from './timings.ts'
import { within } from './within.ts'

/** The check of a part that requests depend on. */
export type ReadinessCheck = {
  readonly test: () => Promise<unknown>
  /** False if the process is ready without this part; it is only listed. */
  readonly required: boolean
  /** Whether anyone may read the message of the error [false]. */
  readonly isPublic?: boolean
  /** Whether the part is listed only while it is down [false]. */
  readonly isExceptional?: boolean
}

export type Readiness = {
  readonly status: 'ready' | 'unready' | 'stopping'
  /** By name. */
  readonly parts: Readonly<Record<string, 'up' | 'down'>>
  /** Why parts are down, for those whose reasons anyone may read. All others are only in the log. */
  readonly reasons?: Readonly<Record<string, string>>
}

/** Checks whether this process can answer requests, and keeps the result for a moment. */
export class ReadinessProbe {
  readonly #checks: Readonly<Record<string, ReadinessCheck>>
  #cached: { readonly at: number; readonly result: Promise<Readiness> } | undefined
  readonly #log: Log
  readonly #timings: Timings['health']
  readonly #down = new Set<string>()
  #stopping = false

  constructor(
    checks: Readonly<Record<string, ReadinessCheck>>,
    log: Log,
    timings: Timings['health'],
  ) {
    this.#checks = checks
    this.#log = log
    this.#timings = timings
  }

  /** From now on reports `stopping`. */
  stop(): void {
    this.#stopping = true
  }

  async read(): Promise<Readiness> {
    if (this.#stopping) return { status: 'stopping', parts: {} }
    const now = performance.now()
    if (!this.#cached || now - this.#cached.at > this.#timings.keptMs)
      this.#cached = { at: now, result: this.#check() }
    return this.#cached.result
  }

  /** Whether each part is up, including those that are listed only while they are down. */
  async readParts(): Promise<ReadonlyMap<string, boolean>> {
    await this.read()
    return new Map(Object.keys(this.#checks).map((name) => [name, !this.#down.has(name)]))
  }

  async #check(): Promise<Readiness> {
    const checks = Object.entries(this.#checks)
    const found = await Promise.all(
      checks.map(async ([name, check]) => ({ name, check, error: await this.#test(name, check) })),
    )
    const isReady = found.every(({ check, error }) => error === undefined || !check.required)
    const reasons = found.flatMap(({ name, check, error }) =>
      check.isPublic && error !== undefined ? [[name, error.message] as const] : [],
    )
    return {
      status: isReady ? 'ready' : 'unready',
      parts: Object.fromEntries(
        found
          .filter(({ check, error }) => error !== undefined || !check.isExceptional)
          .map(({ name, error }) => [name, error ? 'down' : 'up']),
      ),
      ...(reasons.length > 0 ? { reasons: Object.fromEntries(reasons) } : {}),
    }
  }

  async #test(part: string, { test }: ReadinessCheck): Promise<Error | undefined> {
    try {
      const { checkTimeoutMs } = this.#timings
      await within(checkTimeoutMs, test(), () => {
        throw new Error(`no response within ${checkTimeoutMs} ms`)
      })
      if (this.#down.delete(part)) this.#log.info({ part }, 'part is up again')
      return undefined
    } catch (error) {
      if (!this.#down.has(part)) this.#log.warn({ part, err: error }, 'part is down')
      this.#down.add(part)
      return error instanceof Error ? error : new Error(String(error))
    }
  }
}

/** `localhost`, an IPv4 address, or an IPv6 address in brackets, with or without a port. */
const BY_ADDRESS = /^(?:localhost|\d+(?:\.\d+){3}|\[[0-9a-f:.]+\])(?::\d+)?$/i

/**
 * Answers `GET /healthz` (the process is alive) and `GET /readyz` (the process can answer requests, else 503 with the parts that are down).
 * Neither needs a token or counts against a rate limit.
 * @param byAddressOnly ignores requests whose `Host` is a name: on a site's host, every path belongs to the site
 * @returns a handler that returns false for all other requests
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

/** Catches errors of the probe: an unhandled rejection would end the process. */
async function sendReadiness(
  probe: Pick<ReadinessProbe, 'read'>,
  response: ServerResponse,
): Promise<void> {
  try {
    const readiness = await probe.read()
    sendJson(response, readiness.status === 'ready' ? 200 : 503, readiness)
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
