import type { Effects } from '../../src/effects.ts'
import { bakedOption } from '../../src/frames/option-names.ts'
import { createLog, type Log } from '../../src/log.ts'
import type { TouchedContent } from '../../src/markup/inserts/insert-definition.ts'
import type { Change } from '../../src/work/change.ts'
import { workOn } from '../../src/work/work.ts'
import { createTestExecutor, type TestExecutor } from '../support/local-executor.ts'
import { cloneNetwork, type TestNetwork } from '../support/network.ts'
import { createSiteFixture, type SiteFixture } from '../support/site-fixture.ts'

/** One site of a cloned network, with an executor and no static copies. */
export type ExecutorFixture = SiteFixture & {
  readonly network: TestNetwork
  readonly executor: TestExecutor
  apply(change: Partial<Change>): Promise<Effects>
  rebake(limit: number): Promise<Effects>
  touch(...kinds: readonly TouchedContent[]): Promise<Effects>
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
    executor.apply(site, { bake: true, work: [], ...change })
  return {
    ...fixture,
    network,
    executor,
    apply,
    rebake: (limit) => executor.rebake(site, { work: workOn('all'), limit }),
    touch: (...kinds) => apply({ work: kinds.flatMap((kind) => workOn(kind)) }),
    render: (pageId) => executor.renderById(site, pageId),
    copyOf: async (slug) => fixture.option(bakedOption(await fixture.idOf(slug))),
    stop: async () => {
      await executor.close()
      await network.drop()
    },
  }
}
