import { LRUCache } from 'lru-cache'
import {
  type Bake,
  type BakeContext,
  bakeFrame,
  findFreshHeader,
  storeCopies,
} from '../baking/bake-frame.ts'
import type { CopyHeader } from '../baking/baked-copy.ts'
import type { Bakery } from '../baking/bakery/bakery.ts'
import { BuildBakery } from '../baking/bakery/build-bakery.ts'
import { FrameSources, type SourceCache } from '../baking/frame-sources.ts'
import {
  findFreshCopy,
  type PrintableCopy,
  printableCopy,
  renderPage,
} from '../baking/render-page.ts'
import { SiteData } from '../baking/site-data.ts'
import type { Change } from '../change.ts'
import type { Database } from '../db/database.ts'
import { listFramePages } from '../frames/frame-pages.ts'
import type { FrameGraph } from '../frames/graph.ts'
import { PAGE_META_KEY } from '../frames/option-names.ts'
import type { Log } from '../log.ts'
import type { Publication } from '../publishing/publish-page.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { Page } from '../wordpress/pages/posts.ts'
import { readPostMetaOf } from '../wordpress/postmeta.ts'

export type SiteBuildOptions = {
  readonly db: Database
  readonly log: Log
  readonly bakery: Bakery
  readonly sourceCache: SourceCache
  /** Bakes that requests for pages have begun, by site and frame. */
  readonly running: Map<string, Promise<void>>
}

/** Copies that are held for the pages on them: each may have megabytes, and a change may touch hundreds. */
const CACHED_COPIES = 16
/** The same before they are read, in characters. */
const CACHED_BODY_CHARS = 8 * 1024 * 1024

/** What is built of one site after one change, or for one request: what it reads, it reads once. */
export class SiteBuild {
  readonly data: SiteData
  readonly graph: FrameGraph
  readonly #site: Site
  readonly #options: SiteBuildOptions
  readonly #context: BakeContext
  readonly #bakes = new Map<string, Promise<Bake>>()
  readonly #printable = new LRUCache<string, Promise<PrintableCopy>>({ max: CACHED_COPIES })
  readonly #bodies = new LRUCache<string, string>({
    maxSize: CACHED_BODY_CHARS,
    sizeCalculation: (body) => body.length + 1,
  })
  #framePages: Promise<Map<string, number[]>> | undefined

  /** @param written what a change wrote */
  constructor(
    options: SiteBuildOptions,
    site: Site,
    graph: FrameGraph,
    { frame = '', markup }: Pick<Change, 'frame' | 'markup'> = {},
  ) {
    const { db, sourceCache } = options
    const bakery = new BuildBakery(options.bakery, site.prefix)
    const sources = new FrameSources(db, site, sourceCache)
    const written = graph.get(frame)
    if (written && markup) sources.add(written, markup)
    this.#options = options
    this.#site = site
    this.graph = graph
    this.data = new SiteData(db, site)
    this.#context = { db, site, graph, bakery, data: this.data, sources }
  }

  /** Brings the baked copy of a frame up to date and stores it where it changed. */
  async bake(id: string): Promise<Bake> {
    const [bake] = await this.bakeAll([id])
    if (bake?.status !== 'fulfilled') throw bake?.reason
    return bake.value
  }

  /** As `bake`, each for itself, but what they read goes in as many statements as for one, and what changed is stored together. */
  bakeAll(ids: readonly string[]): Promise<PromiseSettledResult<Bake>[]> {
    const baking = ids
      .filter((id) => !this.#bakes.has(id))
      .map((id) => ({ id, bake: bakeFrame(this.#context, id) }))
    const stored = this.#storeChanged(baking.map(({ bake }) => bake))
    for (const { id, bake } of baking)
      this.#hold(
        id,
        stored.then(() => bake),
      )
    return Promise.allSettled(ids.flatMap((id) => this.#bakes.get(id) ?? []))
  }

  /** The headers of the stored copies that `bake` would leave as they are, by the ids of their frames. */
  async freshHeaders(ids: readonly string[]): Promise<Map<string, CopyHeader>> {
    const headers = await Promise.all(
      ids.map(async (id) => [id, await findFreshHeader(this.#context, id)] as const),
    )
    return new Map(headers.flatMap(([id, header]) => (header ? [[id, header]] : [])))
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
    const copy = built && { ...built.copy, body: this.#bodies.get(frameId) }
    return (
      (copy && (await printableCopy(this.#context, copy, lang))) ??
      (await findFreshCopy(this.#context, frameId, lang)) ??
      (await this.#bakeForPage(frameId, lang))
    )
  }

  async #storeChanged(baking: readonly Promise<Bake>[]): Promise<void> {
    const settled = await Promise.allSettled(baking)
    const baked = settled.flatMap((bake) => (bake.status === 'fulfilled' ? bake.value : []))
    await this.#store(baked.filter(({ outcome }) => outcome !== 'cached'))
  }

  /** Its pieces are held apart for the pages on the frame, and only while there is room: a change may bake gigabytes. */
  #hold(id: string, baking: Promise<Bake>): void {
    const held = baking.then(({ copy: { header, body }, outcome }) => {
      if (body !== undefined) this.#bodies.set(id, body)
      return { id, copy: { header, body: undefined }, outcome }
    })
    // Who waits for it is told. Where nobody does, a bake that failed must not end the process.
    held.catch(() => {})
    this.#bakes.set(id, held)
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
      const copy = await findFreshCopy(this.#context, id, lang)
      if (copy) return copy
    }
    const baking = bakeFrame(this.#context, id, { force: true })
    this.#hold(id, baking)
    const storing = baking.then((bake) =>
      this.#store([bake]).catch((error: unknown) =>
        log.error({ err: error }, 'baked copy was not stored'),
      ),
    )
    running.set(key, storing)
    try {
      await storing
    } finally {
      if (running.get(key) === storing) running.delete(key)
    }
    const copy = await printableCopy(this.#context, (await baking).copy, lang)
    if (!copy) throw new Error(`the baked copy of frame ${id} has nothing to print`)
    return copy
  }

  async #store(bakes: readonly Bake[]): Promise<void> {
    if (bakes.length === 0) return
    await this.#options.db.write({ site: this.#site }, (tx) => storeCopies(tx, this.#site, bakes))
  }
}
