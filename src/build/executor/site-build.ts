import { LRUCache } from 'lru-cache'
import { listFramePages } from '../../content/frames/frame-pages.ts'
import type { FrameGraph } from '../../content/frames/graph.ts'
import { PAGE_META_KEY } from '../../content/frames/option-names.ts'
import type { Change } from '../../content/work/change.ts'
import { readSiteVersions } from '../../content/work/work-status.ts'
import type { Database, Db } from '../../db/database.ts'
import { inBatches } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { groupBy } from '../../host/group-by.ts'
import type { Log } from '../../host/log.ts'
import type { Metrics } from '../../host/metrics.ts'
import { isMenuTooLarge } from '../../wordpress/nav-menus/read-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readContentBytes } from '../../wordpress/pages/pages.ts'
import { isPublic, type Page } from '../../wordpress/pages/posts.ts'
import { readPostsMeta } from '../../wordpress/postmeta.ts'
import {
  type Bake,
  type BakeChoice,
  type BakeContext,
  findFreshHeader,
  readCopyVersions,
  readHeader,
  rebakeFrame,
  storeCopies,
  storeCopiesWith,
  storeWithWrite,
} from '../baking/bake-frame.ts'
import type { CopyHeader, CopyVersions } from '../baking/baked-copy.ts'
import type { Bakery } from '../baking/bakery/bakery.ts'
import { BuildBakery } from '../baking/bakery/build-bakery.ts'
import { showsMenus } from '../baking/dependents.ts'
import { FrameSources, type SourceCache } from '../baking/frame-sources.ts'
import {
  findFreshCopy,
  type PrintableCopy,
  printableCopy,
  type RenderedPage,
  renderPage,
} from '../baking/render-page.ts'
import { SiteData } from '../baking/site-data.ts'
import { MAX_CACHE_TAGS, type ShownTags } from '../publishing/cache-tags.ts'
import type { CopyContent } from '../publishing/publish-copies.ts'

export type SiteBuildOptions = {
  /** Stores baked copies, and reads the stored ones. */
  readonly db: Database
  /** Reads everything else, for example a snapshot [`db`]. */
  readonly reads?: Db
  /** What was read of the site already [nothing]. */
  readonly data?: SiteData
  /** See `WriteOptions`. */
  readonly isWork?: boolean
  /** The version of the site that it reads [unknown; read when a page needs a copy that is not there] */
  readonly version?: number
  readonly log: Log
  readonly metrics?: Metrics | undefined
  readonly bakery: Bakery
  readonly sourceCache: SourceCache
  readonly pageBakes: PageBakes
  /** Is called if the time limit has cut a page. */
  readonly onTimeout?: () => void
  /** False: what the build reads is not committed, so no baked copy is stored [true]. */
  readonly storesCopies?: boolean
  /** The transaction that writes the frames to bake: their copies are stored with it [in one of their own]. */
  readonly write?: Tx
}

/** Bakes that requests for pages started. */
type PageBakes = {
  /** Those in progress, by site and frame. */
  readonly running: Map<string, Promise<void>>
  /** The number of those that are finished. */
  finished: number
}

/** Printable copies cached for the pages on them: each may have megabytes, and a change may affect hundreds. */
const CACHED_COPIES = 16
/** Pages rendered at the same time by `renderAll`, which share the statements for their values: their contents are in memory together. */
const PAGES_AT_ONCE = 50
/** Copies that wait in memory until they are stored with other rows, in characters. */
const MAX_UNSTORED_CHARS = 1024 * 1024
/** Capacity of the cache of encoded bodies of copies, in characters. */
const CACHED_BODY_CHARS = 8 * 1024 * 1024

/** One build of a site: after a change, or for one request. It reads each thing once. */
export class SiteBuild {
  readonly data: SiteData
  readonly graph: FrameGraph
  readonly #site: Site
  readonly #options: SiteBuildOptions
  readonly #reads: Db
  readonly #context: BakeContext
  /**
   * Reads stored copies from the database even if everything else is read from a snapshot, which does not show the copies that this build
   * stores. The fingerprint of a copy shows whether it was made of what the snapshot contains.
   */
  readonly #copyContext: BakeContext
  readonly #bakes = new Map<string, Promise<Bake>>()
  readonly #printable = new LRUCache<string, Promise<PrintableCopy>>({ max: CACHED_COPIES })
  readonly #bodies = new LRUCache<string, string>({
    maxSize: CACHED_BODY_CHARS,
    sizeCalculation: (body) => body.length + 1,
  })
  readonly #unstored: Bake[] = []
  #unstoredChars = 0
  #hasNoPages = false
  readonly #shown = new Map<string, ShownTags>()
  /** Ids of the pages on each frame, as far as they were needed. */
  readonly #framePages = new Map<string, Promise<readonly number[]>>()

  constructor(options: SiteBuildOptions, site: Site, graph: FrameGraph) {
    const { db, reads = db, sourceCache } = options
    const bakery = new BuildBakery(options.bakery, site.prefix, options.onTimeout)
    const sources = new FrameSources(reads, site, sourceCache)
    this.#options = options
    this.#site = site
    this.graph = graph
    this.data = options.data ?? new SiteData(reads, site)
    this.#reads = reads
    const { version } = options
    this.#context = { db: reads, site, graph, bakery, data: this.data, sources, version }
    this.#copyContext = { ...this.#context, db }
  }

  get metrics(): Metrics | undefined {
    return this.#options.metrics
  }

  /** Uses the markup of the frame that a change wrote, so that it is not read. */
  addMarkup({ frame = '', markup }: Pick<Change, 'frame' | 'markup'>): void {
    const written = this.graph.get(frame)
    if (written && markup) this.#context.sources.add(written, markup)
  }

  /** No page is on any of the frames, so that this is not read. */
  addNoPages(): void {
    this.#hasNoPages = true
  }

  /** Updates the baked copy of a frame, and stores it if it changed. */
  async bake(id: string): Promise<Bake> {
    const [bake] = await this.bakeAll([id])
    if (bake?.status !== 'fulfilled') throw bake?.reason
    return bake.value
  }

  /** Like `bake` for several frames. Reads need as many statements as for one frame, and changed copies are stored in one transaction. */
  bakeAll(ids: readonly string[], options: BakeChoice = {}): Promise<PromiseSettledResult<Bake>[]> {
    const baking = ids
      .filter((id) => !this.#bakes.has(id))
      .map((id) => ({ id, bake: rebakeFrame(this.#context, id, options) }))
    const stored = this.#storeChanged(
      baking.map(({ bake }) => bake),
      options,
    )
    for (const { id, bake } of baking)
      this.#cacheBake(
        id,
        stored.then(() => bake),
      )
    return Promise.allSettled(ids.flatMap((id) => this.#bakes.get(id) ?? []))
  }

  /** The headers of the fresh stored copies, by frame id. A copy with menus that are too large to be compared is not fresh. */
  async freshHeaders(ids: readonly string[]): Promise<Map<string, CopyHeader>> {
    const headers = await Promise.all(
      ids.map(
        async (id) => [id, await findFreshHeader(this.#context, id).catch(unlessTooLarge)] as const,
      ),
    )
    return new Map(headers.flatMap(([id, header]) => (header ? [[id, header]] : [])))
  }

  /** The header of a frame's stored copy, fresh or not. */
  storedHeader(id: string): Promise<CopyHeader | undefined> {
    return readHeader(this.#context, id)
  }

  /** The versions of the stored copies, by frame id. */
  storedVersions(ids: readonly string[]): Promise<Map<string, CopyVersions>> {
    return readCopyVersions(this.#context, ids)
  }

  /** Bytes of the finished HTML of these frames in their largest language, by frame id, as far as they have fresh copies. */
  async outputBytes(ids: readonly string[]): Promise<Map<string, number>> {
    const known = ids.filter((id) => this.graph.get(id))
    const stored = await this.freshHeaders(known.filter((id) => !this.#bakes.has(id)))
    const bytes = new Map<string, number>()
    for (const id of known) {
      const bake = await this.#bakes.get(id)?.catch(() => undefined)
      const languages = (bake?.copy.header ?? stored.get(id))?.languages ?? []
      bytes.set(id, Math.max(0, ...languages.map((language) => language.bytes)))
    }
    return bytes
  }

  /** Bytes of the contents of these pages, by page id. */
  contentBytes(ids: readonly number[]): Promise<Map<number, number>> {
    return readContentBytes(this.#reads, this.#site, ids)
  }

  /** Ids of the pages on these frames, sorted, without duplicates. */
  async pagesOn(frames: readonly string[]): Promise<number[]> {
    if (this.#hasNoPages) return []
    // Each frame once: nobody would wait for the first promise of a frame that is named twice, and its failure would end the process.
    const unread = new Set(frames.filter((id) => !this.#framePages.has(id)))
    if (unread.size > 0) {
      // A site may have 20,000 pages on other frames.
      const reading = listFramePages(this.#reads, this.#site, [...unread])
      for (const id of unread)
        this.#framePages.set(
          id,
          reading.then((pages) => pages.get(id) ?? []),
        )
    }
    const pages = await Promise.all(frames.map((id) => this.#framePages.get(id) ?? []))
    return [...new Set(pages.flat())].sort((a, b) => a - b)
  }

  /** The id of the frame that a page is bound to; undefined if it is bound to none. */
  async frameOf(pageId: number): Promise<string | undefined> {
    return (await this.framesOf([pageId])).get(pageId)
  }

  /** The ids of the frames that pages are bound to, by page id, in one statement. */
  framesOf(pageIds: readonly number[]): Promise<Map<number, string>> {
    return readPostsMeta(this.#reads, this.#site, pageIds, PAGE_META_KEY)
  }

  /**
   * The HTML of a page, or why it is not published.
   * @param known the id of its frame, if the caller has read it already
   */
  async render(page: Page, known?: string): Promise<CopyContent> {
    return this.#renderBound(page, known ?? (await this.frameOf(page.id)))
  }

  /**
   * Renders pages like `render`, in order. The number of statements depends on the number of baked copies that the pages need, and hardly on
   * the number of pages.
   * @param frames the ids of the frames that they are bound to (`framesOf`)
   */
  async renderAll(
    pages: readonly Page[],
    frames: ReadonlyMap<number, string>,
  ): Promise<PromiseSettledResult<CopyContent>[]> {
    this.metrics?.count('pages_rendered_total', {}, pages.length)
    const byCopy = groupBy(pages, ({ id, lang }) => `${frames.get(id)} ${lang}`)
    const results = new Map<Page, PromiseSettledResult<CopyContent>>()
    for (const groups of inBatches(byCopy.values(), CACHED_COPIES)) {
      // One page of each copy first: then the copies are cached, and the other pages read their values in the same tick.
      const first = groups.flatMap(([page]) => page ?? [])
      const others = groups.flatMap(([, ...rest]) => rest)
      for (const batch of [first, ...inBatches(others, PAGES_AT_ONCE)]) {
        const rendered = await Promise.allSettled(
          batch.map((page) => this.#renderBound(page, frames.get(page.id))),
        )
        for (const [index, result] of rendered.entries()) {
          const page = batch[index]
          if (page) results.set(page, result)
        }
      }
    }
    return pages.flatMap((page) => results.get(page) ?? [])
  }

  /** @param frameId undefined if the page is bound to no frame */
  async #renderBound(page: Page, frameId: string | undefined): Promise<CopyContent> {
    if (frameId === undefined) return { reason: 'no_frame', message: 'The page has no frame.' }
    if (!this.graph.get(frameId)) {
      return { reason: 'frame_missing', message: `The page's frame ${frameId} does not exist.` }
    }
    if (!isPublic(page)) {
      return {
        reason: 'page_not_public',
        message: 'The page is not published in WordPress, or has a password.',
      }
    }
    const copy = await this.#printableFor(page, frameId)
    const { html } = await renderPage(this.#context, copy, page)
    return { html, sourceFingerprint: copy.language.fingerprint, shown: this.#shownBy(frameId) }
  }

  /** The frames and menus that pages on a frame show. More frames than a page may have tags of are not all named. */
  #shownBy(frameId: string): ShownTags {
    const known = this.#shown.get(frameId)
    if (known) return known
    const frame = this.graph.get(frameId)
    const embedded = this.graph.embeddedFrames(frameId, MAX_CACHE_TAGS)
    const frames = frame ? [frame, ...embedded] : embedded
    const shown = { frames: frames.map(({ id }) => id), menus: frames.some(showsMenus) }
    this.#shown.set(frameId, shown)
    return shown
  }

  /** Prints a page from a frame that exists, even if visitors may not see the page. */
  async print(page: Page, frameId: string): Promise<RenderedPage> {
    return renderPage(this.#context, await this.#printableFor(page, frameId), page)
  }

  async #printableFor(page: Page, frameId: string): Promise<PrintableCopy> {
    const lang = page.lang ?? (await this.data.defaultLanguage())
    const key = `${frameId} ${lang}`
    const copy = this.#printable.get(key) ?? this.#findPrintable(frameId, lang)
    this.#printable.set(key, copy)
    return copy
  }

  async #findPrintable(frameId: string, lang: string | null): Promise<PrintableCopy> {
    const { db, isWork } = this.#options
    // A static copy stays: what is read of such tables may be wrong.
    if (isWork) await db.assertWritable(this.#site)
    const built = await this.#bakes.get(frameId)?.catch(() => undefined)
    const copy = built && { ...built.copy, body: this.#bodies.get(frameId) }
    return (
      (copy && (await printableCopy(this.#context, copy, lang))) ??
      (await this.#findOrBake(frameId, lang))
    )
  }

  async #storeChanged(
    baking: readonly Promise<Bake>[],
    { isStoredLater = false }: BakeChoice,
  ): Promise<void> {
    const settled = await Promise.allSettled(baking)
    const baked = settled.flatMap((bake) => (bake.status === 'fulfilled' ? bake.value : []))
    const changed = baked.filter(({ outcome }) => outcome !== 'cached')
    const chars = changed.reduce((sum, { copy: { body = '' } }) => sum + body.length, 0)
    if (!isStoredLater || this.#unstoredChars + chars > MAX_UNSTORED_CHARS)
      return this.#store(changed)
    this.#unstored.push(...changed)
    this.#unstoredChars += chars
  }

  /**
   * Stores the copies of `isStoredLater` with other rows.
   * @param write runs a transaction that stores them, if there are any; is called again if a frame was deleted meanwhile
   */
  async storeBaked(
    write: (store: ((tx: Tx) => void | Promise<void>) | undefined) => Promise<void>,
  ): Promise<void> {
    const { storesCopies = true } = this.#options
    const unstored = storesCopies ? this.#unstored.splice(0) : []
    this.#unstoredChars = 0
    if (unstored.length === 0) await write(undefined)
    else await storeCopiesWith(write, this.#site, unstored)
  }

  /** Caches a bake for later callers. The body goes into a cache of limited size, because a change may bake gigabytes. */
  #cacheBake(id: string, baking: Promise<Bake>): void {
    const cached = baking.then(({ copy: { header, body }, outcome }) => {
      if (body !== undefined) this.#bodies.set(id, body)
      return { id, copy: { header, body: undefined }, outcome }
    })
    // Callers that await the bake get its error. Without any, the rejection must not end the process.
    cached.catch(() => {})
    this.#bakes.set(id, cached)
  }

  /**
   * The stored copy of a frame; if it is stale or damaged, after a crash between a write and its bake or a write without a bake, it is baked
   * again. Of concurrent requests the first one bakes and the others wait. The page is rendered even if the copy cannot be stored.
   */
  async #findOrBake(id: string, lang: string | null): Promise<PrintableCopy> {
    const { pageBakes, log } = this.#options
    const { finished } = pageBakes
    const stored = await findFreshCopy(this.#copyContext, id, lang)
    if (stored) return stored
    const key = `${this.#site.prefix} ${id}`
    const other = pageBakes.running.get(key)
    // Another bake may also have begun and ended while the copy was read.
    if (other || pageBakes.finished !== finished) {
      await other?.catch(() => {})
      const copy = await findFreshCopy(this.#copyContext, id, lang)
      if (copy) return copy
    }
    const baking = this.#bakeAgain(id)
    this.#cacheBake(id, baking)
    const storing = baking.then((bake) =>
      this.#store([bake]).catch((error: unknown) =>
        log.error({ err: error }, 'baked copy was not stored'),
      ),
    )
    pageBakes.running.set(key, storing)
    try {
      await storing
    } finally {
      pageBakes.finished += 1
      if (pageBakes.running.get(key) === storing) pageBakes.running.delete(key)
    }
    const copy = await printableCopy(this.#context, (await baking).copy, lang)
    if (!copy) throw new Error(`the baked copy of frame ${id} has nothing to print`)
    return copy
  }

  /** A write that is not built yet finds by the version that this has changed the copy. */
  async #bakeAgain(id: string): Promise<Bake> {
    const version = this.#options.version ?? (await this.#readVersion())
    return rebakeFrame({ ...this.#context, version }, id, { force: true })
  }

  async #readVersion(): Promise<number | undefined> {
    const { blogId, globals } = this.#site
    return (await readSiteVersions(this.#reads, globals, [blogId])).get(blogId)
  }

  async #store(bakes: readonly Bake[]): Promise<void> {
    const { db, isWork, storesCopies = true, write } = this.#options
    if (!storesCopies) return
    if (write) return storeWithWrite(write, this.#site, bakes)
    await storeCopies(db, { site: this.#site, isWork }, bakes)
  }
}

function unlessTooLarge(error: unknown): undefined {
  if (!isMenuTooLarge(error)) throw error
}
