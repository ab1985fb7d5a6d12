import type { FrameGraph, IndexedFrame } from '../../content/frames/graph.ts'
import { readSiteGraph } from '../../content/frames/read-graph.ts'
import { type Change, workOf } from '../../content/work/change.ts'
import { type Database, joinTransaction } from '../../db/database.ts'
import { isStatementTimeout } from '../../db/database-error.ts'
import type { Tx } from '../../db/transaction.ts'
import { GaveWayError } from '../../db/writers-first.ts'
import { AppError } from '../../host/errors.ts'
import type { Log } from '../../host/log.ts'
import { within } from '../../host/within.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { PageRef } from '../../wordpress/pages/pages.ts'
import type { Page } from '../../wordpress/pages/posts.ts'
import type { Bakery } from '../baking/bakery/bakery.ts'
import { createSourceCache } from '../baking/frame-sources.ts'
import type { RenderedPage } from '../baking/render-page.ts'
import { SiteBuild } from '../executor/site-build.ts'
import { type Affected, findAffected } from './affected.ts'
import { findPreviewedPage } from './previewed-page.ts'

export type PreviewServices = {
  readonly db: Database
  readonly bakery: Bakery
  readonly log: Log
}

/** What the writes have returned, and what would be built for them. */
type WhatWasWritten<Written> = { readonly result: Written; readonly changes: readonly Change[] }

export type PreviewRequest<Written> = {
  readonly page: PageRef
  /** Previews the translation of the page in this language. */
  readonly lang?: string | undefined
  /** Writes what is not saved, with the functions that save it. It may run again, see `Database.write`. */
  readonly write: (tx: Tx, page: Page) => Promise<WhatWasWritten<Written>>
}

/** A page as visitors would get it after the writes. */
export type Preview<Written> = RenderedPage & {
  readonly page: Page
  readonly url: string
  readonly frame: IndexedFrame
  /** The frames of the site after the writes. */
  readonly graph: FrameGraph
  readonly affected: Affected
  readonly written: Written
}

/**
 * Writes in a transaction, builds a page within it, and rolls it back. The page is therefore what a visitor would get after the writes, and nothing of
 * it is stored. The caller may see drafts and private pages of the site.
 * @throws AppError those of `findPreviewedPage` and of the writes
 * @throws AppError `page_has_no_frame`, `preview_too_slow`
 */
export function previewPage<Written>(
  { db, bakery, log }: PreviewServices,
  site: Site,
  { page: ref, lang, write }: PreviewRequest<Written>,
): Promise<Preview<Written>> {
  let startedAt: number | undefined
  const attempt = (tx: Tx) => {
    startedAt ??= performance.now()
    const joined = joinTransaction(db, tx)
    const preview = async () => {
      const page = await findPreviewedPage(joined, site, ref, lang)
      const { result, changes } = await write(tx, page)
      await tx.flush()
      const build = uncommittedBuild(
        { db: joined, bakery, log },
        site,
        await readSiteGraph(joined, site),
      )
      const frame = frameOf(build, page, await build.frameOf(page.id))
      const rendered = await build.print(page, frame.id)
      return {
        page,
        frame,
        html: rendered.html,
        warnings: unique(rendered.warnings),
        unresolved: unique(rendered.unresolved),
        url: await build.data.urlOf(page),
        graph: build.graph,
        affected: await findAffected(tx, site, build, changes.flatMap(workOf)),
        written: result,
      }
    }
    const leftMs = db.timings.api.previewMs - (performance.now() - startedAt)
    return within(leftMs, preview(), () => {
      throw tooSlow()
    })
  }
  return db.write({ site, dryRun: true, isPreview: true }, attempt).catch((error: unknown) => {
    throw isStatementTimeout(error) || error instanceof GaveWayError ? tooSlow() : error
  })
}

/** A build of what a transaction has written. It shares nothing with other builds that depends on stored data. */
function uncommittedBuild(
  services: Pick<PreviewServices, 'db' | 'bakery' | 'log'>,
  site: Site,
  graph: FrameGraph,
): SiteBuild {
  const options = {
    ...services,
    sourceCache: createSourceCache(),
    pageBakes: { running: new Map<string, Promise<void>>(), finished: 0 },
    storesCopies: false,
  }
  return new SiteBuild(options, site, graph)
}

function frameOf({ graph }: SiteBuild, page: Page, frameId: string | undefined): IndexedFrame {
  const frame = frameId === undefined ? undefined : graph.get(frameId)
  if (frame) return frame
  const what =
    frameId === undefined ? 'has no frame' : `has the frame ${frameId}, which was deleted`
  throw new AppError(
    'page_has_no_frame',
    `The page "${page.path || page.id}" ${what}, so there is nothing to show. Name a frame in "assign" to see the page with it.`,
  )
}

function unique<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
}

function tooSlow(): AppError {
  return new AppError(
    'preview_too_slow',
    'The preview took too long, or waited too long for another writer of the site. It was given up, and nothing was stored. Preview fewer things at once, or try again later if the site is busy.',
  )
}
