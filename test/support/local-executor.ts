import { expect } from 'vitest'
import type { Bakery } from '../../src/build/baking/bakery/bakery.ts'
import { type Builder, type BuilderOptions, openBuilder } from '../../src/build/executor/builder.ts'
import type { LocalExecutor } from '../../src/build/executor/local-executor.ts'
import type { MarkupAnalyzer } from '../../src/content/frames/frame-markup.ts'
import type { Change } from '../../src/content/work/change.ts'
import { countWork } from '../../src/content/work/due-work.ts'
import { type RecordedChange, recordChange } from '../../src/content/work/record-work.ts'
import type { Effects } from '../../src/host/effects.ts'
import { createLog } from '../../src/host/log.ts'
import type { SiteHosts } from '../../src/wordpress/hosts/site-hosts.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import { eventually } from './eventually.ts'
import { renderById } from './render-by-id.ts'

/** A local executor with its own worker threads, which `close` stops. */
export type TestExecutor = Omit<LocalExecutor, 'apply'> &
  Pick<Builder, 'copies' | 'identities' | 'tagPurges'> & {
    /** Also records a change that is not recorded yet. */
    apply(site: Site, change: Change | RecordedChange): Promise<Effects>
    /** See `renderById`. */
    renderById(site: Site, id: number): Promise<string | undefined>
    readonly bakery: Bakery
    readonly markupAnalyzer: (site: Site) => MarkupAnalyzer
    readonly hosts: SiteHosts
    /** Does the recorded work of a site, and waits until nothing is left that could be done now. */
    finish(blogId: number): Promise<void>
    close(): Promise<void>
  }

/** Creates an executor as the service does, without a log and without static copies unless the options say so. */
export const createTestExecutor = (
  options: Pick<BuilderOptions, 'db' | 'globals'> & Partial<BuilderOptions>,
): TestExecutor => {
  const log = createLog('silent')
  return asTestExecutor(openBuilder({ staticDir: undefined, log, ...options }), options)
}

/** The executor of a builder, with what tests ask of it. */
export function asTestExecutor(
  { executor, ...builder }: Builder,
  { db, globals }: Pick<BuilderOptions, 'db' | 'globals'>,
): TestExecutor {
  const apply: TestExecutor['apply'] = async (site, change) =>
    executor.apply(
      site,
      'version' in change
        ? change
        : await db.write({ site }, (tx) => recordChange(tx, site, change)),
    )
  const finish = async (blogId: number) => {
    let wokenAt = Number.NEGATIVE_INFINITY
    await eventually(async () => {
      // A slice in progress may fail after the first time; its work is due a little later.
      if (performance.now() - wokenAt > 2 * db.timings.work.returnedPauseMs) {
        executor.wake(blogId)
        wokenAt = performance.now()
      }
      expect(await countWork(db, { blogId, globals })).toEqual({ pages: 0, frames: 0 })
    })
  }
  const render = (site: Site, id: number) => renderById(executor, db, site, id)
  return { ...executor, ...builder, apply, finish, renderById: render }
}
