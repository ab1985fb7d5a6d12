import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { isDatabaseUnavailable } from '../../src/db/database-error.ts'
import { createLog } from '../../src/log.ts'
import { emptyDatabase } from '../support/database.ts'
import { use } from '../support/use.ts'

/** Short, to keep the test fast, but long for an ordinary statement. In milliseconds. */
const REPLY_TIMEOUT_MS = 2000

const sockets: Socket[] = []

const database = await use(emptyDatabase())
const { hostname, port } = new URL(database.url)
const network = createServer((near) => {
  const far = connect(Number(port), hostname)
  sockets.push(near, far)
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on('data', (bytes) => to.write(bytes))
    from.on('close', () => to.destroy())
    from.on('error', () => to.destroy())
  }
})
await new Promise<void>((listening) => network.listen(0, '127.0.0.1', listening))
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await new Promise((closed) => network.close(closed))
})
const url = new URL(database.url)
url.port = String(Object(network.address()).port)
const log = createLog('silent')
const db = await use(
  openDatabase({ url: url.href, poolSize: 2, log, replyTimeoutMs: REPLY_TIMEOUT_MS }),
)

/** Blocks all traffic silently: existing connections stay open, and new ones can be opened. */
function blockTraffic(): () => void {
  const paused = [...sockets]
  for (const socket of paused) socket.pause()
  const pause = (socket: Socket) => {
    paused.push(socket)
    socket.pause()
  }
  network.on('connection', pause)
  return () => {
    network.off('connection', pause)
    for (const socket of paused) socket.resume()
  }
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'answered',
    (error: unknown) => error,
  )

it('fails statements without a reply, and recovers when the server replies again', async () => {
  await db.sql.raw('CREATE TABLE things (name varchar(20) PRIMARY KEY) ENGINE = InnoDB')
  const insert = (name: string) => db.write({}, (tx) => tx.sql('things').insert({ name }))
  const speak = blockTraffic()
  const failures = await Promise.all([
    failureOf(db.ping()),
    failureOf(db.sql.raw('SELECT ?', ['x'.repeat(100_000)])),
    failureOf(insert('silent')),
  ])
  expect(failures.map(isDatabaseUnavailable)).toEqual([true, true, true])
  expect(isDatabaseUnavailable(await failureOf(insert('still silent')))).toBe(true)
  speak()
  await insert('served')
  expect(await db.sql('things').pluck('name')).toEqual(['served'])
  expect(db.poolUse()).toMatchObject({ used: 0, waiting: 0 })
})

it('rolls back a transaction if the server stops replying', async () => {
  let speak = () => {}
  const failure = await failureOf(
    db.write({}, async (tx) => {
      await tx.sql('things').insert({ name: 'half' })
      speak = blockTraffic()
      await tx.sql('things').insert({ name: 'other half' })
    }),
  )
  speak()
  expect(isDatabaseUnavailable(failure)).toBe(true)
  expect(await db.sql('things').pluck('name')).not.toContain('half')
})

it('fails a streamed statement whose rows stop', async () => {
  await db.sql.raw('CREATE TABLE texts (text longtext) ENGINE = InnoDB')
  const texts = Array.from({ length: 64 }, () => ({ text: 'x'.repeat(250_000) }))
  for (const text of texts) await db.write({}, (tx) => tx.sql('texts').insert(text))
  let speak = () => {}
  let rows = 0
  const failure = await failureOf(
    (async () => {
      for await (const _ of db.sql('texts').stream()) {
        rows += 1
        if (rows === 1) speak = blockTraffic()
      }
    })(),
  )
  speak()
  expect(isDatabaseUnavailable(failure)).toBe(true)
  expect(rows).toBeLessThan(texts.length)
})

it('waits for a slow reader of a streamed statement', async () => {
  let rows = 0
  for await (const _ of db.sql('texts').stream()) {
    rows += 1
    if (rows === 1) await sleep(REPLY_TIMEOUT_MS * 1.5)
  }
  expect(rows).toBe(64)
})
