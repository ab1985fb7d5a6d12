import type { RecordedChange } from '../../content/work/record-work.ts'
import type {
  BakeEffect,
  BakeResponse,
  CacheEffect,
  Effects,
  RebakeEffect,
  StaticEffect,
} from '../../host/effects.ts'
import { NOTHING_REBAKED, skippedEffects } from './executor.ts'

/** What a change has become so far, as the database and the copies show it. */
export type ChangeState = {
  /** Undefined until the frames of the change are baked. */
  readonly baked?: BakedChange
  /** Nothing could be built: a message for clients. */
  readonly failure?: string
  /** What became of the pages that are finished, by page id. */
  readonly statics: ReadonlyMap<number, StaticEffect>
  /** Pages whose result is not known yet. */
  readonly remaining: ReadonlySet<number>
  readonly cache: CacheEffect
}

export type BakedChange = {
  readonly bake: WrittenBake
  readonly rebaked: Omit<RebakeEffect, 'cache'>
}

/** The bake of the written frame; its published pages follow. */
export type WrittenBake =
  | { readonly status: 'ok'; readonly response: Omit<BakeResponse, 'published'> }
  | Exclude<BakeEffect, { status: 'ok' }>

/** How much of a site's work is left. */
export type PendingEffects = NonNullable<Effects['pending']>

/** @param pending the site's work that is left; undefined if everything is done */
export function effectsOf(
  change: RecordedChange,
  state: ChangeState,
  pending?: PendingEffects,
): Effects {
  const left = pending === undefined ? {} : { pending }
  const { baked, failure, statics, cache } = state
  if (failure !== undefined) return { ...skippedEffects(change, failure), ...left }
  if (!baked) {
    const isFrame = change.bake && change.frame !== undefined
    return {
      bake: { status: isFrame ? 'pending' : 'skipped' },
      rebaked: { ...NOTHING_REBAKED, status: change.bake ? 'pending' : 'skipped', cache },
      statics,
      republish: { status: 'pending', cache },
      ...left,
    }
  }
  return {
    bake: bakeEffect(baked.bake, statics),
    rebaked: { ...baked.rebaked, cache },
    statics,
    republish: { ...republishOf(change, state), cache },
    ...left,
  }
}

/** The effects of a committed change of which nothing is known yet. Without recorded work, nothing will follow. */
export function pendingEffects(change: RecordedChange): Effects {
  if (!change.isRecorded) return skippedEffects(change)
  return effectsOf(change, { statics: new Map(), remaining: new Set(), cache: NO_CACHE })
}

function bakeEffect(bake: WrittenBake, statics: ReadonlyMap<number, StaticEffect>): BakeEffect {
  if (bake.status !== 'ok') return bake
  const { pages: all, ...response } = bake.response
  const pages = all.filter((page) => {
    const copy = statics.get(page)
    return copy?.published === true && copy.reason === null
  })
  return {
    status: 'ok',
    response: { ...response, published: { published: pages.length > 0, pages }, pages: all },
  }
}

function republishOf(
  { bake }: RecordedChange,
  { statics: all, remaining }: ChangeState,
): Omit<Effects['republish'], 'cache'> {
  const statics = [...all.values()]
  const failed = statics.find(({ reason }) => reason === 'failed')
  if (failed) return { status: 'failed', message: failed.message }
  if (remaining.size > 0) return { status: 'pending' }
  const status = bake ? 'ok' : 'skipped'
  const over = statics.filter(({ reason }) => reason === 'quota')
  const [first] = over
  if (first === undefined) return { status }
  return { status, message: `Not published: ${over.length} page(s). ${first.message}` }
}

/** What is purged from page caches for pages: by address, and by tag. */
export type PurgedPages = {
  /** How page caches purge by address; `none` without any. */
  readonly by: string
  /** The names of those that purge by tag, after the commit that completes the pages; undefined without any. */
  readonly taggedBy: string | undefined
  /** Where visitors can see each finished page now, or could see it before, by page id. */
  readonly addresses: ReadonlyMap<number, readonly string[]>
  /** Pages that a page cache did not purge. */
  readonly refused: ReadonlySet<number>
}

export function cacheOf({ taggedBy, addresses, refused, ...purged }: PurgedPages): CacheEffect {
  const all = [...addresses].flatMap(([page, urls]) => urls.map((url) => ({ page, url })))
  const by = all.length === 0 ? 'none' : purged.by
  const isSkipped = ({ page }: { page: number }) => by === 'none' || refused.has(page)
  const urlsOf = (part: typeof all) => [...new Set(part.map(({ url }) => url))]
  const skipped = urlsOf(all.filter(isSkipped))
  const urls = urlsOf(all.filter((one) => !isSkipped(one)))
  const status = by === 'none' ? 'skipped' : skipped.length === 0 ? 'ok' : 'failed'
  const seen = [...addresses].flatMap(([page, urls]) => (urls.length > 0 ? page : []))
  const pages = seen.sort((a, b) => a - b)
  const flushed = { urls: { status, by, urls, skipped } } as const
  if (taggedBy === undefined || pages.length === 0)
    return { status, scope: 'pages', pages, flushed }
  return {
    status: status === 'failed' ? status : 'pending',
    scope: 'pages',
    pages,
    flushed: { ...flushed, tags: { status: 'pending', by: taggedBy } },
  }
}

export const NOTHING_PURGED: PurgedPages = {
  by: 'none',
  taggedBy: undefined,
  addresses: new Map(),
  refused: new Set(),
}

/** The cache effect of a change that concerns no page. */
export const NO_CACHE = cacheOf(NOTHING_PURGED)
