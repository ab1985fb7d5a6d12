import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { examineNetwork, examineSite } from '../../src/doctor/examine.ts'
import type { CheckCode, DoctorServices, Finding } from '../../src/doctor/finding.ts'
import { fixSite } from '../../src/doctor/fix.ts'
import { createLocalExecutor, type LocalExecutor } from '../../src/executor/local-executor.ts'
import { createFrame } from '../../src/frames/create-frame.ts'
import { bindPage } from '../../src/frames/frame-pages.ts'
import { readRegistry } from '../../src/frames/registry.ts'
import { createLog } from '../../src/log.ts'
import { deleteMenuItems } from '../../src/wordpress/nav-menus/delete-menu-items.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import { readOption } from '../../src/wordpress/options/read-options.ts'
import { writeOptions } from '../../src/wordpress/options/write-options.ts'
import { cloneNetwork, type NetworkOptions, type TestNetwork } from '../support/network.ts'

/** The shop of a network of its own, with static copies in a folder of its own, and the doctor on it. */
export type DoctorFixture = {
  readonly network: TestNetwork
  readonly site: Site
  readonly services: DoctorServices
  readonly executor: LocalExecutor
  readonly staticDir: string
  /** The findings on the shop whose check is one of these; all but notes on character sets where none is named. */
  examine(...checks: readonly CheckCode[]): Promise<Finding[]>
  /** The codes of what is found on the shop, sorted, each once. */
  codes(): Promise<string[]>
  examineNetwork(): Promise<Finding[]>
  /** Mends the shop. */
  fix(): Promise<void>
  /** Makes a frame with pages on it, built and published, and gives its id. */
  put(slug: string, html: string, pages?: readonly number[]): Promise<string>
  idOf(slug: string): Promise<string>
  option(name: string): Promise<string | undefined>
  /** Writes an option past the service. */
  setOption(name: string, value: string): Promise<void>
  dropOption(name: string): Promise<void>
  stop(): Promise<void>
}

const ITEM_ON_TRASH = 46

/** Starts it. Call `stop` when done: nothing is left behind. */
export async function createDoctorFixture(
  options: NetworkOptions = {},
  blogId = 2,
): Promise<DoctorFixture> {
  const network = await cloneNetwork(options)
  const { db, globals } = network
  const site = await network.site(blogId)
  // The network has one fault of its own: an item on a page in the trash.
  await db.write({}, (tx) => deleteMenuItems(tx, site, [ITEM_ON_TRASH]))
  const staticDir = await mkdtemp(join(tmpdir(), 'wp-frames-doctor-'))
  const executor = createLocalExecutor({ db, log: createLog('silent'), staticDir })
  // A moment later than all that was written just now.
  const now = () => new Date(Date.now() + 5000)
  const services: DoctorServices = { db, globals, executor, staticDir, now }
  const rowOf = (name: string) => db.sql(site.tables.options).where({ option_name: name })
  const examine: DoctorFixture['examine'] = async (...checks) =>
    (await examineSite(services, site)).filter(({ check }) =>
      checks.length > 0 ? checks.includes(check) : check !== 'charset_narrow',
    )
  const idOf = async (slug: string) => (await readRegistry(db, site)).get(slug).id
  return {
    network,
    site,
    services,
    executor,
    staticDir,
    examine,
    codes: async () => [...new Set((await examine()).map(({ check }) => check))].sort(),
    examineNetwork: () => examineNetwork(services),
    fix: () => fixSite(services, site),
    put: async (slug, html, pages = []) => {
      const write = { slug, html, userId: 1, now: '2026-01-02 03:04:05', bake: true }
      const { change, frame } = await db.write({}, (tx) => createFrame(tx, site, write))
      for (const pageId of pages)
        await db.write({}, (tx) =>
          bindPage(tx, site, { ref: frame.id, pageId, clear: false, bake: true }),
        )
      await executor.apply(site, { ...change, pages })
      return frame.id
    },
    idOf,
    option: (name) => readOption(db, site, name),
    setOption: (name, value) =>
      db.write({}, (tx) => writeOptions(tx, site, [{ name, value }], 'off')),
    dropOption: async (name) => {
      await rowOf(name).delete()
    },
    stop: async () => {
      await executor.close()
      await network.drop()
      await rm(staticDir, { recursive: true, force: true })
    },
  }
}
