import type { Change, Effects } from '../../src/change.ts'
import type { LocalExecutor } from '../../src/executor/local-executor.ts'
import type { MarkupAnalyzer } from '../../src/frames/frame-markup.ts'
import { type BuilderOptions, openBuilder } from '../../src/services.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import { type RecordedChange, recordChange } from '../../src/work/record-work.ts'

/** A local executor with its own worker threads, which `close` stops. */
export type TestExecutor = LocalExecutor & {
  /** Also records a change that is not recorded yet. */
  apply(site: Site, change: Change | RecordedChange): Promise<Effects>
  readonly markupAnalyzer: (site: Site) => MarkupAnalyzer
  close(): Promise<void>
}

/** Creates an executor as the service does; without `staticDir` there are no static copies. */
export function createTestExecutor(
  options: Omit<BuilderOptions, 'staticDir'> & Partial<BuilderOptions>,
): TestExecutor {
  const { executor, markupAnalyzer, close } = openBuilder({ staticDir: undefined, ...options })
  const apply: TestExecutor['apply'] = async (site, change) =>
    executor.apply(
      site,
      'version' in change
        ? change
        : await options.db.write({ site }, (tx) => recordChange(tx, site, change)),
    )
  return { ...executor, apply, markupAnalyzer, close }
}
