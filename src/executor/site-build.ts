import {
  type Bake,
  type BakeContext,
  bakeFrame,
  findTrueCopy,
  hasTrueCopy,
  printableCopy,
} from '../baking/bake-frame.ts'
import type { Bakery } from '../baking/bakery/bakery.ts'
import { FrameSources } from '../baking/frame-sources.ts'
import { renderPage } from '../baking/render-page.ts'
import { SiteData } from '../baking/site-data.ts'
import { storeCopy } from '../baking/store-copy.ts'
import type { StaticEffect } from '../change.ts'
import type { Database } from '../db/database.ts'
import { listFramePages } from '../frames/frame-pages.ts'
import type { FrameGraph } from '../frames/graph.ts'
import { PAGE_META_KEY } from '../frames/option-names.ts'
import type { Log } from '../log.ts'
import type { Publication } from '../publishing/publish-page.ts'
import { publishPage } from '../publishing/publish-page.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { Page } from '../wordpress/pages/post.ts'
import { isPretty } from '../wordpress/permalinks/link-settings.ts'
import { readPostMetaOf } from '../wordpress/postmeta/read-postmeta.ts'

export type SiteBuildOptions = {
  readonly db: Database
  readonly log: Log
  readonly bakery: Bakery
  readonly staticDir: string | undefined
}

/** What is built of one site after one change, or for one request: what it reads, it reads once. */
export class SiteBuild {
  readonly data: SiteData
  readonly graph: FrameGraph
  readonly #site: Site
  readonly #options: SiteBuildOptions
  readonly #context: BakeContext
  readonly #bakes = new Map<string, Promise<Bake>>()
  #framePages: Promise<Map<string, number[]>> | undefined

  constructor(options: SiteBuildOptions, site: Site, graph: FrameGraph) {
    const { db, bakery } = options
    this.#options = options
    this.#site = site
    this.graph = graph
    this.data = new SiteData(db, site)
    this.#context = { db, site, graph, bakery, data: this.data, sources: new FrameSources(db, site) }
  }

  /** Brings the baked copy of a frame up to date and stores it where it changed. */
  bake(id: string): Promise<Bake> {
    const running = this.#bakes.get(id) ?? this.#bakeAndStore(id)
    this.#bakes.set(id, running)
    return running
  }

  /** Would `bake` leave the stored copy as it is? */
  isBaked(id: string): Promise<boolean> {
    return hasTrueCopy(this.#context, id)
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
    const frameId = await this.frameOf(page.id)
    if (frameId === undefined)
      return { reason: 'no_frame', message: 'The page stands on no frame.' }
    if (!this.graph.get(frameId)) {
      return { reason: 'frame_missing', message: `The page's frame ${frameId} is gone.` }
    }
    if (page.status !== 'publish' || page.protected) {
      return { reason: 'page_not_public', message: 'The page is not published, or has a password.' }
    }
    return { html: await this.renderOn(frameId, page) }
  }

  /**
   * The HTML of a page on a frame. A copy that isn't true any more is made anew: after a crash between a write and its bake, or a
   * write without one.
   */
  async renderOn(frameId: string, page: Page): Promise<string> {
    const lang = page.lang ?? (await this.data.defaultLanguage())
    const running = this.#bakes.get(frameId)
    const copy =
      (running && (await this.#printed(await running, lang))) ??
      (await findTrueCopy(this.#context, frameId, lang)) ??
      (await this.#printed(await this.#bakeForPage(frameId), lang))
    return renderPage(this.#context, copy, page)
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
}
