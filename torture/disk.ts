import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fullDisk, mountDisk } from './injuries/full-disk.ts'
import { standInjuries } from './injuries/stand-injuries.ts'
import { DatabaseServer } from './support/database-server.ts'
import { layNetwork, NETWORK_DATABASE } from './support/stage.ts'
import type { Trial } from './trial.ts'

/** The tables lie on a disk so small that it can be filled; the server's own files on another one, without which it ends itself. */
export const disk: Trial = {
  name: 'disk',
  tries: 'the disk of the tables is filled while writers, readers and visitors go on',
  run: async (conditions) => {
    const directory = join(conditions.folder, 'db')
    const server = await DatabaseServer.make({ directory, durable: true })
    const tables = join(directory, NETWORK_DATABASE)
    mkdirSync(tables)
    const { unmount } = mountDisk(tables)
    try {
      await server.start()
      const stage = await layNetwork(server, conditions.folder)
      return await standInjuries(stage, [fullDisk(tables)], conditions)
    } finally {
      await server.stop()
      unmount()
    }
  },
}
