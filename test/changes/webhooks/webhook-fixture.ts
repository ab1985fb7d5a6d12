import { randomUUID } from 'node:crypto'
import type { LookupAddress } from 'node:dns'
import { ChangeWatch } from '../../../src/changes/events/change-watch.ts'
import { generateSecret, secretText } from '../../../src/changes/webhooks/sign-message.ts'
import { WebhookSender } from '../../../src/changes/webhooks/webhook-sender.ts'
import { WebhookWorker } from '../../../src/changes/webhooks/webhook-worker.ts'
import {
  insertWebhook,
  listWebhooks,
  type Webhook,
  type WebhookSettings,
} from '../../../src/changes/webhooks/webhooks-table.ts'
import { timeText } from '../../../src/db/gmt.ts'
import { TaskRunner } from '../../../src/db/tasks/task-runner.ts'
import { createLog, type Log } from '../../../src/host/log.ts'
import { Receivers } from '../../../src/host/receivers/receivers.ts'
import { recordHistory } from '../../../src/record/history/record-history.ts'
import type { TestNetwork } from '../../support/network.ts'
import { type TimingChanges, timed } from '../../support/timings.ts'

const NO_FILTER = { types: null, kinds: null, sites: null }

/** Writes a data set of a site: one change. */
export async function makeChange(
  { db, globals }: TestNetwork,
  blogId: number,
  ref: string,
  kind: 'dataset' | 'frame' = 'dataset',
): Promise<void> {
  const after = { name: ref, fields: { at: Math.random() } }
  // Transactions of the same author and time are one change.
  const author = { userId: null, tokenId: null, label: 'test', requestId: randomUUID() }
  await db.write({ author }, async (tx) => {
    const write = { kind, ref, action: 'replaced', before: undefined, after, isNew: true } as const
    recordHistory(tx, { blogId, globals }, write)
  })
}

/** Adds a webhook that gets what changes from now on. */
export async function addWebhook(
  network: TestNetwork,
  blogId: number,
  settings: Partial<WebhookSettings> & { readonly url: string },
): Promise<{ readonly id: number; readonly secret: string }> {
  const { db, globals } = network
  const secret = generateSecret()
  const { cursor: since } = await new ChangeWatch({ db, globals, log: createLog('silent') }).read(
    blogId === 0 ? undefined : blogId,
    'now',
  )
  const all = { filter: NO_FILTER, secret, since, ...settings }
  const id = await db.write({}, (tx) =>
    insertWebhook(tx, globals, blogId, all, timeText(new Date())),
  )
  return { id, secret: secretText(secret) }
}

/** The stored state of a webhook. */
export async function readWebhook({ db, globals }: TestNetwork, id: number): Promise<Webhook> {
  const [webhook] = await listWebhooks(db, globals, 'id = :id', { id })
  if (!webhook) throw new Error(`no webhook ${id}`)
  return webhook
}

/** A process that sends to webhooks on this machine. */
export function startWorker(
  { db: own, globals }: TestNetwork,
  options: {
    readonly timings?: TimingChanges['webhooks']
    readonly lookup?: (host: string) => Promise<LookupAddress[]>
    readonly allowed?: readonly string[]
    readonly log?: Log
  } = {},
): { stop(): Promise<void> } {
  const { timings = {}, lookup, allowed = ['127.0.0.1'], log = createLog('silent') } = options
  const db = timed(own, { webhooks: timings })
  const changes = new ChangeWatch({ db, globals, log })
  const sender = new WebhookSender({
    receivers: new Receivers(allowed),
    timings: db.timings.webhooks,
    ...(lookup ? { lookup } : {}),
  })
  const tasks = new TaskRunner({ db, globals, log })
  const worker = new WebhookWorker({ db, globals, log, changes, sender })
  worker.onChange(tasks.addSource(worker))
  return {
    stop: async () => {
      await tasks.stop()
      changes.close()
      sender.close()
    },
  }
}
