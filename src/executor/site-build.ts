import { type Bake, bakeFrame } from '../baking/bake-frame.ts'
import { renderPage } from '../baking/render-page.ts'
import { SiteData } from '../baking/site-data.ts'
import { storeCopy } from '../baking/store-copy.ts'
import type { StaticEffect } from '../change.ts'
import type { Database } from '../db/database.ts'
import { listFramePages } from '../frames/frame-pages.ts'
import type { FrameGraph } from '../frames/graph.ts'
import type { Frame } from '../frames/lock-frames.ts'
import { PAGE_META_KEY } from '../frames/option-names.ts'
import { readFrame } from '../frames/read-frame.ts'
import type { Publication } from '../publishing/publish-page.ts'
import { publishPage } from '../publishing/publish-page.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { Page } from '../wordpress/pages/post.ts'
import { isPretty } from '../wordpress/permalinks/link-settings.ts'
import { readPostMetaOf } from '../wordpress/postmeta/read-postmeta.ts'

export type SiteBuildOptions = {
  readonly db: Database
  readonly staticDir: string | undefined
}

/** What is built of one site after one change: what it reads, it reads once. */
export class SiteBuild {
  readonly data: SiteData
  readonly graph: FrameGraph
  readonly #site: Site
  readonly #options: SiteBuildOptions
  readonly #bakes = new Map<string, Promise<Bake>>()

  #framePages: Promise<Map<string, number[]>> | undefined

  constructor(options: SiteBuildOptions, site: Site, graph: FrameGraph) {
    this.#options = options
    this.#site = site
    this.graph = graph
    this.data = new SiteData(options.db, site)
  }

  /** Brings the baked copy of a frame up to date and stores it where it changed. */
  bake(id: string): Promise<Bake> {
    const running = this.#bakes.get(id) ?? this.#bakeAndStore(id)
    this.#bakes.set(id, running)
    return running
  }

  /** A frame of the site, with its markup. */
  frame(id: string): Promise<Frame> {
    return readFrame(this.#options.db, this.#site, this.graph.registry.get(id))
  }

  /** Ids of the pages on these frames, each once. */
  async pagesOn(frames: readonly string[]): Promise<number[]> {
    if (frames.length === 0) return []
    this.#framePages ??= listFramePages(this.#options.db, this.#site)
    const pages = await this.#framePages
    return [...new Set(frames.flatMap((id) => pages.get(id) ?? []))].sort((a, b) => a - b)
  }

  /** The frame that a page stands on, by its id; undefined for a page that stands on none. */
  frameOf(pageId: number): Promise<string | undefined> {
    return readPostMetaOf(this.#options.db, this.#site, pageId, PAGE_META_KEY)
  }

  /** The HTML of a page, or why visitors can't have it. */
  async render(page: Page): Promise<Publication> {
    const { db } = this.#options
    const frameId = await this.frameOf(page.id)
    if (frameId === undefined)
      return { reason: 'no_frame', message: 'The page stands on no frame.' }
    if (!this.graph.get(frameId)) {
      return { reason: 'frame_missing', message: `The page's frame ${frameId} is gone.` }
    }
    if (page.status !== 'publish' || page.protected) {
      return { reason: 'page_not_public', message: 'The page is not published, or has a password.' }
    }
    const { copy } = await this.bake(frameId)
    return { html: await renderPage(db, this.#site, copy, page, this.data) }
  }

  /** Brings the static copy of a page up to date. */
  async publish(page: Page): Promise<StaticEffect> {
    const links = await this.data.links()
    const publication: Publication = isPretty(links)
      ? await this.render(page)
      : {
          reason: 'plain_permalinks',
          message: "The site's permalinks are plain, so no file can stand for a page.",
        }
    return publishPage(this.#options.staticDir, await this.data.urlOf(page), publication)
  }

  async #bakeAndStore(id: string): Promise<Bake> {
    const { db } = this.#options
    const bake = await bakeFrame(db, this.#site, this.graph, id, this.data)
    if (bake.changed) await db.transaction((tx) => storeCopy(tx, this.#site, id, bake))
    return bake
  }
}
