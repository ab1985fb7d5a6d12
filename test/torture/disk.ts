import { join } from 'node:path'
import { createDatabase } from '../../demo/private-database/run-script.ts'
import { storeDisruptions } from '../../packages/store-s3/torture/store-disruptions.ts'
import { fullDisk, mountDisk } from './disruptions/full-disk.ts'
import { runDisruptions } from './disruptions/run-disruptions.ts'
import { DatabaseServer } from './support/database-server.ts'
import {
  createTortureFixture,
  installNetwork,
  NETWORK_DATABASE,
} from './support/torture-fixture.ts'
import type { Conditions, Findings, Trial } from './trial.ts'

/** Pages that each write of the hub publishes. */
const PAGES = 54

/** The tables are on a disk small enough to fill. The server's own files are on another disk, because the server ends itself if it cannot write them. */
export const disk: Trial = {
  name: 'disk',
  tries:
    'the disk of the tables is filled under load from writers, readers and visitors; with --target s3 the store is away, slow, refuses requests, loses answers and gets requests late: afterwards every static copy is true within 5 s',
  targets: ['folder', 's3'],
  run: async (conditions) => {
    if (conditions.target === 's3') return runStoreDisruptions(conditions)
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

/** What a disk is to the folder of static copies, the store is to their objects. */
async function runStoreDisruptions(conditions: Conditions): Promise<Findings> {
  const { folder, short, target } = conditions
  const fixture = await createTortureFixture(folder, { durable: false, target })
  const disruptions = storeDisruptions.filter(({ takesLong }) => !takesLong || !short)
  return runDisruptions(fixture, disruptions, conditions, PAGES)
}
