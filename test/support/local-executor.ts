import type { LocalExecutor } from '../../src/executor/local-executor.ts'
import type { MarkupAnalyzer } from '../../src/frames/frame-markup.ts'
import { type BuilderOptions, openBuilder } from '../../src/services.ts'
import type { Site } from '../../src/wordpress/network/site.ts'

/** A local executor with its own worker threads, which `close` stops. */
export type TestExecutor = LocalExecutor & {
  readonly markupAnalyzer: (site: Site) => MarkupAnalyzer
  close(): Promise<void>
}

/** Creates an executor as the service does; without `staticDir` there are no static copies. */
export function createTestExecutor(
  options: Omit<BuilderOptions, 'staticDir'> & Partial<BuilderOptions>,
): TestExecutor {
  const { executor, markupAnalyzer, close } = openBuilder({ staticDir: undefined, ...options })
  return { ...executor, markupAnalyzer, close }
}
