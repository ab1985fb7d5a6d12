import { parseGmt } from '../../db/gmt.ts'
import { FairQueue } from '../../host/concurrency/fair-queue.ts'
import {
  type Attempt,
  ReceiverClient,
  type ReceiverClientOptions,
} from '../../host/receivers/receiver-client.ts'
import type { Receivers } from '../../host/receivers/receivers.ts'
import { signMessage } from './sign-message.ts'
import type { WebhookMessage } from './webhook-message.ts'
import type { Webhook } from './webhooks-table.ts'

/** Messages that users send by hand, of a site and of a user: each may last as long as a try, and a user may have webhooks of many sites. */
export const MESSAGES_AT_ONCE = {
  resource: 'other messages that were sent by hand',
  concurrency: 8,
  concurrencyPerKey: 2,
  maxWaitingPerKey: 4,
}

/** Signs messages and sends them. */
export class WebhookSender {
  readonly #client: ReceiverClient
  readonly #byHandOfSites: FairQueue
  readonly #byHandOfUsers: FairQueue

  constructor(options: ReceiverClientOptions) {
    this.#client = new ReceiverClient(options)
    const byHand = { ...MESSAGES_AT_ONCE, maxWaitMs: options.timings.byHandWaitMs }
    this.#byHandOfSites = new FairQueue(byHand)
    // Those of a user that wait for a site must not count for the process.
    this.#byHandOfUsers = new FairQueue({ ...byHand, concurrency: Number.POSITIVE_INFINITY })
  }

  get receivers(): Receivers {
    return this.#client.receivers
  }

  /**
   * Runs what sends a message by hand.
   * @param blogId 0 for the network
   * @throws AppError `service_busy` if too many are sent at once, of the site or by the user
   */
  byHand<T>(blogId: number, userId: number, work: () => Promise<T>): Promise<T> {
    return this.#byHandOfUsers.run(String(userId), () =>
      this.#byHandOfSites.run(String(blogId), work),
    )
  }

  close(): void {
    this.#client.close()
  }

  /** Signs a message, for some time after a rotation with the former secret too, and sends it once. */
  deliver(
    webhook: Webhook,
    { message_id, body }: WebhookMessage,
    now: Date,
    signal?: AbortSignal,
  ): Promise<Attempt> {
    const { blog_id: blogId, url, secret, previous_secret, previous_until } = webhook
    const isRotating = previous_until !== null && parseGmt(previous_until) > now
    const secrets = previous_secret !== null && isRotating ? [secret, previous_secret] : [secret]
    return this.#client.send(url, signMessage(message_id, body, secrets, now), { blogId, signal })
  }
}
