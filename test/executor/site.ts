import type { Change, Effects, Touched } from '../../src/change.ts'
import { createLocalExecutor, type LocalExecutor } from '../../src/executor/local-executor.ts'
import { createFrame } from '../../src/frames/create-frame.ts'
import { deleteFrame } from '../../src/frames/delete-frame.ts'
import { bindPage } from '../../src/frames/frame-pages.ts'
import { bakedOption } from '../../src/frames/option-names.ts'
import { readRegistry } from '../../src/frames/registry.ts'
import { replaceFrame } from '../../src/frames/replace-frame.ts'
import { createLog, type Log } from '../../src/log.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import { readOption } from '../../src/wordpress/options/read-options.ts'
import { writeOptions } from '../../src/wordpress/options/write-options.ts'
import { cloneNetwork, type TestNetwork } from '../support/network.ts'

/** One site of a network of its own, with an executor and no static copies. */
export type BuiltSite = {
  readonly network: TestNetwork
  readonly executor: LocalExecutor
  readonly site: Site
  /** Makes a frame or replaces its markup, and gives what came of it. */
  put(slug: string, html: string, bake?: boolean): Promise<Effects>
  remove(slug: string, bake?: boolean): Promise<Effects>
  assign(slug: string, pages: readonly number[], bake?: boolean): Promise<Effects>
  apply(change: Partial<Change>): Promise<Effects>
  touch(...kinds: readonly Exclude<Touched['kind'], 'frame' | 'dataset'>[]): Promise<Effects>
  render(pageId: number): Promise<string | undefined>
  idOf(slug: string): Promise<string>
  /** The stored text of a frame's baked copy. */
  copyOf(slug: string): Promise<string | undefined>
  option(name: string): Promise<string | undefined>
  /** Writes an option as WordPress would: nobody tells the service. */
  setOption(name: string, value: string): Promise<void>
  stop(): Promise<void>
}

/** Starts it. Call `stop` when done: nothing is left behind. */
export async function buildSite(blogId = 2, log: Log = createLog('silent')): Promise<BuiltSite> {
  const network = await cloneNetwork()
  const { db } = network
  const site = await network.site(blogId)
  const executor = createLocalExecutor({ db, log, staticDir: undefined })
  const now = '2026-01-02 03:04:05'
  const apply = (change: Partial<Change>) =>
    executor.apply(site, { bake: true, touched: [], pages: [], ...change })
  const idOf = async (slug: string) => (await readRegistry(db, site)).get(slug).id
  return {
    network,
    executor,
    site,
    idOf,
    apply,
    put: async (slug, html, bake = true) => {
      const write = { slug, html, userId: 1, now, bake }
      const held = (await readRegistry(db, site)).find(slug)
      const { change } = await db.write({}, (tx) =>
        held ? replaceFrame(tx, site, held.id, write) : createFrame(tx, site, write),
      )
      return executor.apply(site, change)
    },
    remove: async (slug, bake = true) => {
      const { change } = await db.write({}, (tx) => deleteFrame(tx, site, slug, { bake }))
      return executor.apply(site, change)
    },
    assign: async (ref, pages, bake = true) => {
      for (const pageId of pages) {
        await db.write({}, (tx) => bindPage(tx, site, { ref, pageId, clear: false, bake }))
      }
      return apply({ bake, pages })
    },
    touch: (...kinds) => apply({ touched: kinds.map((kind) => ({ kind })) }),
    render: (pageId) => executor.render(site, pageId),
    copyOf: async (slug) => readOption(db, site, bakedOption(await idOf(slug))),
    option: (name) => readOption(db, site, name),
    setOption: (name, value) =>
      db.write({}, (tx) => writeOptions(tx, site, [{ name, value }], 'off')),
    stop: async () => {
      await executor.close()
      await network.drop()
    },
  }
}
