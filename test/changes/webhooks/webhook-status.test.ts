import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import {
  deliveriesTable,
  KEPT_DELIVERIES,
  pruneDeliveries,
} from '../../../src/changes/webhooks/deliveries-table.ts'
import {
  deleteFormerSecrets,
  deleteWebhooksOfGoneSites,
  readWebhookFigures,
  updateWebhook,
  webhooksTable,
} from '../../../src/changes/webhooks/webhooks-table.ts'
import { timeText } from '../../../src/db/gmt.ts'
import { createLog } from '../../../src/host/log.ts'
import { checkNetwork, examineSite } from '../../../src/network/doctor/examine.ts'
import { declareCopied } from '../../../src/network/identity/copied-network.ts'
import { eventually } from '../../support/eventually.ts'
import { createTestExecutor } from '../../support/local-executor.ts'
import { useNetwork } from '../../support/network.ts'
import { use } from '../../support/use.ts'
import { startReceiver } from '../../support/webhook-receiver.ts'
import { addWebhook, makeChange, readWebhook, startWorker } from './webhook-fixture.ts'

const network = await useNetwork()
const { db, globals } = network
const executor = await use(createTestExecutor({ db, globals }))
const services = { db, globals, executor, copies: undefined, now: () => new Date() }

const findings = async (blogId: number) => {
  const all =
    blogId === 0
      ? await checkNetwork(services)
      : await examineSite(services, await network.site(blogId))
  return all.filter(({ check }) => check.startsWith('webhook_'))
}

it('the doctor and the metrics report webhooks that fail, and those that were disabled', async () => {
  const receiver = await use(startReceiver())
  receiver.answer = () => ({ status: 500 })
  const failing = await addWebhook(network, 2, { url: receiver.url })
  const ended = await addWebhook(network, 0, { url: receiver.url.replace('/hook', '/ended') })
  const lines = new PassThrough()
  const worker = startWorker(network, {
    timings: { retrySeconds: [3600] },
    log: createLog('trace', lines),
  })
  await makeChange(network, 2, 'reported')
  await eventually(async () => {
    for (const { id } of [failing, ended]) expect((await readWebhook(network, id)).tries).toBe(1)
  })
  await db.sql(webhooksTable(globals)).where({ id: ended.id }).update({ next_at: '2000-01-01' })
  await eventually(async () =>
    expect((await readWebhook(network, ended.id)).state).toBe('disabled'),
  )
  await worker.stop()
  const logged = String(lines.read())
  expect(logged).toContain('a webhook was disabled')
  for (const secret of [failing.secret.slice(6), ended.secret.slice(6), '/hook', '/ended'])
    expect(logged).not.toContain(secret)
  const [one] = await findings(2)
  expect(one).toMatchObject({ check: 'webhook_failing', site: 2, severity: 'warning' })
  expect(one?.message).toContain(`The webhook ${failing.id} at 127.0.0.1:`)
  expect(one?.message).toContain('The receiver answered with 500.')
  expect(one?.message).not.toContain('/hook')
  expect(one?.fixHint).toContain('when the webhook is enabled again')
  expect(await findings(0)).toMatchObject([{ check: 'webhook_disabled', site: null }])
  expect(await findings(3)).toEqual([])
  const figures = await readWebhookFigures(db, globals)
  expect(figures).toMatchObject({ failing: 1, disabled: 1 })
  expect(figures.oldestSeconds).toBeGreaterThan(0)
  expect(figures.oldestSeconds).toBeLessThan(600)
  // One that a client has disabled is no problem.
  await db.write({}, async (tx) => {
    for (const { id } of [failing, ended])
      await updateWebhook(tx, globals, await readWebhook(network, id), {
        state: 'disabled',
        reason: 'request',
        disabled_at: timeText(new Date()),
      })
  })
  expect([...(await findings(0)), ...(await findings(2))]).toEqual([])
  expect(await readWebhookFigures(db, globals)).toEqual({
    failing: 0,
    disabled: 0,
    oldestSeconds: 0,
  })
})

it('old tries are deleted, and webhooks of sites that are gone', async () => {
  const signal = new AbortController().signal
  const { id } = await addWebhook(network, 3, { url: 'https://example.com/' })
  const gone = await addWebhook(network, 4711, { url: 'https://example.com/' })
  const row = (webhookId: number, at: string) => ({
    webhook_id: webhookId,
    message_id: 'msg_1',
    type: 'test',
    since: '0',
    message_end: '0',
    events: 0,
    status: 'failed',
    try: 1,
    ms: 1,
    created_at: at,
  })
  const now = new Date()
  const rows = Array.from({ length: KEPT_DELIVERIES + 3 }, () => row(id, timeText(now)))
  await db.sql(deliveriesTable(globals)).insert([row(id, '2020-01-01 00:00:00'), ...rows])
  await db.sql(deliveriesTable(globals)).insert(row(gone.id, timeText(now)))
  expect(await deleteWebhooksOfGoneSites(db, globals, signal)).toBe(1)
  expect((await readWebhook(network, id)).blog_id).toBe(3)
  expect(await pruneDeliveries(db, globals, signal)).toBeGreaterThanOrEqual(5)
  const kept = await db.sql(deliveriesTable(globals)).where({ webhook_id: id })
  expect(kept).toHaveLength(KEPT_DELIVERIES)
  expect(await db.sql(deliveriesTable(globals)).where({ webhook_id: gone.id })).toEqual([])
})

it('a former secret is deleted when it signs no more', async () => {
  const { id } = await addWebhook(network, 2, { url: 'https://example.com/' })
  const now = new Date()
  const until = (seconds: number) =>
    db
      .sql(webhooksTable(globals))
      .where({ id })
      .update({
        previous_secret: Buffer.alloc(32),
        previous_until: timeText(new Date(now.getTime() + seconds * 1000)),
      })
  await until(10)
  expect(await deleteFormerSecrets(db, globals)).toBe(0)
  await until(-10)
  expect(await deleteFormerSecrets(db, globals)).toBe(1)
  expect(await readWebhook(network, id)).toMatchObject({
    previous_secret: null,
    previous_until: null,
  })
})

it('a copied network sends nothing to the receivers of its original', async () => {
  const { id } = await addWebhook(network, 2, { url: 'https://example.com/' })
  await declareCopied(db, globals, { keepTokens: true, now: new Date() })
  expect(await readWebhook(network, id)).toMatchObject({ state: 'disabled', reason: 'copied' })
  expect(await findings(2)).toEqual([])
})
