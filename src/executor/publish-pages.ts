import type { CacheEffect, Change, Effects, StaticEffect } from '../change.ts'
import type { Log } from '../log.ts'
import { messageOf } from './failure.ts'
import type { SiteBuild } from './site-build.ts'

export type PublishedPages = Pick<Effects, 'statics' | 'republish'> & {
  readonly cache: CacheEffect
}

/**
 * Brings the static copies of pages up to date: those that the change put on a frame or took off one, and those on frames
 * that were built.
 */
export async function publishPages(
  build: SiteBuild,
  change: Change,
  frames: readonly string[],
  log: Log,
): Promise<PublishedPages> {
  const statics = new Map<number, StaticEffect>()
  const ids = [...new Set([...change.pages, ...(await build.pagesOn(frames))])]
  const failures: string[] = []
  for (const page of await build.data.pagesById(ids)) {
    if (!change.bake && (await build.frameOf(page.id)) !== undefined) continue
    try {
      statics.set(page.id, await build.publish(page))
    } catch (error) {
      failures.push(messageOf(error, log))
    }
  }
  const [message] = failures
  const changed = [...statics].filter(([, { changed }]) => changed)
  return {
    statics,
    republish:
      message === undefined
        ? { status: change.bake ? 'ok' : 'skipped' }
        : { status: 'failed', message },
    cache: noCache(changed.map(([id]) => id)),
  }
}

/** No page cache is configured. */
function noCache(pages: readonly number[]): CacheEffect {
  return {
    status: 'skipped',
    scope: 'pages',
    pages,
    flushed: { urls: { status: 'skipped', by: 'none', urls: [], skipped: [] } },
  }
}
