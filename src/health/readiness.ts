import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'

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
