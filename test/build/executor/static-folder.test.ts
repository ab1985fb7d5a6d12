import { existsSync, readdirSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { NetworkIdentities } from '../../../src/build/publishing/network-identity.ts'
import { MARKER } from '../../../src/build/publishing/network-marker.ts'
import { beginPublication } from '../../../src/build/publishing/publication-numbers.ts'
import { StaticFolder } from '../../../src/build/publishing/static-folder.ts'
import { listBuilders, MAX_PAGES } from '../../../src/content/work/due-work.ts'
import { recordChange } from '../../../src/content/work/record-work.ts'
import { workOn } from '../../../src/content/work/work.ts'
import { createLog, type Log } from '../../../src/host/log.ts'
import { examineNetwork } from '../../../src/network/doctor/examine.ts'
import { eventually } from '../../support/eventually.ts'
import { type TestFront, useFront } from '../../support/front.ts'
import { createTestExecutor } from '../../support/local-executor.ts'
import { useFolder } from '../../support/use.ts'
import { pendingWork } from '../../support/work-rows.ts'

const ABOUT = 'http://net.test/shop/about-us/'
const PAGE = 7

let parent: string
let front: TestFront
beforeEach(async () => {
  parent = await useFolder('folder')
  front = await useFront({ staticDir: join(parent, 'static') })
  await front.frame(2, 'page', '<h1 data-op-bind="page.title"></h1>')
})

const staticDir = () => join(parent, 'static')
const publish = () => front.assign(2, 'page', [PAGE])

/** Leaves the folder as it is while its file system is not mounted. */
async function unmount(): Promise<void> {
  await rename(staticDir(), join(parent, 'away'))
  await mkdir(staticDir())
}
async function mount(): Promise<void> {
  await rm(staticDir(), { recursive: true })
  await rename(join(parent, 'away'), staticDir())
}

/** The folder object of another process. */
const folder = (log: Log = createLog('silent'), path = staticDir()) => {
  const { db, globals } = front.network
  const identities = new NetworkIdentities(db, globals)
  return new StaticFolder({ db, globals, staticDir: path, log, identities })
}

it('the folder is not written to while its file system is not mounted; pages are rendered', async () => {
  await publish()
  await unmount()
  const { statics, republish } = await publish()
  expect(statics.get(PAGE)).toMatchObject({
    published: false,
    reason: 'failed',
    was_published: false,
    message: expect.stringContaining('cannot be written'),
  })
  expect(republish).toMatchObject({ status: 'failed', message: expect.stringMatching(/\.$/) })
  expect(republish.message).not.toContain(parent)
  expect(readdirSync(staticDir())).toEqual([])
  expect(await front.ask(ABOUT)).toMatchObject({ status: 200, body: '<h1>About us</h1>' })

  await mount()
  expect((await publish()).statics.get(PAGE)).toMatchObject({ published: true })
})

it('the folder is tried for one slice of a site at a time, not for all its work, while it is not mounted', async () => {
  await publish()
  await unmount()
  const { db, globals } = front.network
  const tried = async (blogId: number) =>
    (await pendingWork(front.network, blogId)).filter(({ tries }) => tries > 0)
  const tryPages = async (blogId: number, count: number) => {
    const site = await front.network.site(blogId)
    const pages = Array.from({ length: count }, (_, at) => at + 5000)
    await db.write({ site }, (tx) =>
      recordChange(tx, site, { bake: true, work: workOn('page', pages) }),
    )
    front.executor.wake(blogId)
    await eventually(async () => expect(await tried(blogId)).not.toEqual([]))
  }
  await tryPages(2, 900)
  // A second slice would begin at once, and so before all of a later one of another site.
  await tryPages(3, 1)
  expect(await tried(2)).toHaveLength(MAX_PAGES)
  await eventually(async () => expect(await listBuilders(db, globals)).toEqual(new Set()))
  await mount()
})

it('the folder gets no publication number while its file system is not mounted, also if that happens within a claim', async () => {
  await publish()
  const site = await front.network.site(2)
  const begin = () =>
    beginPublication(site, folder(), (number) => front.network.db.write({ site }, number))
  await unmount()
  await expect(begin()).rejects.toThrow(/ENOENT/)
  expect(readdirSync(staticDir())).toEqual([])
  await mount()
  await begin()
})

it('the folder is rejected by a process that starts while its file system is not mounted', async () => {
  await publish()
  await unmount()
  await expect(folder().open()).rejects.toThrow(`touch '${join(staticDir(), MARKER)}'`)
  const { db, globals } = front.network
  const executor = createTestExecutor({
    db,
    globals,
    staticDir: staticDir(),
  })
  const change = { bake: true, work: workOn('page', [PAGE]) }
  const effects = await executor.apply(await front.network.site(2), change)
  await executor.close()
  expect(effects.republish.status).toBe('failed')
  expect(readdirSync(staticDir())).toEqual([])
  const now = () => new Date()
  const { copies } = executor
  const services = { db, globals, executor, copies, staticDir: staticDir(), now }
  expect(
    (await examineNetwork(services)).filter(({ check }) => check === 'static_folder_missing'),
  ).toMatchObject([{ site: null, severity: 'error', fixHint: expect.stringContaining('touch') }])
})

it('the folder is accepted as a new folder once the operator creates the marker file', async () => {
  await publish()
  await unmount()
  await writeFile(join(staticDir(), MARKER), '')
  expect((await publish()).statics.get(PAGE)).toMatchObject({ published: true })
})

it('the folder is rejected at a path that was used before even if the folder does not exist', async () => {
  await publish()
  await rm(staticDir(), { recursive: true })
  expect((await publish()).republish.status).toBe('failed')
  expect(existsSync(staticDir())).toBe(false)
})
