import type { NetworkIdentities } from '../../build/publishing/network-identity.ts'
import type { Database } from '../../db/database.ts'
import { timeText } from '../../db/gmt.ts'
import type { Held } from '../../db/tasks/hold-task.ts'
import type { Task, TaskSource } from '../../db/tasks/task-runner.ts'
import { LostLeaseError } from '../../db/tasks/tasks-table.ts'
import type { Log } from '../../host/log.ts'
import type { Metrics } from '../../host/metrics.ts'
import { type Attempt, GONE } from '../../host/receivers/receiver-client.ts'
import type { Timings } from '../../host/timings.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import type { ChangeWatch } from '../events/change-watch.ts'
import { insertDelivery } from './deliveries-table.ts'
import { readNextMessage, type WebhookMessage } from './webhook-message.ts'
import type { WebhookSender } from './webhook-sender.ts'
import {
  type DueWebhook,
  IS_TRY_DUE,
  latestTry,
  listDueWebhooks,
  listWebhooks,
  nameOfWebhookTask,
  storeDelivered,
  storeFailed,
  updateWebhook,
  type Webhook,
} from './webhooks-table.ts'

export type WebhookWorkerOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly log: Log
  readonly metrics?: Metrics | undefined
  readonly changes: ChangeWatch
  readonly sender: WebhookSender
  /** Nothing is sent while the database is a copy, or may be one [not asked]. */
  readonly identities?: NetworkIdentities
}

/** A pause is longer by up to this part of it, so that receivers that were away get their messages one after the other. */
const JITTER = 0.1

/** Messages that a process sends at the same time, to as many webhooks. */
export const MAX_SENDING = 100
/** Those of them to receivers whose last try has failed: they may wait for their timeout, and must leave room for the others. */
export const MAX_SENDING_FAILED = 50
/** Messages to one webhook before another one may come. */
const MESSAGES_AT_ONCE = 20

/**
 * Sends what changed to webhooks. The cursor of each one is its queue, so that a receiver which is away delays no other. A process that has the task of
 * a webhook sends its messages one after the other, and stores the cursor behind each that was accepted. If it is killed in between, another one
 * sends the message again: each change arrives at least once, and in order.
 */
export class WebhookWorker implements TaskSource {
  readonly #options: WebhookWorkerOptions
  readonly #timings: Timings['webhooks']
  /** The tasks of receivers whose last try has failed, or was slow in this process. */
  readonly #late = new Set<string>()
  /** Without webhooks nothing is looked for before, in milliseconds of `performance.now()`. */
  #idleUntil = Number.NEGATIVE_INFINITY
  #isWaiting = false
  #wake: () => void = () => {}

  constructor(options: WebhookWorkerOptions) {
    this.#options = options
    this.#timings = options.db.timings.webhooks
  }

  /** @param wake is called when something has changed */
  onChange(wake: () => void): void {
    this.#wake = wake
  }

  async find(running: ReadonlySet<string>): Promise<readonly Task[]> {
    const { db, globals, changes, identities } = this.#options
    if (performance.now() < this.#idleUntil) return []
    const isAllowed = !identities || (await identities.read()).isKnownDatabase
    const anyEnabled = `state = 'enabled' LIMIT 1`
    if (
      !isAllowed ||
      (running.size === 0 && (await listWebhooks(db, globals, anyEnabled)).length === 0)
    ) {
      this.#idleUntil = performance.now() + this.#timings.idleMs
      return []
    }
    const last = await changes.number()
    const due = await listDueWebhooks(db, globals, last, MAX_SENDING * 2)
    void this.#waitForChange(last)
    return this.#choose(due, running)
  }

  async #waitForChange(last: number): Promise<void> {
    if (this.#isWaiting) return
    this.#isWaiting = true
    const { changes, db } = this.#options
    await changes.waitForChange(undefined, last, this.#timings.waitMs)
    this.#isWaiting = false
    // Nothing waits any more when the process stops. Further changes may follow at once.
    if (!changes.closing.aborted) setTimeout(this.#wake, db.timings.tasks.againMs).unref()
  }

  #choose(due: readonly DueWebhook[], running: ReadonlySet<string>): Task[] {
    const chosen: Task[] = []
    let late = [...running].filter((name) => this.#late.has(name)).length
    for (const { id, tries } of due) {
      const task = this.#taskOf(id)
      if (tries > 0) this.#late.add(task.name)
      const isLate = this.#late.has(task.name)
      if (running.has(task.name) || (isLate && late >= MAX_SENDING_FAILED)) continue
      if (running.size + chosen.length >= MAX_SENDING) break
      if (isLate) late += 1
      chosen.push(task)
    }
    return chosen
  }

  #taskOf(id: number): Task {
    return {
      name: nameOfWebhookTask(id),
      leaseMs: this.#timings.leaseMs,
      failure: 'could not send to a webhook; it is tried again',
      // The receiver may have the message already.
      pauseMs: this.#timings.errorPauseMs,
      run: (held, signal) => this.#serve(id, held, signal),
    }
  }

  /** Sends what there is to a webhook. When the process stops, a message in progress has some time. */
  async #serve(id: number, held: Held, signal: AbortSignal): Promise<undefined> {
    const { db, globals } = this.#options
    const ended = new AbortController()
    const end = () => ended.abort()
    held.lost.addEventListener('abort', end)
    signal.addEventListener('abort', () => setTimeout(end, this.#timings.stopMs).unref())
    // Another process may have stored a pause since the look.
    const isDue = `id = :id AND state = 'enabled' AND ${IS_TRY_DUE}`
    try {
      for (let sent = 0; sent < MESSAGES_AT_ONCE && !signal.aborted; sent += 1) {
        const [webhook] = await listWebhooks(db, globals, isDue, { id, ...latestTry(db) })
        if (!webhook || !(await this.#sendNext(webhook, held, ended.signal))) return
      }
    } catch (error) {
      if (!(error instanceof LostLeaseError)) throw error
    }
  }

  /**
   * Sends the next message.
   * @param ended ends the try
   * @returns whether another one may follow at once
   */
  async #sendNext(webhook: Webhook, held: Held, ended: AbortSignal): Promise<boolean> {
    const { globals, changes, sender } = this.#options
    const { message, cursor, more } = await readNextMessage(changes, webhook)
    if (message === undefined) {
      if (cursor !== webhook.since)
        await held.commit((tx) => storeDelivered(tx, globals, webhook.id, cursor))
      return more
    }
    const attempt = await sender.deliver(webhook, message, new Date(), ended)
    // Nobody knows what the receiver would have answered; another process sends it again.
    if (ended.aborted) return false
    await this.#store(webhook, held, message, attempt)
    // Others that wait come before a receiver that is slow.
    const isLate = attempt.status !== 'delivered' || attempt.ms > this.#timings.slowMs
    this.#late[isLate ? 'add' : 'delete'](held.name)
    return !isLate
  }

  /** Stores the result of a try with the cursor, unless the task is lost. */
  async #store(
    webhook: Webhook,
    held: Held,
    message: WebhookMessage,
    attempt: Attempt,
  ): Promise<void> {
    const { globals, metrics, log } = this.#options
    const { id, blog_id: site } = webhook
    const isDelivered = attempt.status === 'delivered'
    const seconds = this.#timings.retrySeconds[webhook.tries]
    const isGone = attempt.http_status === GONE
    const isLast = isGone || (!isDelivered && seconds === undefined)
    const reason = isGone ? 'gone' : 'failing'
    // A receiver that asks for a longer pause gets it.
    const jitter = 1 + Math.random() * JITTER
    const pauseMs = Math.max((seconds ?? 0) * 1000 * jitter, attempt.retryAfterMs ?? 0)
    const at = new Date()
    metrics?.count('webhook_deliveries_total', { outcome: isDelivered ? 'ok' : 'failed' })
    await held.commit(async (tx) => {
      const number = webhook.tries + 1
      await insertDelivery(tx, globals, id, message, attempt, { number, at })
      if (isDelivered) storeDelivered(tx, globals, id, message.message_end)
      else storeFailed(tx, globals, id, { ...message, ...attempt, pauseMs })
      if (isLast) {
        const disabled = { state: 'disabled', reason, disabled_at: timeText(at) } as const
        await updateWebhook(tx, globals, webhook, disabled)
      }
    })
    if (isLast) log.warn({ webhook: id, site, reason }, 'a webhook was disabled')
  }
}
