import { describeBake } from '../baking/bake-frame.ts'
import { Bakery } from '../baking/bakery/bakery.ts'
import { findDependents } from '../baking/dependents.ts'
import { createSourceCache } from '../baking/frame-sources.ts'
import type { BakeEffect, Change, Effects, StaticEffect } from '../change.ts'
import { WorkerPool } from '../concurrency/worker-pool.ts'
import type { Database } from '../db/database.ts'
import type { MarkupAnalyzer } from '../frames/frame-markup.ts'
import { PAGE_META_KEY } from '../frames/option-names.ts'
import { readPartialGraph, readSiteGraph } from '../frames/read-graph.ts'
import type { Log } from '../log.ts'
import { StaticFolder } from '../publishing/static-folder.ts'
import { StaticUsage } from '../publishing/static-usage.ts'
import type { Site } from '../wordpress/network/site.ts'
import { SiteHosts } from '../wordpress/network/site-hosts.ts'
import { readPostMetaOf } from '../wordpress/postmeta.ts'
import { type Executor, logAndDescribe } from './executor.ts'
import { skippedEffects } from './nothing-built.ts'
import { type PublishOptions, publishPages } from './publish-pages.ts'
import { NOTHING_REBAKED, rebake } from './rebake.ts'
import { SiteBuild, type SiteBuildOptions } from './site-build.ts'

export type LocalExecutorOptions = {
  readonly db: Database
  readonly log: Log
  /** Threads for large work; where it is left out the executor has threads of its own, which its `close` stops. */
  readonly workers?: WorkerPool
  /** Folder of the static copies; undefined turns them off. */
  readonly staticDir: string | undefined
  /** Base addresses of page caches that take PURGE; none where it is left out. */
  readonly pageCachePurge?: readonly string[]
  /** Shared with the front of the same process; one of its own where it is left out. */
  readonly hosts?: SiteHosts
  /** Megabytes that all static copies of a site may take; 0 [the default] for no limit. */
  readonly staticMbPerSite?: number
  /** Whether static copies may be written to `staticDir`; one of its own where it is left out. */
  readonly folder?: StaticFolder | undefined
}

export type LocalExecutor = Executor & {
  /** What reads markup that is to be written to a site; large markup is read on another thread. */
  markupReader(site: Site): MarkupAnalyzer
  close(): Promise<void>
}

const BYTES_PER_MB = 1024 * 1024

/** The executor in the same process. */
export function createLocalExecutor(options: LocalExecutorOptions): LocalExecutor {
  const workers = options.workers ?? new WorkerPool()
  const bakery = new Bakery(workers)
  const own = {
    ...options,
    bakery,
    sourceCache: createSourceCache(),
    running: new Map<string, Promise<void>>(),
  }
  const { staticDir, staticMbPerSite: mb = 0 } = options
  const usage =
    staticDir === undefined || mb === 0 ? undefined : new StaticUsage(staticDir, mb * BYTES_PER_MB)
  let { hosts, folder } = options
  return {
    apply: (site, change) => {
      const log = options.log.child({ site: site.blogId })
      hosts ??= new SiteHosts(options.db, site.globals)
      if (staticDir !== undefined) {
        folder ??= new StaticFolder({ ...options, staticDir, globals: site.globals })
      }
      return apply({ ...own, log, hosts, folder, usage }, site, change).catch((error) =>
        skippedEffects(change, logAndDescribe(error, log)),
      )
    },
    render: (site, pageId) => render(own, site, pageId),
    markupReader: (site) => bakery.analyzerFor(site.prefix),
    close: async () => {
      if (workers !== options.workers) await workers.close()
    },
  }
}

type Options = LocalExecutorOptions & SiteBuildOptions

/**
 * The frame that was written is baked, what depends on the change rebaked, and the static copies of the pages on these
 * frames brought up to date. Pages that lost their frame lose their copies even where nothing is to be built.
 */
async function apply(
  options: Options & Pick<PublishOptions, 'hosts' | 'usage'>,
  site: Site,
  change: Change,
): Promise<Effects> {
  const builtAt = Date.now()
  const build = new SiteBuild(options, site, await readSiteGraph(options.db, site), change)
  const publishing = { ...options, site, builtAt }
  const dependents = change.bake
    ? findDependents(build.graph, change).filter(({ frame }) => frame.id !== change.frame)
    : []
  // Before the pages are printed from them; whether it went well is told in the end.
  if (change.bake && change.frame !== undefined) await build.bake(change.frame).catch(() => {})
  const rebaked = change.bake
    ? await rebake(build, dependents, change.limit, publishing)
    : NOTHING_REBAKED
  const frames = [change.frame ?? [], rebaked.frames.map(({ id }) => id)].flat()
  const published = await publishPages(publishing, build, change, change.bake ? frames : [])
  return {
    bake: await bakeWritten(build, change, published.statics, options.log),
    rebaked: { ...rebaked, cache: published.cache },
    statics: published.statics,
    republish: published.republish,
  }
}

/** Only the part of the frames that the page needs is read. */
async function render(options: Options, site: Site, pageId: number): Promise<string | undefined> {
  const frameId = await readPostMetaOf(options.db, site, pageId, PAGE_META_KEY)
  if (frameId === undefined) return undefined
  const build = new SiteBuild(options, site, await readPartialGraph(options.db, site, frameId))
  const [page] = await build.data.pagesById([pageId])
  const publication = page && (await build.render(page, frameId))
  return publication && 'html' in publication ? publication.html : undefined
}

/** Does the static copy on disk show what this build made? One without a reason against it does. */
function showsBuild(copy: StaticEffect | undefined): boolean {
  return copy?.published === true && copy.reason === null
}

/** Bakes the frame that a change wrote and reports it (contract, section 2.3). */
export async function bakeWritten(
  build: SiteBuild,
  { bake, frame: id }: Change,
  statics: ReadonlyMap<number, StaticEffect>,
  log: Log,
): Promise<BakeEffect> {
  const frame = id === undefined ? undefined : build.graph.get(id)
  if (!bake || !frame) return { status: 'skipped' }
  try {
    const baked = await build.bake(frame.id)
    const pages = await build.pagesOn([frame.id])
    const published = pages.filter((page) => showsBuild(statics.get(page)))
    return {
      status: 'ok',
      response: {
        ...describeBake(frame, baked),
        renders_on_request:
          build.graph.rendersOnRequest(frame.id) ||
          baked.copy.header.languages.some(({ live }) => live),
        default_lang: await build.data.defaultLanguage(),
        published: { published: published.length > 0, pages: published },
        pages,
      },
    }
  } catch (error) {
    return { status: 'failed', message: logAndDescribe(error, log) }
  }
}
