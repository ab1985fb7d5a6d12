import { expect, it } from 'vitest'
import { ChangeWatch } from '../../../src/changes/events/change-watch.ts'
import {
  MAX_MESSAGE_BYTES,
  MAX_MESSAGE_THINGS,
  readNextMessage,
} from '../../../src/changes/webhooks/webhook-message.ts'
import type { Webhook } from '../../../src/changes/webhooks/webhooks-table.ts'
import { createLog } from '../../../src/host/log.ts'
import { recordEvent } from '../../../src/record/history/record-event.ts'
import { recordHistory } from '../../../src/record/history/record-history.ts'
import { useNetwork } from '../../support/network.ts'
import { statementsOf } from '../../support/statements.ts'
import { use } from '../../support/use.ts'
import { addWebhook, makeChange, readWebhook } from './webhook-fixture.ts'

const network = await useNetwork()
const { db, globals } = network
const changes = await use(new ChangeWatch({ db, globals, log: createLog('silent') }) as never)
const url = 'https://example.com/'

const webhookAt = async (more: Partial<Webhook> = {}): Promise<Webhook> => {
  const { id } = await addWebhook(network, 2, { url })
  // The change of the webhook itself is not sent.
  return { ...(await readWebhook(network, id)), ...more }
}

const messageOf = async (webhook: Webhook) => {
  const { message } = await readNextMessage(changes, webhook)
  if (!message) throw new Error('there is no message')
  return { ...message, data: JSON.parse(message.body).data }
}

/** One change of many things. */
const changeMany = (things: number, name: string) =>
  db.write({}, async (tx) => {
    for (let n = 0; n < things; n += 1)
      recordHistory(
        tx,
        { blogId: 2, globals },
        {
          kind: 'dataset',
          ref: `many-${n}`,
          action: 'replaced',
          before: undefined,
          after: { name, fields: { n: Math.random() } },
          isNew: true,
        },
      )
  })

it('lists as many changes as fit, and the next message has the others', async () => {
  const webhook = await webhookAt()
  for (let n = 0; n < 120; n += 1) await makeChange(network, 2, `one-${n}`)
  const seen: string[] = []
  let since = webhook.since
  for (;;) {
    const { message } = await readNextMessage(changes, { ...webhook, since })
    if (!message) break
    const { body, message_end: end } = message
    expect(Buffer.byteLength(body)).toBeLessThan(MAX_MESSAGE_BYTES)
    const { data } = JSON.parse(body)
    expect(data.events_total).toBe(data.events.length)
    for (const { things } of data.events)
      seen.push(...things.map(({ ref }: { ref: string }) => ref))
    // A further try has the same text.
    const again = await messageOf({ ...webhook, since, message_end: end })
    expect(again).toMatchObject({ message_id: message.message_id, body })
    since = end
  }
  expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => `one-${n}`))
})

it('cuts a large change, and says how many things it has', async () => {
  const webhook = await webhookAt()
  await changeMany(300, '\u0001'.repeat(255))
  const { body, data } = await messageOf(webhook)
  expect(Buffer.byteLength(body)).toBeLessThan(MAX_MESSAGE_BYTES)
  const [event] = data.events
  expect(event.things_total).toBe(300)
  expect(event.things.length).toBeGreaterThan(0)
  expect(event.things.length).toBeLessThan(MAX_MESSAGE_THINGS)
  const short = await webhookAt()
  await changeMany(300, 'x')
  expect((await messageOf(short)).data.events[0].things).toHaveLength(MAX_MESSAGE_THINGS)
})

it('tells a receiver that changes are missing', async () => {
  const webhook = await webhookAt({ since: '1-00000000' })
  const { type, data } = await messageOf(webhook)
  expect(type).toBe('changes.reset')
  expect(data.events).toMatchObject([{ type: 'reset', reason: 'unknown' }])
})

it('a further try of a message whose changes are missing is another message', async () => {
  const webhook = await webhookAt({ since: '1-00000000', message_end: '2-00000000' })
  const { message_id: id, message_end: end, data } = await messageOf(webhook)
  expect(data.cursor).toBe(end)
  expect(data.events).toMatchObject([{ type: 'reset', id: end }])
  expect(id).not.toContain(webhook.message_end)
})

it('does not read the addresses of pages, which it does not send', async () => {
  const webhook = await webhookAt()
  const things = [{ kind: 'page', ref: '10', action: 'published' }] as const
  await db.write({}, (tx) => recordEvent(tx, { blogId: 2, globals }, 'published', things))
  const read = async () => {
    const { data } = await messageOf(webhook)
    expect(data.events).toMatchObject([{ type: 'published', things: [{ ref: '10', url: null }] }])
  }
  const statements = await statementsOf(db, read, (statement) => JSON.stringify(statement))
  expect(statements.filter((text) => text.includes('svc_pages'))).toEqual([])
})
