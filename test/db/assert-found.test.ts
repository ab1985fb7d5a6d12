import { expect, it } from 'vitest'
import { emptyDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/open-database.ts'
import { startPacketRelay } from '../support/packets.ts'
import { use } from '../support/use.ts'

const database = await use(emptyDatabase())
const relay = await use(startPacketRelay(database.url))
const db = await use(openTestDatabase({ url: relay.url, poolSize: 2, isBatched: true }))

it('assertions have a column of one name, because the driver compiles and keeps a parser for each set of columns', async () => {
  const columnOf = async (name: string): Promise<string> => {
    const packets = await relay.packetsOf(() =>
      db.write({}, async (tx) => {
        tx.assertFound(
          'SELECT 1 FROM (SELECT :name AS name) one',
          { name },
          () => new Error('none'),
        )
      }),
    )
    const assertion = packets
      .flatMap(({ statements }) => statements)
      .find((statement) => statement.includes(`'${name}'`))
    const { fields = [] } = await db.sender.send({ sql: assertion ?? '' })
    return fields[0]?.name ?? ''
  }
  expect(await columnOf('a')).toBe(await columnOf('b'))
})
