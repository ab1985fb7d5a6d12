import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { deliveriesTable } from '../../../src/changes/webhooks/deliveries-table.ts'
import { MAX_SENDING, MAX_SENDING_FAILED } from '../../../src/changes/webhooks/webhook-worker.ts'
import { nameOfWebhookTask, webhooksTable } from '../../../src/changes/webhooks/webhooks-table.ts'
import { timeText } from '../../../src/db/gmt.ts'
import { DUE_NOW } from '../../../src/db/lease.ts'
import { recordRestore } from '../../../src/network/identity/restored-database.ts'
import { historyTable } from '../../../src/record/history/history-row.ts'
import { changesTable } from '../../../src/record/history/number-changes.ts'
import { eventually } from '../../support/eventually.ts'
import { useNetwork } from '../../support/network.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import { taskRow } from '../../support/tasks.ts'
import type { TimingChanges } from '../../support/timings.ts'
import { use } from '../../support/use.ts'
import { startReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts'
import { addWebhook, makeChange, readWebhook, startWorker } from './webhook-fixture.ts'

const network = await useNetwork()
const { db, globals } = network
const webhooks = () => db.sql(webhooksTable(globals))

let worker: { stop(): Promise<void> } | undefined
const start = (of = network, timings: TimingChanges['webhooks'] = {}) => {
  worker = startWorker(of, { timings })
}
afterEach(async () => {
  await worker?.stop()
  worker = undefined
  await webhooks().delete()
})

const resetsOf = ({ messages }: WebhookReceiver) =>
  messages.flatMap(({ body }) => body.data.events.map(({ type, reason }) => [type, reason]))

function inAnHour(): string {
  return timeText(new Date(Date.now() + 3_600_000))
}

it.each([
  ['a pause that another process stores', { tries: 1, next_at: `${inAnHour()}000` }],
  ['what a client disables', { state: 'disabled' }],
])('%s just before the webhook is taken counts', async (_, stored) => {
  const receiver = await use(startReceiver())
  const { id } = await addWebhook(network, 2, { url: receiver.url })
  await makeChange(network, 2, 'paused')
  let isPaused = false
  let written = 0
  const slower: SqlDatabase = {
    ...db,
    write: async (options, work) => {
      // The first statement of a worker takes the webhook.
      if (options.isStatement && !isPaused) {
        isPaused = true
        await webhooks().where({ id }).update(stored)
      }
      const result = await db.write(options, work)
      written += 1
      return result
    },
  }
  start({ ...network, db: slower })
  // It has taken the webhook, and left it.
  await eventually(() => expect(written).toBeGreaterThanOrEqual(2))
  await worker?.stop()
  expect(receiver.messages).toEqual([])
  const [row] = await webhooks().where({ id })
  expect(row).toMatchObject(stored)
  expect(await taskRow(network, nameOfWebhookTask(id))).toEqual([])
})

it.each([
  ['delivers what is new', { tries: 0, next_at: `${inAnHour()}000` }],
  ['tries again what has failed, if it was set back by years', { tries: 1, next_at: '2100-01-01' }],
])('after the clock of the database was set back, a webhook %s', async (_, stored) => {
  const receiver = await use(startReceiver())
  const { id } = await addWebhook(network, 2, { url: receiver.url })
  await webhooks().where({ id }).update(stored)
  await makeChange(network, 2, 'set-back')
  start()
  await eventually(() => expect(receiver.messages).toHaveLength(1))
})

it('a message whose delivery cannot be stored is not sent again at once', async () => {
  const receiver = await use(startReceiver())
  const { id } = await addWebhook(network, 2, { url: receiver.url })
  const table = deliveriesTable(globals)
  const task = () => taskRow(network, nameOfWebhookTask(id))
  await db.sql.raw('RENAME TABLE ?? TO ??', [table, `${table}_away`])
  try {
    // Before the worker starts: a run without a message fails too.
    await makeChange(network, 2, 'not-stored')
    start(network, { errorPauseMs: 60_000 })
    await eventually(async () =>
      expect(await task().whereRaw('owner IS NULL AND due_at > NOW(6)')).toHaveLength(1),
    )
    expect(receiver.messages).toHaveLength(1)
  } finally {
    await db.sql.raw('RENAME TABLE ?? TO ??', [`${table}_away`, table])
  }
  await task().update({ due_at: DUE_NOW })
  await eventually(async () => {
    const { since } = await readWebhook(network, id)
    expect(since).toBe(receiver.messages[0]?.body.data.cursor)
  })
  expect(receiver.messages).toHaveLength(2)
})

it('receivers that are slow to accept leave room for the others', async () => {
  const slow = await use(startReceiver())
  let sending = 0
  let most = 0
  slow.answer = async () => {
    sending += 1
    most = Math.max(most, sending)
    await sleep(220)
    sending -= 1
    return { status: 204 }
  }
  for (let n = 0; n < MAX_SENDING; n += 1) await addWebhook(network, 2, { url: slow.url })
  const live = await use(startReceiver())
  start(network, { slowMs: 100 })
  // There is always something more to send to each.
  const end = new AbortController()
  const changing = (async () => {
    for (let n = 0; !end.signal.aborted; n += 1) {
      await makeChange(network, 2, `further-${n}`)
      await sleep(30)
    }
  })()
  try {
    await eventually(() => expect(slow.messages.length).toBeGreaterThanOrEqual(MAX_SENDING))
    await addWebhook(network, 2, { url: live.url })
    const before = slow.messages.length
    await eventually(() => expect(live.messages.length).toBeGreaterThan(0))
    // Far fewer than the messages that each of the others may send together.
    expect(slow.messages.length - before).toBeLessThan(10 * MAX_SENDING)
    // The first messages of all have ended.
    await eventually(() => expect(slow.messages.length).toBeGreaterThan(2 * MAX_SENDING))
    most = 0
    const { length } = slow.messages
    await eventually(() => expect(slow.messages.length).toBeGreaterThan(length + 2 * MAX_SENDING))
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(MAX_SENDING_FAILED)
  } finally {
    end.abort()
    await changing
  }
}, 90_000)

it('a webhook whose changes were deleted meanwhile sends a reset', async () => {
  const receiver = await use(startReceiver())
  const { id } = await addWebhook(network, 2, { url: receiver.url })
  const { since: before } = await readWebhook(network, id)
  await makeChange(network, 2, 'deleted')
  const other = await addWebhook(network, 3, { url: receiver.url })
  const { since } = await readWebhook(network, other.id)
  await db.sql(historyTable(globals)).where({ blog_id: 2 }).delete()
  await db
    .sql(changesTable(globals))
    .insert({ blog_id: 2, pruned: Number(since.split('-')[0]) })
    .onConflict()
    .merge()
  start()
  await eventually(() => expect(resetsOf(receiver)).toEqual([['reset', 'pruned']]))
  await eventually(async () => expect((await readWebhook(network, id)).since).not.toBe(before))
  await makeChange(network, 2, 'later')
  await eventually(() => expect(receiver.messages).toHaveLength(2))
  expect(resetsOf(receiver)).toHaveLength(2)
  expect(resetsOf(receiver)[1]).not.toContain('reset')
})

it('after a restore of the database, each webhook sends a reset', async () => {
  const receiver = await use(startReceiver())
  const { id } = await addWebhook(network, 2, { url: receiver.url })
  await webhooks().where({ id }).update({ message_end: '5-00000000' })
  await makeChange(network, 2, 'after-the-backup')
  expect(await recordRestore(db, globals, new Map([[0, 1_000_000]]))).toBe(true)
  expect(await readWebhook(network, id)).toMatchObject({ message_end: null })
  start()
  await eventually(() => expect(resetsOf(receiver)).toEqual([['reset', 'unknown']]))
})

it('a deleted site sends nothing, and goes on when it is back', async () => {
  const receiver = await use(startReceiver())
  await addWebhook(network, 3, { url: receiver.url })
  await db.sql(globals.blogs).where({ blog_id: 3 }).update({ deleted: 1 })
  const other = await use(startReceiver())
  await addWebhook(network, 2, { url: other.url })
  start()
  await makeChange(network, 3, 'hidden')
  await makeChange(network, 2, 'shown')
  await eventually(() => expect(other.messages).toHaveLength(1))
  expect(receiver.messages).toEqual([])
  await db.sql(globals.blogs).where({ blog_id: 3 }).update({ deleted: 0 })
  await eventually(() => expect(receiver.messages).toHaveLength(1))
})
