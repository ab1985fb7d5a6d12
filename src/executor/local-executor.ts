import { type Bake, describeBake } from '../baking/bake-frame.ts'
import type { Bakery } from '../baking/bakery/bakery.ts'
import { findDependents } from '../baking/dependents.ts'
import { createSourceCache } from '../baking/frame-sources.ts'
import type { BakeEffect, Change, Effects, StaticEffect } from '../change.ts'
import type { KeyedMutex } from '../concurrency/keyed-mutex.ts'
import type { Database } from '../db/database.ts'
import type { IndexedFrame } from '../frames/graph.ts'
import { PAGE_META_KEY } from '../frames/option-names.ts'
import { readPartialGraph, readSiteGraph } from '../frames/read-graph.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { StaticFolder } from '../publishing/static-folder.ts'
import type { StaticUsage } from '../publishing/static-usage.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { SiteHosts } from '../wordpress/network/site-hosts.ts'
import type { Page } from '../wordpress/pages/posts.ts'
import { readPostMetaOf } from '../wordpress/postmeta.ts'
import { type Executor, logAndDescribe, NOTHING_REBAKED, skippedEffects } from './executor.ts'
import { type PublishOptions, publishPages } from './publish-pages.ts'
import { rebake } from './rebake.ts'
import { SiteBuild, type SiteBuildOptions } from './site-build.ts'

export type LocalExecutorOptions = {
  readonly db: Database
  readonly log: Log
  readonly bakery: Bakery
  readonly hosts: SiteHosts
  /** Folder of the static copies; undefined disables them. */
  readonly staticDir: string | undefined
  /** Undefined if static copies are turned off. */
  readonly folder: StaticFolder | undefined
  /** Undefined if static copies have no quota. */
  readonly usage: StaticUsage | undefined
  /** Serializes the writes of static copies in this process. */
  readonly copyMutex: KeyedMutex
  /** Base URLs of page caches that accept PURGE [none]. */
  readonly pageCachePurge?: readonly string[]
  readonly metrics?: Metrics | undefined
}

export type LocalExecutor = Executor & {
  /** Like `render`, for a caller that has only the page id. */
  renderById(site: Site, pageId: number): Promise<string | undefined>
}

/** Creates the executor that works in this process. */
export function createLocalExecutor(options: LocalExecutorOptions): LocalExecutor {
  const { metrics } = options
  const build = {
    ...options,
    sourceCache: createSourceCache(),
    runningBakes: new Map<string, Promise<void>>(),
  }
  const timed = <T>(work: 'apply' | 'render', run: () => Promise<T>): Promise<T> =>
    metrics ? metrics.timeBuild(work, run) : run()
  return {
    apply: async (site, change) => {
      const log = options.log.child({ site: site.blogId })
      const effects = await timed('apply', () =>
        apply({ ...build, log }, site, change).catch((error) =>
          skippedEffects(change, logAndDescribe(error, log)),
        ),
      )
      metrics?.countEffects(effects)
      return effects
    },
    render: (site, page) => timed('render', () => render(build, site, page.id, page)),
    renderById: (site, pageId) => timed('render', () => render(build, site, pageId)),
  }
}

type BuildOptions = LocalExecutorOptions & SiteBuildOptions

/** Applies a committed change in four steps: bake the written frame, rebake its dependents, publish pages, describe the bake. */
async function apply(options: BuildOptions, site: Site, change: Change): Promise<Effects> {
  const { log } = options
  const builtAt = Date.now()
  const build = new SiteBuild(options, site, await readSiteGraph(options.db, site), change)
  const publishing = { ...options, site, builtAt }
  const written = await bakeWrittenFrame(build, change, log)
  const rebaked = await rebakeDependents(build, change, publishing)
  const built = change.bake ? [change.frame ?? [], rebaked.frames.map(({ id }) => id)].flat() : []
  // Unbound pages lose their copies even if nothing is built.
  const { statics, republish, cache } = await publishPages(publishing, build, change, built)
  const bake = await describeWrittenFrame(build, written, statics, log)
  return { bake, rebaked: { ...rebaked, cache }, statics, republish }
}

type WrittenFrameBake =
  | { readonly status: 'ok'; readonly frame: IndexedFrame; readonly bake: Bake }
  | { readonly status: 'skipped' }
  | { readonly status: 'failed'; readonly message: string }

/** Bakes the frame that the change wrote. */
async function bakeWrittenFrame(
  build: SiteBuild,
  { bake, frame: id }: Change,
  log: Log,
): Promise<WrittenFrameBake> {
  const frame = id === undefined ? undefined : build.graph.get(id)
  if (!bake || !frame) return { status: 'skipped' }
  try {
    return { status: 'ok', frame, bake: await build.bake(frame.id) }
  } catch (error) {
    return { status: 'failed', message: logAndDescribe(error, log) }
  }
}

/** Bakes the other frames that depend on the change. */
async function rebakeDependents(build: SiteBuild, change: Change, publishing: PublishOptions) {
  if (!change.bake) return NOTHING_REBAKED
  const dependents = findDependents(build.graph, change)
  const others = dependents.filter(({ frame }) => frame.id !== change.frame)
  return rebake(build, others, change.limit, publishing)
}

/** Describes the bake of the written frame with its published pages (contract, section 2.3). */
async function describeWrittenFrame(
  build: SiteBuild,
  written: WrittenFrameBake,
  statics: ReadonlyMap<number, StaticEffect>,
  log: Log,
): Promise<BakeEffect> {
  if (written.status !== 'ok') return written
  const { frame, bake } = written
  try {
    const pages = await build.pagesOn([frame.id])
    const published = pages.filter((page) => showsBuild(statics.get(page)))
    return {
      status: 'ok',
      response: {
        ...describeBake(frame, bake),
        renders_on_request:
          build.graph.rendersOnRequest(frame.id) ||
          bake.copy.header.languages.some(({ live }) => live),
        default_lang: await build.data.defaultLanguage(),
        published: { published: published.length > 0, pages: published },
        pages,
      },
    }
  } catch (error) {
    return { status: 'failed', message: logAndDescribe(error, log) }
  }
}

/** True if the static copy on disk shows the output of this build: it is published and has no `reason`. */
function showsBuild(copy: StaticEffect | undefined): boolean {
  return copy?.published === true && copy.reason === null
}

/**
 * Renders a page. Reads only the frames that the page needs.
 * @param known the page, if the caller has read it already
 */
async function render(
  options: BuildOptions,
  site: Site,
  pageId: number,
  known?: Page,
): Promise<string | undefined> {
  const frameId = await readPostMetaOf(options.db, site, pageId, PAGE_META_KEY)
  if (frameId === undefined) return undefined
  const build = new SiteBuild(options, site, await readPartialGraph(options.db, site, frameId))
  const page = known ?? (await build.data.pagesById([pageId]))[0]
  const publication = page && (await build.render(page, frameId))
  return publication && 'html' in publication ? publication.html : undefined
}
