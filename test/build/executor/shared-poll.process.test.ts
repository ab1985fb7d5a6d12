import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PAGE_META_KEY } from '../../../src/content/frames/option-names.ts'
import { eventually } from '../../support/eventually.ts'
import { useNetwork } from '../../support/network.ts'
import { type ServeProcesses, startServeProcesses } from '../../support/serve-processes.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { taskOwner } from '../../support/tasks.ts'
import { use, useFolder } from '../../support/use.ts'

const SHOP = 2
const [TEAM, SERVICES] = [10, 16]
const FRAME = 'f00000000000000a'
/** After a crash: the lease of 3 seconds, a look each second, and a round on a busy machine. */
const TAKE_OVER_MS = 10_000

const network = await useNetwork()
const staticDir = await useFolder('shared-poll')
const { db, globals } = network
const { tables } = await network.site(SHOP)
await createSiteFixture(db, await network.site(SHOP)).replaceFrames([
  { id: FRAME, slug: 'page', html: '<h1 data-op-bind="page.title"></h1>' },
])
await db
  .sql(tables.postmeta)
  .insert(
    [TEAM, SERVICES].map((post_id) => ({ post_id, meta_key: PAGE_META_KEY, meta_value: FRAME })),
  )

const start = (): Promise<ServeProcesses> =>
  use(
    startServeProcesses(
      1,
      network.url,
      {
        TABLE_PREFIX: globals.basePrefix,
        STATIC_DIR: staticDir,
        WATCH_SECONDS: '1',
        EXECUTOR_KEY: 'the key of the executors of a test',
      },
      'executor',
    ),
  )

/** Edits a page as another program does. */
async function setTitle(page: number, title: string): Promise<void> {
  await db.sql(tables.posts).where({ ID: page }).update({ post_title: title })
}

const copyAt = (path: string): string => {
  const file = join(staticDir, 'net.test/shop', path, 'index.html')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
const team = () => copyAt('about-us/team')
const services = () => copyAt('services')

const owner = () => taskOwner(network, 'poll')

it('one of several processes polls; when it is killed, another one finds the edits before and after', async () => {
  const first = await start()
  await eventually(() => expect([team(), services()]).not.toContain(''))
  const poller = await owner()
  expect(poller).not.toBeNull()

  const second = await start()
  await setTitle(TEAM, 'With two')
  await eventually(() => expect(team()).toContain('<h1>With two</h1>'))
  expect(await owner()).toBe(poller)

  await setTitle(SERVICES, 'Before the end')
  const killed = new Promise((done) => first.processes[0]?.once('exit', done))
  first.processes[0]?.kill('SIGKILL')
  await killed
  const since = performance.now()
  await setTitle(TEAM, 'While none polls')
  await eventually(() => expect(team()).toContain('<h1>While none polls</h1>'))
  expect(performance.now() - since).toBeLessThan(TAKE_OVER_MS)
  // Work that the first process has recorded may have published the page before another one polls.
  await eventually(async () => expect(await owner()).not.toBe(poller))
  await eventually(() => expect(services()).toContain('<h1>Before the end</h1>'))
  expect(second.processes[0]?.exitCode).toBeNull()
}, 60_000)
