import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, createConnection } from 'mysql2/promise'
import { makeAccount } from '../support/stage.ts'
import { cutConnections, type Injury, serviceConnections } from './injury.ts'

const PAUSE_MS = 20

/** One connection after the other is cut, whatever it is doing. */
export const cut: Injury = {
  name: 'connections are cut',
  inflict: async (stage) => {
    let over = false
    let count = 0
    const cutting = (async () => {
      for (let turn = 0; !over; turn += 1) {
        const ids = await serviceConnections(stage)
        const id = ids[turn % Math.max(ids.length, 1)]
        if (id !== undefined) {
          await cutConnections(stage, [id])
          count += 1
        }
        await sleep(PAUSE_MS)
      }
    })()
    return async () => {
      over = true
      await cutting
      return `${count} connections cut`
    }
  },
}

/** Others take every connection that the server has to give. */
export const crowd: Injury = {
  name: 'max_connections is exhausted',
  inflict: async (stage) => {
    const url = await makeAccount(stage, 'crowd')
    const crowd: Connection[] = []
    await cutConnections(stage, await serviceConnections(stage))
    for (;;) {
      const joined = await createConnection(url).catch(() => undefined)
      if (!joined) break
      joined.on('error', () => {})
      crowd.push(joined)
      await cutConnections(stage, await serviceConnections(stage))
    }
    return async () => {
      await Promise.all(crowd.map((connection) => connection.end()))
      await stage.db.sql.raw("DROP USER 'crowd'@'127.0.0.1'")
      return `${crowd.length} connections held by others`
    }
  },
}
