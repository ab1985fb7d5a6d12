import type {
  BakeEffect,
  BakeResponse,
  CacheEffect,
  Effects,
  RebakeEffect,
  StaticEffect,
} from '../effects.ts'
import type { PurgedAddresses } from '../publishing/purgers/purge-addresses.ts'
import { noCopyEffect } from '../publishing/static-effects.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { RecordedChange } from '../work/record-work.ts'
import { NOTHING_REBAKED, skippedEffects } from './executor.ts'

/** What a change has become so far: its frames are baked, its pages are known and are published next. */
export type BakedChange = {
  readonly bake: WrittenBake
  readonly rebaked: Omit<RebakeEffect, 'cache'>
  /** Ids of all pages that the change affects. */
  readonly pages: readonly number[]
}

/** The bake of the written frame; its published pages follow. */
export type WrittenBake =
  | { readonly status: 'ok'; readonly response: Omit<BakeResponse, 'published'> }
  | Exclude<BakeEffect, { status: 'ok' }>

/** What was done for pages. */
export type PublishedPages = {
  readonly statics: ReadonlyMap<number, StaticEffect>
  /** By page, the URLs that were purged: where visitors can see the page now, or could see it before. */
  readonly addresses: ReadonlyMap<number, readonly string[]>
  readonly purged: PurgedAddresses
  /** The names of the page caches that purge these pages by tag, after the commit that completes them; missing without any. */
  readonly taggedBy?: string
}

/** How much of a site's work is left. */
export type PendingEffects = NonNullable<Effects['pending']>

/** A change whose client waits for the effects. Workers report what they did; pages may be published by several claims. */
export class FollowedChange {
  readonly site: Site
  readonly change: RecordedChange
  /** Resolves when all effects are known. */
  readonly done: Promise<void>
  #finish: () => void = () => {}
  #baked: BakedChange | undefined
  #failure: string | undefined
  readonly #remaining = new Set<number>()
  readonly #statics = new Map<number, StaticEffect>()
  readonly #addresses = new Map<number, readonly string[]>()
  readonly #urls = new Map<string, 'purged' | 'skipped'>()
  #purgedBy = 'none'
  #taggedBy: string | undefined

  constructor(site: Site, change: RecordedChange) {
    this.site = site
    this.change = change
    this.done = new Promise((resolve) => {
      this.#finish = resolve
    })
  }

  get isDone(): boolean {
    return this.#failure !== undefined || (this.#baked !== undefined && this.#remaining.size === 0)
  }

  get isBaked(): boolean {
    return this.#baked !== undefined || this.#failure !== undefined
  }

  /** Pages whose result is not known yet. */
  get remaining(): ReadonlySet<number> {
    return this.#remaining
  }

  takeBaked(baked: BakedChange): void {
    this.#baked = baked
    for (const page of baked.pages) if (!this.#statics.has(page)) this.#remaining.add(page)
    if (this.#remaining.size === 0) this.#finish()
  }

  /** Takes what was done for pages of this change. */
  report({ statics, addresses, purged, taggedBy }: PublishedPages): void {
    const pages = [...this.#remaining].filter((page) => statics.has(page))
    if (pages.length === 0) return
    const purgedUrls = new Set(purged.urls)
    for (const page of pages) {
      this.#remaining.delete(page)
      this.#statics.set(page, statics.get(page) as StaticEffect)
      const urls = addresses.get(page) ?? []
      if (urls.length > 0) this.#addresses.set(page, urls)
      for (const url of urls) this.#urls.set(url, purgedUrls.has(url) ? 'purged' : 'skipped')
    }
    if (purged.by !== 'none') this.#purgedBy = purged.by
    this.#taggedBy ??= taggedBy
    if (this.#remaining.size === 0) this.#finish()
  }

  /** The claim failed: nothing was baked, or the remaining pages were not published. */
  fail(message: string): void {
    if (!this.isBaked) this.#failure = message
    for (const page of this.#remaining) this.#statics.set(page, noCopyEffect('failed', message))
    this.#remaining.clear()
    this.#finish()
  }

  /** @param pending the site's work that is left; undefined if everything is done */
  effects(pending?: PendingEffects): Effects {
    const left = pending === undefined ? {} : { pending }
    if (this.#failure !== undefined)
      return { ...skippedEffects(this.change, this.#failure), ...left }
    const baked = this.#baked
    const cache = this.#cache()
    if (!baked) {
      const isFrame = this.change.bake && this.change.frame !== undefined
      return {
        bake: { status: isFrame ? 'pending' : 'skipped' },
        rebaked: { ...NOTHING_REBAKED, status: this.change.bake ? 'pending' : 'skipped', cache },
        statics: new Map(),
        republish: { status: 'pending', cache },
        ...left,
      }
    }
    const pages = baked.pages.flatMap((page) => {
      const effect = this.#statics.get(page)
      return effect ? [[page, effect] as const] : []
    })
    return {
      bake: this.#bakeEffect(baked.bake),
      rebaked: { ...baked.rebaked, cache },
      statics: new Map(pages),
      republish: { ...this.#republish(), cache },
      ...left,
    }
  }

  #bakeEffect(bake: WrittenBake): BakeEffect {
    if (bake.status !== 'ok') return bake
    const pages = bake.response.pages.filter((page) => showsBuild(this.#statics.get(page)))
    const published = { published: pages.length > 0, pages }
    const { pages: all, ...response } = bake.response
    return { status: 'ok', response: { ...response, published, pages: all } }
  }

  #republish(): Omit<Effects['republish'], 'cache'> {
    const statics = [...this.#statics.values()]
    const failed = statics.find(({ reason }) => reason === 'failed')
    if (failed) return { status: 'failed', message: failed.message }
    if (this.#remaining.size > 0) return { status: 'pending' }
    const status = this.change.bake ? 'ok' : 'skipped'
    const over = statics.filter(({ reason }) => reason === 'quota')
    const [first] = over
    if (first === undefined) return { status }
    return { status, message: `Not published: ${over.length} page(s). ${first.message}` }
  }

  #cache(): CacheEffect {
    const of = (state: 'purged' | 'skipped') =>
      [...this.#urls].flatMap(([url, at]) => (at === state ? url : []))
    const [urls, skipped] = [of('purged'), of('skipped')]
    const status = this.#purgedBy === 'none' ? 'skipped' : skipped.length === 0 ? 'ok' : 'failed'
    const pages = [...this.#addresses.keys()].sort((a, b) => a - b)
    const flushed = { urls: { status, by: this.#purgedBy, urls, skipped } } as const
    const by = this.#taggedBy
    if (by === undefined) return { status, scope: 'pages', pages, flushed }
    return {
      status: status === 'failed' ? status : 'pending',
      scope: 'pages',
      pages,
      flushed: { ...flushed, tags: { status: 'pending', by } },
    }
  }
}

/** The effects of a committed change of which nothing is known yet. Without recorded work, nothing will follow. */
export function pendingEffects(site: Site, change: RecordedChange): Effects {
  return change.isRecorded ? new FollowedChange(site, change).effects() : skippedEffects(change)
}

/** True if the static copy on disk shows the output of this build: it is published and has no `reason`. */
function showsBuild(copy: StaticEffect | undefined): boolean {
  return copy?.published === true && copy.reason === null
}
