import type { Change, Effects } from '../change.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Site } from '../wordpress/network/site.ts'

/** Turns what was written into what visitors see. */
export type Executor = {
  /** Bakes, rebakes, publishes and flushes what a committed change asks for; a failure is reported, not thrown. */
  apply(site: Site, change: Change): Promise<Effects>
  /** The HTML of a page, as any visitor may see it; undefined for a page that is not shown. */
  render(site: Site, pageId: number): Promise<string | undefined>
}

/** What a caller is told of a failed build: a refusal's own words; of anything else that it is in the log. */
export function logAndDescribe(error: unknown, log: Log): string {
  if (error instanceof AppError) return error.message
  log.error({ err: error }, 'build failed')
  return 'Building failed; the operator finds the reason in the log. What was written stays written.'
}
