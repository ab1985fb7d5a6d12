import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ChangeEvent } from '../../src/changes/events/event.ts'
import { issueTokenFor, useApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { startServeProcesses } from '../support/serve-processes.ts'
import { use, useFolder } from '../support/use.ts'

const DOCS = resolve(import.meta.dirname, '../../docs')
const RECEIVER = 'event-receiver.mjs'

const { network, api } = await useApi()
const token = await issueTokenFor(network, 'admin')
const client = await api.as('admin')
const folder = await useFolder('receiver')
const secret = randomBytes(32)
const port = await freePort()

/**
 * Starts the receiver. What it handles is added to `events`.
 * @param env its environment where it differs
 */
async function startReceiver(events: ChangeEvent[], env: Readonly<Record<string, string>> = {}) {
  const child: ChildProcess = spawn(process.execPath, [resolve(DOCS, RECEIVER)], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      WP_FRAMES_URL: api.url,
      WP_FRAMES_TOKEN: token,
      WEBHOOK_SECRET: `whsec_${secret.toString('base64')}`,
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((done) => child.once('exit', done))
  const stop = () => {
    child.kill('SIGKILL')
    return ended
  }
  onTestFinished(() => void stop())
  if (child.stdout)
    createInterface(child.stdout).on('line', (line) => void events.push(JSON.parse(line)))
  await eventually(async () => expect(await deliver({ key: randomBytes(32) })).toBe(401))
  return stop
}

type Delivery = {
  readonly id?: string
  readonly key?: Buffer
  readonly at?: number
  readonly edit?: (signature: string) => string
}

/** Sends a webhook, and gives the status of the answer. */
async function deliver({
  id = 'msg_1',
  key = secret,
  at = Date.now(),
  edit = (signature) => signature,
}: Delivery = {}): Promise<number> {
  const time = String(Math.floor(at / 1000))
  const body = JSON.stringify({ type: 'changed', timestamp: new Date(at), data: { text: 'ä' } })
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')
  const { status } = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: {
      'webhook-id': id,
      'webhook-timestamp': time,
      'webhook-signature': edit(`v1,${signature}`),
    },
    body,
  })
  return status
}

const write = async (html: string): Promise<string> => {
  const { body, headers } = await client.put('/site/2/frames/followed').send({ html, bake: false })
  expect(body.success).toBe(true)
  return headers['x-request-id'] ?? ''
}

describe('the guide to events', () => {
  const guide = readFileSync(resolve(DOCS, 'events.md'), 'utf8')

  it('shows an event with all of its fields', async () => {
    const [, shown = '{}'] = /^```json\n(\{\n {2}"id".*?)^```$/ms.exec(guide) ?? []
    const example = JSON.parse(shown)
    await client.post('/site/2/frames').send({ slug: 'followed', html: '<i></i>', bake: false })
    await write('<p>example</p>')
    const { body } = await client.get('/site/2/changes')
    const event = body.events.at(-1)
    expect(Object.keys(event)).toEqual(Object.keys(example))
    expect(Object.keys(event.things[0])).toEqual(Object.keys(example.things[0]))
    const { type, site_id, things, things_total, reason } = example
    const [{ kind, action }] = things
    expect(event).toMatchObject({ type, site_id, things_total, reason, things: [{ kind, action }] })
  })
})

/** Until then a receiver that is killed gets the last events again. */
const storesCursor = (events: readonly ChangeEvent[]): Promise<void> =>
  eventually(() => expect(readFileSync(resolve(folder, 'cursor'), 'utf8')).toBe(events.at(-1)?.id))

describe('the receiver of the guide', async () => {
  const service = await use(
    startServeProcesses(1, network.url, {
      TABLE_PREFIX: network.globals.basePrefix,
      WEBHOOK_ALLOW_HOSTS: '127.0.0.1',
    }),
  )

  it('refuses what was not signed with its secret, or long ago', async () => {
    const stop = await startReceiver([])
    expect(await deliver()).toBe(204)
    expect(await deliver({ edit: (one) => `v1,${'A'.repeat(44)} ${one} v1a,x` })).toBe(204)
    const refused: Delivery[] = [
      { key: randomBytes(32) },
      { at: Date.now() - 301_000 },
      { at: Date.now() + 302_000 },
      { edit: (one) => one.slice(0, -1) },
      { edit: (one) => one.slice(3) },
      { edit: (one) => one.replace('v1,', 'v2,') },
      { edit: () => '' },
    ]
    for (const delivery of refused) expect(await deliver(delivery)).toBe(401)
    const { status } = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })
    expect(status).toBe(401)
    await stop()
  })

  it('handles each event once and in order, also what happened while it was killed', async () => {
    const events: ChangeEvent[] = []
    const requests = () => events.map(({ request_id }) => request_id)
    const stop = await startReceiver(events)
    const first = await write('<p>1</p>')
    expect(await deliver({ id: 'a' })).toBe(204)
    await eventually(() => expect(requests()).toEqual([first]))
    const second = await write('<p>2</p>')
    const third = await write('<p>3</p>')
    const answers = ['a', 'b', 'b', 'c'].map((id) => deliver({ id }))
    expect(await Promise.all(answers)).toEqual([204, 204, 204, 204])
    await eventually(() => expect(requests()).toEqual([first, second, third]))
    await storesCursor(events)
    await stop()
    const missed = [await write('<p>4</p>'), await write('<p>5</p>')]
    const stopAgain = await startReceiver(events)
    await eventually(() => expect(requests()).toEqual([first, second, third, ...missed]))
    await storesCursor(events)
    await stopAgain()
  })

  it('reads all parts of the feed', async () => {
    const events: ChangeEvent[] = []
    const stop = await startReceiver(events)
    const written: string[] = []
    for (let at = 0; at < 120; at += 1) written.push(await write(`<p>part ${at}</p>`))
    await deliver({ id: 'parts' })
    await eventually(() => expect(events.map(({ request_id }) => request_id)).toEqual(written))
    await storesCursor(events)
    await stop()
  })

  it('learns of changes by a webhook of the service', async () => {
    const receiver = { url: `http://127.0.0.1:${port}/hooks` }
    const created = await service.send(token, 'POST', '/network/webhooks', receiver)
    expect(created.body).toMatchObject({ webhook: { url: receiver.url, enabled: true } })
    const events: ChangeEvent[] = []
    await startReceiver(events, { WEBHOOK_SECRET: String(created.body.secret) })
    const written = [await write('<p>first</p>'), await write('<p>second</p>')]
    await eventually(() =>
      expect(events.map(({ request_id }) => request_id)).toEqual(expect.arrayContaining(written)),
    )
  })
})
