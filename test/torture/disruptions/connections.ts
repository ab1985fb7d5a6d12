import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, createConnection } from 'mysql2/promise'
import { makeAccount } from '../support/torture-fixture.ts'
import { cutConnections, type Disruption, serviceConnections } from './disruption.ts'

const PAUSE_MS = 20

/** Kills one connection after the other, whatever it is doing. */
export const cut: Disruption = {
  name: 'connections are killed',
  inflict: async (fixture) => {
    let over = false
    let count = 0
    const cutting = (async () => {
      for (let round = 0; !over; round += 1) {
        const ids = await serviceConnections(fixture)
        const id = ids[round % Math.max(ids.length, 1)]
        if (id !== undefined) {
          await cutConnections(fixture, [id])
          count += 1
        }
        await sleep(PAUSE_MS)
      }
    })()
    return async () => {
      over = true
      await cutting
      return `${count} connections killed`
    }
  },
}

/** Other clients take all connections of the server. */
export const crowd: Disruption = {
  name: 'max_connections is exhausted',
  inflict: async (fixture) => {
    const url = await makeAccount(fixture, 'crowd')
    const crowd: Connection[] = []
    await cutConnections(fixture, await serviceConnections(fixture))
    for (;;) {
      const joined = await createConnection(url).catch(() => undefined)
      if (!joined) break
      joined.on('error', () => {})
      crowd.push(joined)
      await cutConnections(fixture, await serviceConnections(fixture))
    }
    return async () => {
      await Promise.all(crowd.map((connection) => connection.end()))
      await fixture.db.sql.raw("DROP USER 'crowd'@'127.0.0.1'")
      return `${crowd.length} connections taken by other clients`
    }
  },
}
