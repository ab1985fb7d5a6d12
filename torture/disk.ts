import { join } from 'node:path'
import { createDatabase } from '../demo/private-database/run-script.ts'
import { fullDisk, mountDisk } from './disruptions/full-disk.ts'
import { runDisruptions } from './disruptions/run-disruptions.ts'
import { DatabaseServer } from './support/database-server.ts'
import { installNetwork, NETWORK_DATABASE } from './support/torture-fixture.ts'
import type { Trial } from './trial.ts'

/** The tables are on a disk small enough to fill. The server's own files are on another disk, because the server ends itself if it cannot write them. */
export const disk: Trial = {
  name: 'disk',
  tries: 'the disk of the tables is filled under load from writers, readers and visitors',
  run: async (conditions) => {
    const directory = join(conditions.folder, 'db')
    const server = await DatabaseServer.make({ directory, durable: true })
    await server.start()
    await createDatabase(server.adminUrl, NETWORK_DATABASE)
    const tables = join(directory, NETWORK_DATABASE)
    const { unmount } = mountDisk(tables)
    try {
      const fixture = await installNetwork(server, conditions.folder)
      return await runDisruptions(fixture, [fullDisk(tables)], conditions)
    } finally {
      await server.stop()
      unmount()
    }
  },
}
