import { bakedOption } from '../../../src/content/frames/option-names.ts'
import type { TouchedContent } from '../../../src/content/markup/inserts/insert-definition.ts'
import type { Change } from '../../../src/content/work/change.ts'
import { workOn } from '../../../src/content/work/work.ts'
import { createLog, type Log } from '../../../src/host/log.ts'
import { createTestExecutor } from '../../support/local-executor.ts'
import { cloneNetwork } from '../../support/network.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import type { TimingChanges } from '../../support/timings.ts'
import { use } from '../../support/use.ts'

/** One site of a cloned network, with an executor and no static copies. Call `stop` at the end, which removes everything. */
export async function createExecutorFixture(
  blogId = 2,
  log: Log = createLog('silent'),
  timings: TimingChanges = {},
) {
  const network = await cloneNetwork({ timings })
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
    rebake: (limit: number) => executor.rebake(site, { work: workOn('all'), limit }),
    touch: (...kinds: readonly TouchedContent[]) =>
      apply({ work: kinds.flatMap((kind) => workOn(kind)) }),
    render: (pageId: number) => executor.renderById(site, pageId),
    /** The stored text of a frame's baked copy. */
    copyOf: async (slug: string) => fixture.option(bakedOption(await fixture.idOf(slug))),
    stop: async () => {
      await executor.close()
      await network.drop()
    },
  }
}

/** Creates it; it ends with the tests. */
export const useExecutorFixture = (...args: Parameters<typeof createExecutorFixture>) =>
  use(createExecutorFixture(...args))
