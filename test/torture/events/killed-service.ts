import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '../support/service.ts'

/** A process that is killed and started again. */
export class KilledService {
  readonly #start: () => Promise<Service>
  #running: Service
  /** When it was killed, in milliseconds since 1970. */
  readonly kills: number[] = []

  constructor(start: () => Promise<Service>, running: Service) {
    this.#start = start
    this.#running = running
  }

  /** Another one after each start. */
  get apiUrl(): string {
    return this.#running.apiUrl
  }

  /** Kills it and starts it again until the signal. It ends while it is running. */
  async killRepeatedly(pauseMs: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      this.kills.push(Date.now())
      await this.#running.kill()
      this.#running = await this.#start()
    }
  }

  /** Whether none of its kills concerns what happened at this time. @param recoveryMs how long a kill delays others */
  wasCalm(at: number, recoveryMs: number): boolean {
    // What happened just before may have been on its way.
    return this.kills.every((kill) => at < kill - 1000 || at > kill + recoveryMs)
  }

  async close(): Promise<void> {
    await this.#running.kill()
  }
}
