import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startPrivateDatabase } from '../../../demo/private-database/start-private-database.ts'
import { createFrame } from '../../../src/content/frames/create-frame.ts'
import { readFrame } from '../../../src/content/frames/read-frame.ts'
import { readSiteGraph } from '../../../src/content/frames/read-graph.ts'
import { renameFrame } from '../../../src/content/frames/rename-frame.ts'
import type { Database } from '../../../src/db/database.ts'
import { findSite } from '../../../src/wordpress/network/find-sites.ts'
import { globalTables } from '../../../src/wordpress/network/site.ts'
import { loadNetwork } from '../../support/load-network.ts'
import { openTestDatabase } from '../../support/open-database.ts'
import { useFolder } from '../../support/use.ts'

const dataDir = join(await useFolder('killed'), 'db')
const start = () => startPrivateDatabase({ dataDir, durable: true, log: () => {} })
const open = (serverUrl: string): Database => {
  const url = new URL(serverUrl)
  url.pathname = '/killed'
  return openTestDatabase({ url: url.href, poolSize: 2 })
}

it('a write leaves the site unchanged if the database is killed during a write', async () => {
  const server = await start()
  await loadNetwork(server.url, 'killed')
  const db = open(server.url)
  const site = await findSite(db, globalTables('wp_'), 2)
  if (!site) throw new Error('no site')
  const write = { userId: 2, now: '2026-01-02 03:04:05', bake: true }
  await db.write({}, (tx) => createFrame(tx, site, { ...write, slug: 'kept', html: 'kept' }))
  await db.write({}, (tx) =>
    createFrame(tx, site, {
      ...write,
      slug: 'embedder',
      html: '<!-- svc/frame {"ref":"kept"} /-->',
    }),
  )

  // When the server dies, the rename has rewritten the embedder, the record and the registry.
  const killed = db.write({}, async (tx) => {
    await renameFrame(tx, site, 'kept', { ...write, slug: 'renamed' })
    execFileSync('sh', ['-c', `kill -9 $(cat ${dataDir}/server.pid)`])
  })
  await expect(killed).rejects.toThrow()
  await db.close()
  await server.stop()

  const again = await start()
  const reopened = open(again.url)
  const graph = await readSiteGraph(reopened, site)
  expect(graph.all().map(({ slug }) => slug)).toEqual(['embedder', 'kept'])
  const { record } = await readFrame(reopened, site, graph.registry.get('embedder'))
  expect(record.html).toBe('<!-- svc/frame {"ref":"kept"} /-->')
  expect((await readFrame(reopened, site, graph.registry.get('kept'))).record.slug).toBe('kept')
  await reopened.close()
  await again.stop()
})
