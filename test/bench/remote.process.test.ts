import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startProxy } from '../../bench/remote/start-proxy.ts'
import { Undo } from '../../bench/setup/undo.ts'
import { cloneNetwork } from '../support/network.ts'
import { use, useFolder } from '../support/use.ts'

const DELAY_MS = 20
const network = await use(cloneNetwork())
const folder = await useFolder('proxy')
const undo = new Undo()
await use({ stop: () => undo.run() })
const counting = await startProxy(network.url, 0, folder, undo)
const delaying = await startProxy(network.url, DELAY_MS, folder, undo)

async function connectTo(uri: string) {
  const connection = await createConnection({ uri, multipleStatements: true })
  onTestFinished(() => connection.destroy())
  return connection
}

describe('the proxy of the database', () => {
  it('counts an answer to a packet of statements as one round trip, and none for a handshake', async () => {
    const before = await counting.readRoundTrips()
    const count = async () => (await counting.readRoundTrips()) - before
    const connection = await connectTo(counting.url)
    expect(await count()).toBe(0)
    await connection.query('SELECT 1')
    await connection.query('SELECT 2; SELECT 3; SELECT 4')
    expect(await count()).toBe(2)
    await connection.end()
    expect(await count()).toBe(2)
  })

  it('counts an answer of many chunks once', async () => {
    const connection = await connectTo(counting.url)
    const before = await counting.readRoundTrips()
    const [[row]] = await connection.query<RowDataPacket[]>("SELECT REPEAT('x', 8000000) AS text")
    expect(row?.text).toHaveLength(8_000_000)
    expect((await counting.readRoundTrips()) - before).toBe(1)
  })

  it('delays each direction, and keeps the order of chunks', async () => {
    const connection = await connectTo(delaying.url)
    const times: number[] = []
    for (let index = 0; index < 10; index += 1) {
      const begin = performance.now()
      await connection.query('SELECT 1')
      times.push(performance.now() - begin)
    }
    const [fastest = 0] = times.sort((a, b) => a - b)
    expect(fastest).toBeGreaterThan(2 * DELAY_MS - 2)
    // Far less than a third delay, so that a busy machine does not fail the test.
    expect(fastest).toBeLessThan(3 * DELAY_MS)
    const numbers = Array.from({ length: 200_000 }, (_, index) => index).join()
    const [[row]] = await connection.query<RowDataPacket[]>('SELECT ? AS text', [numbers])
    expect(row?.text).toBe(numbers)
  })

  it('closes the connection to the database when the client ends', async () => {
    const connection = await connectTo(delaying.url)
    const id = connection.threadId
    const isOpen = async () => {
      const [rows] = await network.db.sql.raw(
        'SELECT 1 FROM information_schema.processlist WHERE id = ?',
        [id],
      )
      return rows.length === 1
    }
    expect(await isOpen()).toBe(true)
    connection.destroy()
    await expect.poll(isOpen).toBe(false)
  })
})
