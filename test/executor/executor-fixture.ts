import type { Change, Effects, Touched } from '../../src/change.ts'
import { bakedOption } from '../../src/frames/option-names.ts'
import { createLog, type Log } from '../../src/log.ts'
import { createTestExecutor, type TestExecutor } from '../support/local-executor.ts'
import { cloneNetwork, type TestNetwork } from '../support/network.ts'
import { createSiteFixture, type SiteFixture } from '../support/site-fixture.ts'

/** One site of a cloned network, with an executor and no static copies. */
export type ExecutorFixture = SiteFixture & {
  readonly network: TestNetwork
  readonly executor: TestExecutor
  apply(change: Partial<Change>): Promise<Effects>
  rebake(limit: number): Promise<Effects>
  touch(...kinds: readonly Exclude<Touched['kind'], 'frame' | 'dataset'>[]): Promise<Effects>
  render(pageId: number): Promise<string | undefined>
  /** The stored text of a frame's baked copy. */
  copyOf(slug: string): Promise<string | undefined>
  stop(): Promise<void>
}

/** Starts it. Call `stop` at the end, which removes everything. */
export async function createExecutorFixture(
  blogId = 2,
  log: Log = createLog('silent'),
): Promise<ExecutorFixture> {
  const network = await cloneNetwork()
  const { db, globals } = network
  const site = await network.site(blogId)
  const executor = createTestExecutor({ db, globals, log })
  const fixture = createSiteFixture(db, site, { executor })
  const apply = (change: Partial<Change>) =>
    executor.apply(site, { bake: true, touched: [], pages: [], ...change })
  return {
    ...fixture,
    network,
    executor,
    apply,
    rebake: (limit) => executor.rebake(site, { touched: [], all: true, limit }),
    touch: (...kinds) => apply({ touched: kinds.map((kind) => ({ kind })) }),
    render: (pageId) => executor.renderById(site, pageId),
    copyOf: async (slug) => fixture.option(bakedOption(await fixture.idOf(slug))),
    stop: async () => {
      await executor.close()
      await network.drop()
    },
  }
}
