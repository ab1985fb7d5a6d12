import type { Database } from '../db/database.ts'
import { inMs } from '../db/lease.ts'
import type { Tx } from '../db/transaction.ts'
import type { ChangeWatch } from '../events/change-watch.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { NetworkIdentities } from '../publishing/network-identity.ts'
import type { Held } from '../tasks/hold-task.ts'
import type { Task, TaskSource } from '../tasks/task-runner.ts'
import { LostLeaseError } from '../tasks/tasks-table.ts'
import type { Timings } from '../timings.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { deliverMessage } from './deliver-message.ts'
import { insertDelivery } from './deliveries-table.ts'
import { readNextMessage, type WebhookMessage } from './webhook-message.ts'
import type { Attempt, WebhookSender } from './webhook-sender.ts'
import {
  type DueWebhook,
  hasEnabledWebhooks,
  listDueWebhooks,
  listWebhooks,
  nameOfWebhookTask,
  timeText,
  updateWebhook,
  type Webhook,
  webhooksTable,
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
  /** The tasks that were begun for receivers whose last try has failed, or was slow. */
  readonly #failing = new Set<string>()
  /** The ids of webhooks whose last try by this process was slow. */
  readonly #slow = new Set<number>()
  /** Without webhooks nothing is looked for before, in milliseconds of `performance.now()`. */
  #idleUntil = Number.NEGATIVE_INFINITY
  #isWaiting = false
  #wake: () => void = () => {}

  get #timings(): Timings['webhooks'] {
    return this.#options.db.timings.webhooks
  }

  constructor(options: WebhookWorkerOptions) {
    this.#options = options
  }

  /** @param wake is called when something has changed */
  onChange(wake: () => void): void {
    this.#wake = wake
  }

  async find(running: ReadonlySet<string>): Promise<readonly Task[]> {
    const { db, globals, changes, identities } = this.#options
    if (performance.now() < this.#idleUntil) return []
    const isAllowed = !identities || (await identities.read()).isKnownDatabase
    if (!isAllowed || (running.size === 0 && !(await hasEnabledWebhooks(db, globals)))) {
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
    let failing = [...running].filter((name) => this.#failing.has(name)).length
    for (const { id, tries } of due) {
      const task = this.#taskOf(id)
      const isFailing = tries > 0 || this.#slow.has(id)
      if (running.has(task.name) || (isFailing && failing >= MAX_SENDING_FAILED)) continue
      if (running.size + chosen.length >= MAX_SENDING) break
      if (isFailing) {
        failing += 1
        this.#failing.add(task.name)
      } else this.#failing.delete(task.name)
      chosen.push(task)
    }
    return chosen
  }

  #taskOf(id: number): Task {
    const { leaseMs, errorPauseMs } = this.#timings
    return {
      name: nameOfWebhookTask(id),
      leaseMs,
      failure: 'could not send to a webhook; it is tried again',
      // The receiver may have the message already.
      pauseMs: errorPauseMs,
      run: (held, signal) => this.#serve(id, held, signal),
    }
  }

  /** Sends what there is to a webhook. When the process stops, a message in progress has some time. */
  async #serve(id: number, held: Held, signal: AbortSignal): Promise<undefined> {
    const { db, globals } = this.#options
    const ended = new AbortController()
    const end = (): void => ended.abort()
    let timer: NodeJS.Timeout | undefined
    const onStop = (): void => {
      timer = setTimeout(end, this.#timings.stopMs)
    }
    held.lost.addEventListener('abort', end)
    signal.addEventListener('abort', onStop)
    try {
      // Another process may have stored a pause since the look.
      let [webhook] = await listWebhooks(db, globals, 'id = :id AND next_at <= NOW(6)', { id })
      for (let sent = 0; webhook && sent < MESSAGES_AT_ONCE && !signal.aborted; sent += 1) {
        const since = await this.#step(webhook, held, ended.signal)
        // Others that wait come first.
        if (since === undefined || this.#slow.has(id)) return
        webhook = { ...webhook, messageEnd: null, tries: 0, failingSince: null, since }
      }
    } catch (error) {
      if (!(error instanceof LostLeaseError)) throw error
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onStop)
    }
  }

  /**
   * Sends the next message.
   * @param ended ends the try
   * @returns the cursor behind what was sent; undefined if nothing can be sent now
   */
  async #step(webhook: Webhook, held: Held, ended: AbortSignal): Promise<string | undefined> {
    const { changes, sender } = this.#options
    const found = await readNextMessage(changes, webhook)
    if (found.next === 'none') {
      const { cursor, more } = found
      if (cursor !== webhook.since)
        await held.commit((tx) =>
          this.#update(tx, webhook.id, { since: cursor, message_end: null }),
        )
      return more ? cursor : undefined
    }
    const { message } = found
    const attempt = await deliverMessage(sender, webhook, message, new Date(), ended)
    // Nobody knows what the receiver would have answered; another process sends it again.
    if (ended.aborted) return undefined
    if (attempt.ms > this.#timings.slowMs) this.#slow.add(webhook.id)
    else this.#slow.delete(webhook.id)
    return this.#store(webhook, held, message, attempt)
  }

  async #update({ sql }: Tx, id: number, columns: WebhookColumns): Promise<void> {
    await sql(webhooksTable(this.#options.globals)).where({ id }).update(columns)
  }

  /**
   * Stores the result of a try with the cursor, unless the task is lost.
   * @returns the cursor behind the message if it was accepted
   */
  async #store(
    webhook: Webhook,
    held: Held,
    message: WebhookMessage,
    attempt: Attempt,
  ): Promise<string | undefined> {
    const { db, globals, metrics, log } = this.#options
    const isDelivered = attempt.outcome === 'delivered'
    const tries = isDelivered ? 0 : webhook.tries + 1
    const pause = this.#timings.retrySeconds[tries - 1]
    const reason = reasonToDisable(attempt, pause)
    const at = new Date()
    const columns: WebhookColumns = isDelivered
      ? {
          since: message.end,
          message_end: null,
          tries,
          failing_since: null,
          error: null,
          next_at: after(db, 0),
        }
      : {
          message_end: message.end,
          tries,
          failing_since: webhook.failingSince ?? timeText(at),
          next_at: after(db, pauseOf(pause ?? 0, attempt)),
          error: attempt.error,
        }
    metrics?.countWebhookDelivery(isDelivered ? 'ok' : 'failed')
    await held.commit(async (tx) => {
      await insertDelivery(tx, globals, webhook.id, message, {
        ...attempt,
        try: webhook.tries + 1,
        at,
      })
      await this.#update(tx, webhook.id, columns)
      if (reason) await disable(tx, globals, webhook, reason, at)
    })
    if (reason)
      log.warn({ webhook: webhook.id, site: webhook.blogId, reason }, 'a webhook was disabled')
    return isDelivered ? message.end : undefined
  }
}

type WebhookColumns = Readonly<Record<string, string | number | null | ReturnType<typeof after>>>

const after = (db: Database, ms: number) => db.sql.raw(inMs(ms).toSqlString())

/** A receiver that asks for a longer pause gets it. @returns milliseconds */
const pauseOf = (seconds: number, { retryAfterMs = 0 }: Attempt): number =>
  Math.max(seconds * 1000 * (1 + Math.random() * JITTER), retryAfterMs)

/** @param pause undefined after the last try */
function reasonToDisable({ outcome }: Attempt, pause: number | undefined) {
  if (outcome === 'gone') return 'gone'
  return outcome === 'failed' && pause === undefined ? 'failing' : undefined
}

/** Disables a webhook that this process has. */
async function disable(
  tx: Tx,
  globals: GlobalTables,
  webhook: Webhook,
  reason: 'gone' | 'failing',
  now: Date,
): Promise<void> {
  await updateWebhook(tx, globals, webhook, {
    state: 'disabled',
    reason,
    disabledAt: timeText(now),
  })
}
