import { FairQueue } from '../../host/concurrency/fair-queue.ts'
import type { Timings } from '../../host/timings.ts'
import type { Caller } from '../../record/auth/authenticate.ts'

/** How many calls of an endpoint run and wait in a process. */
export type UserQueueSize = {
  /** What a call waits for, in its refusal. */
  readonly resource: string
  readonly concurrency: number
  /** Calls of one user. */
  readonly concurrencyPerKey: number
  readonly maxWaitingPerKey: number
}

/** Queues the calls of the endpoints that describe a queue, by user and whatever way they come: HTTP or MCP. */
export class UserQueues {
  readonly #maxWaitMs: number
  readonly #queues = new Map<string, FairQueue>()

  constructor({ userWaitMs }: Timings['api']) {
    this.#maxWaitMs = userWaitMs
  }

  /** @throws AppError `service_busy`, and what the call throws */
  run<T>(
    { name, queue: size }: { readonly name: string; readonly queue?: UserQueueSize | undefined },
    { user }: Caller,
    call: () => Promise<T>,
  ): Promise<T> {
    if (!size) return call()
    const queue = this.#queues.get(name) ?? new FairQueue({ ...size, maxWaitMs: this.#maxWaitMs })
    this.#queues.set(name, queue)
    return queue.run(String(user.id), call)
  }
}
