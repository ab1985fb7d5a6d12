import { afterEach, expect, it } from 'vitest'
import { listDeliveries } from '../../../src/changes/webhooks/deliveries-table.ts'
import {
  nameOfWebhookTask,
  updateWebhook,
  webhooksTable,
} from '../../../src/changes/webhooks/webhooks-table.ts'
import { newOwner } from '../../../src/db/lease.ts'
import { takeTask } from '../../../src/db/tasks/tasks-table.ts'
import { eventually } from '../../support/eventually.ts'
import { useNetwork } from '../../support/network.ts'
import { taskRow } from '../../support/tasks.ts'
import { use } from '../../support/use.ts'
import { startReceiver, verify, type WebhookReceiver } from '../../support/webhook-receiver.ts'
import { addWebhook, makeChange, readWebhook, startWorker } from './webhook-fixture.ts'

const network = await useNetwork()
const { db, globals } = network
const RETRIES = [0.05, 0.05, 0.05]
await use(startWorker(network, { timings: { retrySeconds: RETRIES, sendTimeoutMs: 1500 } }))

afterEach(() => db.sql(webhooksTable(globals)).delete())

const refsOf = ({ messages }: WebhookReceiver): string[] =>
  messages.flatMap(({ body }) =>
    body.data.events.flatMap(({ things }) => things.map(({ ref }) => ref)),
  )

const deliveriesOf = (id: number) =>
  listDeliveries(db, globals, id, { before: undefined, limit: 100 })

it('sends each change once, in order, with a signature that the package of the specification accepts', async () => {
  const receiver = await use(startReceiver())
  const { id, secret } = await addWebhook(network, 2, { url: receiver.url })
  const refs = Array.from({ length: 30 }, (_, n) => `ordered-${n}`)
  for (const ref of refs) await makeChange(network, 2, ref)
  await eventually(() => expect(refsOf(receiver)).toEqual(refs))
  for (const message of receiver.messages) {
    verify(secret, message)
    expect(message.body.data.webhook_id).toBe(id)
    expect(message.id).not.toContain('.')
  }
  const [first] = receiver.messages
  expect(first?.body.type).toMatch(/^changes\.(changed|edited)$/)
  const tampered = { ...first, text: `${first?.text} ` } as typeof first
  expect(() => tampered && verify(secret, tampered)).toThrow()
  // The messages follow each other without a gap.
  const ends = receiver.messages.map(({ body }) => body.data.cursor)
  expect(receiver.messages.slice(1).map(({ body }) => body.data.since)).toEqual(ends.slice(0, -1))
  await eventually(async () => expect((await readWebhook(network, id)).since).toBe(ends.at(-1)))
  expect((await deliveriesOf(id)).every(({ status }) => status === 'delivered')).toBe(true)
})

it('sends nothing of other sites, and to the network all', async () => {
  const [own, ofNetwork, ofSites] = await Promise.all([
    use(startReceiver()),
    use(startReceiver()),
    use(startReceiver()),
  ])
  await addWebhook(network, 3, { url: own.url })
  await addWebhook(network, 0, { url: ofNetwork.url })
  const filter = { types: null, kinds: null, sites: [3] }
  await addWebhook(network, 0, { url: ofSites.url, filter })
  await makeChange(network, 2, 'of-2')
  await makeChange(network, 3, 'of-3')
  await eventually(() => expect(refsOf(ofNetwork)).toEqual(['of-2', 'of-3']))
  await eventually(() => expect(refsOf(ofSites)).toEqual(['of-3']))
  await eventually(() => expect(refsOf(own)).toEqual(['of-3']))
})

it('leaves out what the filter leaves out, and goes on behind it', async () => {
  const receiver = await use(startReceiver())
  const filter = { types: null, kinds: ['frame'], sites: null } as const
  const { id } = await addWebhook(network, 2, { url: receiver.url, filter })
  await makeChange(network, 2, 'left-out')
  await makeChange(network, 2, 'wanted', 'frame')
  await makeChange(network, 2, 'left-out-too')
  const { since } = await readWebhook(network, id)
  await eventually(() => expect(refsOf(receiver)).toEqual(['wanted']))
  await eventually(async () => {
    const behind = (await readWebhook(network, id)).since
    expect(behind).not.toBe(receiver.messages[0]?.body.data.events[0]?.id)
    expect(behind).not.toBe(since)
  })
})

it('tries a message again as it was, and disables the webhook after the last try', async () => {
  const receiver = await use(startReceiver())
  receiver.answer = () => ({ status: 500 })
  const { id } = await addWebhook(network, 2, { url: receiver.url })
  await makeChange(network, 2, 'refused')
  await eventually(async () => expect((await readWebhook(network, id)).tries).toBeGreaterThan(0))
  await makeChange(network, 2, 'later')
  await eventually(async () => {
    expect(await readWebhook(network, id)).toMatchObject({ state: 'disabled', reason: 'failing' })
  })
  expect(receiver.messages).toHaveLength(RETRIES.length + 1)
  expect(new Set(receiver.messages.map((message) => message.id)).size).toBe(1)
  expect(new Set(receiver.messages.map(({ text }) => text)).size).toBe(1)
  expect((await deliveriesOf(id)).map((one) => [one.try, one.status, one.http_status])).toEqual([
    [4, 'failed', 500],
    [3, 'failed', 500],
    [2, 'failed', 500],
    [1, 'failed', 500],
  ])
  // Enabled again, it goes on where it was.
  receiver.messages.length = 0
  receiver.answer = () => ({ status: 200 })
  await db.write({}, async (tx) =>
    updateWebhook(tx, globals, await readWebhook(network, id), {
      state: 'enabled',
      reason: null,
      disabled_at: null,
      tries: 0,
    }),
  )
  await eventually(() => expect(refsOf(receiver)).toEqual(['refused', 'later']))
  await eventually(async () =>
    expect(await readWebhook(network, id)).toMatchObject({
      tries: 0,
      error: null,
      failing_since: null,
    }),
  )
})

it('sends nothing more to a receiver that is gone', async () => {
  const receiver = await use(startReceiver())
  receiver.answer = () => ({ status: 410 })
  const { id } = await addWebhook(network, 2, { url: receiver.url })
  await makeChange(network, 2, 'gone')
  await eventually(async () =>
    expect(await readWebhook(network, id)).toMatchObject({ state: 'disabled', reason: 'gone' }),
  )
  expect(receiver.messages).toHaveLength(1)
})

it('waits as long as the receiver asks', async () => {
  const receiver = await use(startReceiver())
  receiver.answer = () => ({ status: 429, headers: { 'retry-after': '3600' } })
  const { id } = await addWebhook(network, 2, { url: receiver.url })
  await makeChange(network, 2, 'busy')
  const tried = await eventually(async () => {
    const webhook = await readWebhook(network, id)
    expect(webhook.tries).toBe(1)
    return webhook
  })
  const pause = Date.parse(`${tried.next_at.replace(' ', 'T')}Z`) - Date.now()
  expect(pause).toBeGreaterThan(3500_000)
  expect(pause).toBeLessThan(3610_000)
})

it('follows no redirect', async () => {
  const target = await use(startReceiver())
  const receiver = await use(startReceiver())
  receiver.answer = () => ({ status: 307, headers: { location: target.url } })
  const { id } = await addWebhook(network, 2, { url: receiver.url })
  await makeChange(network, 2, 'moved')
  await eventually(async () => expect((await readWebhook(network, id)).state).toBe('disabled'))
  expect(target.messages).toEqual([])
  expect((await readWebhook(network, id)).error).toContain('redirect (307)')
})

it('a receiver that does not answer delays no other', async () => {
  const dead = await use(startReceiver())
  dead.answer = () => 'nothing'
  const live = await use(startReceiver())
  const slow = await addWebhook(network, 2, { url: dead.url })
  await addWebhook(network, 2, { url: live.url })
  const refs = Array.from({ length: 10 }, (_, n) => `live-${n}`)
  for (const ref of refs) {
    const begin = performance.now()
    await makeChange(network, 2, ref)
    await eventually(() => expect(refsOf(live)).toContain(ref))
    // Far less than the timeouts and retries of the other would take together.
    expect(performance.now() - begin).toBeLessThan(5000)
  }
  expect(refsOf(live)).toEqual(refs)
  await eventually(async () =>
    expect((await readWebhook(network, slow.id)).error).toBe(
      'The receiver did not answer in time.',
    ),
  )
})

it('two processes send each change once, and one goes on where another was killed', async () => {
  const second = startWorker(network, { timings: { retrySeconds: RETRIES } })
  const receiver = await use(startReceiver())
  const { id } = await addWebhook(network, 2, { url: receiver.url })
  const refs = Array.from({ length: 25 }, (_, n) => `shared-${n}`)
  for (const ref of refs) await makeChange(network, 2, ref)
  await eventually(() => expect(refsOf(receiver)).toEqual(refs))
  await second.stop()
  // A process that was killed with the lease.
  const lease = { name: nameOfWebhookTask(id), owner: newOwner(), leaseMs: 60_000 }
  await eventually(async () => expect(await takeTask(db, globals, lease)).toBeDefined())
  const other = await use(startReceiver())
  await addWebhook(network, 2, { url: other.url })
  await makeChange(network, 2, 'after-kill')
  await eventually(() => expect(refsOf(other)).toEqual(['after-kill']))
  expect(refsOf(receiver)).toEqual(refs)
  await taskRow(network, lease.name).update({ due_at: db.sql.raw('NOW(6)') })
  await eventually(() => expect(refsOf(receiver)).toEqual([...refs, 'after-kill']))
})

it('sends again from a cursor that was set back while it sends', async () => {
  const receiver = await use(startReceiver())
  const { id } = await addWebhook(network, 2, { url: receiver.url })
  const { since } = await readWebhook(network, id)
  await makeChange(network, 2, 'again')
  await eventually(() => expect(refsOf(receiver)).toEqual(['again']))
  await db.write({}, async (tx) =>
    updateWebhook(tx, globals, await readWebhook(network, id), { since }),
  )
  await eventually(() => expect(refsOf(receiver)).toEqual(['again', 'again']))
  // The same changes have the same id: a receiver can tell.
  const [first, second] = receiver.messages
  expect(second?.id).toBe(first?.id)
})
