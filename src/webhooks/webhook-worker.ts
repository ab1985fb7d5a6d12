import { BackgroundLoop } from '../concurrency/background-loop.ts'
import type { Database } from '../db/database.ts'
import { isDatabaseUnavailable, isMissingTable } from '../db/database-error.ts'
import {
  inMs,
  keepRenewing,
  type Lease,
  type LeaseColumns,
  newOwner,
  queueOf,
  releaseLease,
  renewLease,
  takeLease,
} from '../db/lease.ts'
import type { Tx } from '../db/transaction.ts'
import type { ChangeWatch } from '../events/change-watch.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { NetworkIdentities } from '../publishing/network-identity.ts'
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
  timeText,
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
 * Sends what changed to webhooks. The cursor of each one is its queue, so that a receiver which is away delays no other. A process with the lease of
 * a webhook sends its messages one after the other, and stores the cursor behind each that was accepted. If it is killed in between, another one
 * sends the message again: each change arrives at least once, and in order.
 */
export class WebhookWorker {
  readonly #options: WebhookWorkerOptions
  readonly #loop: BackgroundLoop
  /** By the id of the webhook: whether its last try has failed, or was slow. */
  readonly #sending = new Map<
    number,
    { readonly isFailing: boolean; readonly ended: Promise<void> }
  >()
  /** The ids of webhooks whose last try by this process was slow. */
  readonly #slow = new Set<number>()
  /** Ends messages in progress. */
  readonly #stopped = new AbortController()
  #wake = new AbortController()

  get #timings(): Timings['webhooks'] {
    return this.#options.db.timings.webhooks
  }

  constructor(options: WebhookWorkerOptions) {
    this.#options = options
    this.#loop = new BackgroundLoop((signal) => this.#round(signal))
  }

  async stop(): Promise<void> {
    const timer = setTimeout(() => this.#stopped.abort(), this.#timings.stopMs)
    await this.#loop.stop()
    await Promise.all([...this.#sending.values()].map(({ ended }) => ended))
    clearTimeout(timer)
  }

  async #round(signal: AbortSignal): Promise<number> {
    const { db, globals, log, changes, identities } = this.#options
    const { idleMs, pollMs, lookMs } = this.#timings
    try {
      if (this.#sending.size === 0 && !(await hasEnabledWebhooks(db, globals))) return idleMs
      const isAllowed = !identities || (await identities.read()).isKnownDatabase
      if (!isAllowed) return idleMs
      this.#wake = new AbortController()
      const last = await changes.number()
      for (const due of await listDueWebhooks(db, globals, last, MAX_SENDING * 2))
        this.#begin(due, signal)
      // What ends meanwhile may have left changes that came too late for it.
      const ended = AbortSignal.any([signal, this.#wake.signal])
      await changes.waitForChange(undefined, last, pollMs, ended)
      // Nothing waits any more when the process stops.
      return changes.closing.aborted ? pollMs : lookMs
    } catch (error) {
      const level = isMissingTable(error) || isDatabaseUnavailable(error) ? 'debug' : 'warn'
      log[level]({ err: error }, 'could not look for webhooks')
      return idleMs
    }
  }

  #begin({ id, tries }: DueWebhook, signal: AbortSignal): void {
    const sending = [...this.#sending.values()]
    const failing = sending.filter(({ isFailing }) => isFailing).length
    const isFailing = tries > 0 || this.#slow.has(id)
    if (signal.aborted || this.#sending.has(id) || sending.length >= MAX_SENDING) return
    if (isFailing && failing >= MAX_SENDING_FAILED) return
    const { log } = this.#options
    const ended = this.#serve(id, signal)
      .catch((error) => {
        const level = isDatabaseUnavailable(error) ? 'debug' : 'error'
        log[level]({ err: error, webhook: id }, 'could not send to a webhook; it is tried again')
      })
      .finally(() => {
        this.#sending.delete(id)
        this.#wake.abort()
      })
    this.#sending.set(id, { isFailing, ended })
  }

  /** Sends what there is to a webhook, unless another process does. */
  async #serve(id: number, signal: AbortSignal): Promise<void> {
    const { db, globals } = this.#options
    const row = { id, state: 'enabled' }
    const lease = {
      table: `${globals.basePrefix}svc_webhooks`,
      row,
      owner: newOwner(),
      lengthMs: this.#timings.leaseMs,
    }
    if (!(await takeLease(db, lease))) return
    const renewal = keepRenewing(lease.lengthMs, () => renewLease(db, lease))
    const ended = AbortSignal.any([this.#stopped.signal, renewal.lost])
    // After an error.
    let columns: LeaseColumns = { next_at: after(db, this.#timings.errorPauseMs) }
    try {
      // Another process may have stored a pause since the look.
      let [webhook] = await listWebhooks(db, globals, 'id = :id AND next_at <= NOW(6)', { id })
      const isDue = webhook !== undefined
      for (let sent = 0; webhook && sent < MESSAGES_AT_ONCE && !signal.aborted; sent += 1) {
        const step = await this.#step(webhook, lease, ended)
        if (step.next === 'lost') return
        if (step.next === 'pause') {
          columns = step.columns
          return
        }
        if (this.#slow.has(id)) break
        webhook = { ...webhook, messageEnd: null, tries: 0, failingSince: null, since: step.since }
      }
      // Others that wait come first.
      columns = isDue ? { next_at: db.sql.raw('NOW(6)') } : {}
    } finally {
      await renewal.stop()
      await releaseLease(db, lease, columns)
    }
  }

  /** Sends the next message. @param ended ends the try */
  async #step(webhook: Webhook, lease: Lease, ended: AbortSignal): Promise<SendingStep> {
    const { db, changes, sender } = this.#options
    const found = await readNextMessage(changes, webhook)
    if (found.next === 'none') {
      const { cursor, more } = found
      if (
        cursor !== webhook.since &&
        !(await renewLease(db, lease, { since: cursor, message_end: null }))
      )
        return { next: 'lost' }
      return more ? { next: 'go on', since: cursor } : { next: 'pause', columns: {} }
    }
    const { message } = found
    const attempt = await deliverMessage(sender, webhook, message, new Date(), ended)
    // Nobody knows what the receiver would have answered; another process sends it again.
    if (this.#stopped.signal.aborted) return { next: 'pause', columns: {} }
    if (ended.aborted) return { next: 'lost' }
    if (attempt.ms > this.#timings.slowMs) this.#slow.add(webhook.id)
    else this.#slow.delete(webhook.id)
    return this.#store(webhook, lease, message, attempt)
  }

  /** Stores the result of a try with the cursor, unless the lease is lost. */
  async #store(
    webhook: Webhook,
    lease: Lease,
    message: WebhookMessage,
    attempt: Attempt,
  ): Promise<SendingStep> {
    const { db, globals, metrics, log } = this.#options
    const isDelivered = attempt.outcome === 'delivered'
    const tries = isDelivered ? 0 : webhook.tries + 1
    const pause = this.#timings.retrySeconds[tries - 1]
    const reason = reasonToDisable(attempt, pause)
    const at = new Date()
    const step: SendingStep = isDelivered
      ? { next: 'go on', since: message.end }
      : { next: 'pause', columns: {} }
    const columns: LeaseColumns = isDelivered
      ? { since: message.end, message_end: null, tries, failing_since: null, error: null }
      : {
          message_end: message.end,
          tries,
          failing_since: webhook.failingSince ?? timeText(at),
          next_at: after(db, pauseOf(pause ?? 0, attempt)),
          error: attempt.error,
        }
    metrics?.countWebhookDelivery(isDelivered ? 'ok' : 'failed')
    const isOwn = await db.write({ isWork: true, queue: queueOf(lease) }, async (tx) => {
      await insertDelivery(tx, globals, webhook.id, message, {
        ...attempt,
        try: webhook.tries + 1,
        at,
      })
      if (!(await updateOwn(tx, lease, columns))) return false
      if (reason) await disable(tx, globals, webhook, reason, at)
      return true
    })
    if (isOwn && reason)
      log.warn({ webhook: webhook.id, site: webhook.blogId, reason }, 'a webhook was disabled')
    return isOwn && !reason ? step : { next: 'lost' }
  }
}

/** What follows a message. */
type SendingStep =
  /** Another process has the webhook now, or it is disabled. */
  | { readonly next: 'lost' }
  /** Nothing can be sent now. */
  | { readonly next: 'pause'; readonly columns: LeaseColumns }
  | { readonly next: 'go on'; readonly since: string }

const after = (db: Database, ms: number) => db.sql.raw(inMs(ms).toSqlString())

/** A receiver that asks for a longer pause gets it. @returns milliseconds */
const pauseOf = (seconds: number, { retryAfterMs = 0 }: Attempt): number =>
  Math.max(seconds * 1000 * (1 + Math.random() * JITTER), retryAfterMs)

/** @param pause undefined after the last try */
function reasonToDisable({ outcome }: Attempt, pause: number | undefined) {
  if (outcome === 'gone') return 'gone'
  return outcome === 'failed' && pause === undefined ? 'failing' : undefined
}

async function updateOwn(
  { sql }: Tx,
  { table, row, owner }: Lease,
  columns: LeaseColumns,
): Promise<boolean> {
  return (
    (await sql(table)
      .where({ ...row, owner })
      .update(columns)) === 1
  )
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
