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

/** A cloned network with its own folder of static copies, and the doctor on its site `shop`. */
export type DoctorFixture = {
  readonly network: TestNetwork
  readonly site: Site
  readonly services: DoctorServices
  readonly executor: LocalExecutor
  readonly staticDir: string
  /** The findings on the shop with these codes; without codes, all findings but those on character sets. */
  examine(...checks: readonly CheckCode[]): Promise<Finding[]>
  /** The codes of the findings on the shop, sorted and unique. */
  codes(): Promise<string[]>
  examineNetwork(): Promise<Finding[]>
  /** Applies the fixes of the shop. */
  fix(): Promise<void>
  /** Creates a frame, assigns it to pages, bakes and publishes it. Returns its id. */
  put(slug: string, html: string, pages?: readonly number[]): Promise<string>
  idOf(slug: string): Promise<string>
  option(name: string): Promise<string | undefined>
  /** Writes an option without the service. */
  setOption(name: string, value: string): Promise<void>
  dropOption(name: string): Promise<void>
  stop(): Promise<void>
}

const ITEM_ON_TRASH = 46

/** Call `stop` at the end to remove the network and the folder. */
export async function createDoctorFixture(
  options: NetworkOptions = {},
  blogId = 2,
): Promise<DoctorFixture> {
  const network = await cloneNetwork(options)
  const { db, globals } = network
  const site = await network.site(blogId)
  // The dump contains one problem: an item that links to a page in the trash.
  await db.write({}, (tx) => deleteMenuItems(tx, site, [ITEM_ON_TRASH]))
  const staticDir = await mkdtemp(join(tmpdir(), 'wp-frames-doctor-'))
  const executor = createLocalExecutor({ db, log: createLog('silent'), staticDir })
  // Later than everything that a test has just written.
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
