import type { Change, Effects } from '../change.ts'
import type { Site } from '../wordpress/network/site.ts'

/** Turns what was written into what visitors see. */
export type Executor = {
  /** Bakes, rebakes, publishes and flushes what a committed change asks for; a failure is reported, not thrown. */
  apply(site: Site, change: Change): Promise<Effects>
  /** The HTML of a page, as any visitor may see it; undefined for a page that is not shown. */
  render(site: Site, pageId: number): Promise<string | undefined>
}
