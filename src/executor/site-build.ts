import { LRUCache } from 'lru-cache'
import {
  type Bake,
  type BakeContext,
  bakeFrame,
  findTrueCopy,
  hasTrueCopy,
  type PrintableCopy,
  printableCopy,
} from '../baking/bake-frame.ts'
import type { Bakery } from '../baking/bakery/bakery.ts'
import { FrameSources } from '../baking/frame-sources.ts'
import { renderPage } from '../baking/render-page.ts'
import { SiteData } from '../baking/site-data.ts'
import { storeCopy } from '../baking/store-copy.ts'
import type { Database } from '../db/database.ts'
import { listFramePages } from '../frames/frame-pages.ts'
import type { FrameGraph } from '../frames/graph.ts'
import { PAGE_META_KEY } from '../frames/option-names.ts'
import type { Log } from '../log.ts'
import type { Publication } from '../publishing/publish-page.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { Page } from '../wordpress/pages/post.ts'
import { readPostMetaOf } from '../wordpress/postmeta/read-postmeta.ts'

export type SiteBuildOptions = {
  readonly db: Database
  readonly log: Log
  readonly bakery: Bakery
  /** Bakes that requests for pages have begun, by site and frame. */
  readonly running: Map<string, Promise<void>>
}

/** Copies that are held for the pages on them: each may have megabytes, and a change may touch hundreds. */
const HELD_COPIES = 16

/** What is built of one site after one change, or for one request: what it reads, it reads once. */
export class SiteBuild {
  readonly data: SiteData
  readonly graph: FrameGraph
  readonly #site: Site
  readonly #options: SiteBuildOptions
  readonly #context: BakeContext
  readonly #bakes = new Map<string, Promise<Bake>>()
  readonly #printable = new LRUCache<string, Promise<PrintableCopy>>({ max: HELD_COPIES })
  #framePages: Promise<Map<string, number[]>> | undefined

  constructor(options: SiteBuildOptions, site: Site, graph: FrameGraph) {
    const { db, bakery } = options
    this.#options = options
    this.#site = site
    this.graph = graph
    this.data = new SiteData(db, site)
    this.#context = {
      db,
      site,
      graph,
      bakery,
      data: this.data,
      sources: new FrameSources(db, site),
    }
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

  /**
   * The HTML of a page, or why visitors can't have it.
   * @param known the frame it stands on, where that was read before
   */
  async render(page: Page, known?: string): Promise<Publication> {
    const frameId = known ?? (await this.frameOf(page.id))
    if (frameId === undefined)
      return { reason: 'no_frame', message: 'The page stands on no frame.' }
    if (!this.graph.get(frameId)) {
      return { reason: 'frame_missing', message: `The page's frame ${frameId} is gone.` }
    }
    if (page.status !== 'publish' || page.protected) {
      return { reason: 'page_not_public', message: 'The page is not published, or has a password.' }
    }
    return this.#renderOn(frameId, page)
  }

  async #renderOn(frameId: string, page: Page): Promise<Publication> {
    const lang = page.lang ?? (await this.data.defaultLanguage())
    const key = `${frameId} ${lang}`
    const copy = this.#printable.get(key) ?? this.#findPrintable(frameId, lang)
    this.#printable.set(key, copy)
    const html = await renderPage(this.#context, await copy, page)
    return { html, madeOf: (await copy).language.fingerprint }
  }

  async #findPrintable(frameId: string, lang: string | null): Promise<PrintableCopy> {
    const built = await this.#bakes.get(frameId)?.catch(() => undefined)
    return (
      (built && (await printableCopy(this.#context, built.copy, lang))) ??
      (await findTrueCopy(this.#context, frameId, lang)) ??
      (await this.#bakeForPage(frameId, lang))
    )
  }

  async #bakeAndStore(id: string): Promise<Bake> {
    const bake = await bakeFrame(this.#context, id)
    if (bake.outcome !== 'kept') await this.#store(id, bake)
    return bake
  }

  /**
   * Makes the copy anew that a renderer met stale or damaged: after a crash between a write and its bake, or a write without one.
   * Of requests that meet it at once the first bakes and the others wait. The page is shown even where the copy can't be stored.
   */
  async #bakeForPage(id: string, lang: string | null): Promise<PrintableCopy> {
    const { running, log } = this.#options
    const key = `${this.#site.prefix} ${id}`
    const other = running.get(key)
    if (other) {
      await other.catch(() => {})
      const copy = await findTrueCopy(this.#context, id, lang)
      if (copy) return copy
    }
    const baking = bakeFrame(this.#context, id, { anew: true })
    this.#bakes.set(id, baking)
    const storing = baking.then((bake) => this.#store(id, bake))
    running.set(key, storing)
    try {
      await storing
    } catch (error) {
      log.error({ err: error }, 'baked copy was not stored')
    } finally {
      if (running.get(key) === storing) running.delete(key)
    }
    const copy = await printableCopy(this.#context, (await baking).copy, lang)
    if (!copy) throw new Error(`the baked copy of frame ${id} has nothing to print`)
    return copy
  }

  #store(id: string, { copy }: Bake): Promise<void> {
    return this.#options.db.transaction((tx) => storeCopy(tx, this.#site, id, copy))
  }
}
