/** Something that frames may show and that a write has changed. */
export type Touched =
  | { readonly kind: 'menus' | 'pages' | 'languages' | 'settings' }
  | { readonly kind: 'dataset'; readonly name: string }
  /** A frame that others may embed, by the names it bears or bore. */
  | { readonly kind: 'frame'; readonly id: string; readonly slugs: readonly string[] }

/** What a write did to a site, as far as pages may show it. The executor makes effects of it. */
export type Change = {
  /** `false`: the caller wants nothing built now. */
  readonly bake: boolean
  /** Id of the frame that was written, to be built itself. */
  readonly frame?: string
  /** That frame's markup and its digest, so that it need not be read again. */
  readonly markup?: { readonly html: string; readonly sha256: string }
  readonly touched: readonly Touched[]
  /** Ids of pages that were put on a frame or taken off one. */
  readonly pages: readonly number[]
  /** Every frame is to be built, whatever it reads. */
  readonly all?: boolean
  /** Frames to be built at most; the others are listed in `RebakeEffect.skipped`. */
  readonly limit?: number
}

/** What became of a change: what was built, published and purged. Each part says so itself when it failed. */
export type Effects = {
  readonly bake: BakeEffect
  readonly rebaked: RebakeEffect
  /** The static copy of each page that was put on a frame or taken off one, by page id. */
  readonly statics: ReadonlyMap<number, StaticEffect>
  /** How bringing the static copies of all touched pages up to date went, and which addresses page caches purged. */
  readonly republish: {
    readonly status: 'ok' | 'skipped' | 'failed'
    readonly message?: string
    readonly cache: CacheEffect
  }
}

/** `bake` in frame writes (contract, section 2.3). */
export type BakeEffect =
  | { readonly status: 'ok'; readonly response: BakeResponse }
  | { readonly status: 'skipped' }
  | { readonly status: 'failed'; readonly message: string }

export type BakeResponse = {
  /** False where the stored copy was true already. */
  readonly baked: boolean
  readonly frame_id: string
  /** Finished HTML, in bytes, over all languages. */
  readonly bytes: number
  readonly source_bytes: number
  readonly baked_option: string
  readonly renders_on_request: boolean
  /** Languages of which there is a copy; empty where the language makes no difference. */
  readonly lang: readonly string[]
  readonly default_lang: string | null
  /** Pieces that are finished or wait for a page. */
  readonly blocks: number
  readonly inserts: number
  readonly unknown_inserts: readonly string[]
  readonly binds: number
  readonly bind_tags: number
  readonly repeats: readonly string[]
  /** Slugs of the frames that are in it. */
  readonly frames: readonly string[]
  readonly unresolved: readonly UnresolvedBind[]
  readonly warnings: readonly string[]
  readonly published: { readonly published: boolean; readonly pages: readonly number[] }
  readonly pages: readonly number[]
}

/** Why a bind printed nothing (decisions, section 6). */
export type UnresolvedBindReason = 'no_value' | 'unknown_name' | 'not_allowed'

export type UnresolvedBind = {
  /** Slug of the frame in whose markup the bind stands. */
  readonly frame: string
  readonly bind: string
  readonly reason: UnresolvedBindReason
  readonly line: number
  readonly column: number
}

/** `rebaked` (contract, section 2.4). */
export type RebakeEffect = {
  readonly status: 'ok' | 'skipped' | 'failed'
  readonly total: number
  readonly baked: number
  readonly not_needed: number
  readonly failed: number
  readonly frames: readonly RebakedFrame[]
  readonly cache: CacheEffect
  /** Why no frame could be built. */
  readonly message?: string
  /** Slugs of frames that were left for another call. */
  readonly skipped?: readonly string[]
}

export type RebakedFrame = {
  readonly id: string
  readonly slug: string
  readonly because: readonly string[]
  readonly bake: 'baked' | 'not_needed' | 'failed'
  readonly detail: string
}

/** What page caches were told. `skipped`: none is configured, or no page was touched. */
export type CacheEffect = {
  readonly status: 'ok' | 'skipped' | 'failed'
  readonly scope: 'pages'
  readonly pages: readonly number[]
  readonly flushed: {
    readonly urls: {
      readonly status: 'ok' | 'skipped' | 'failed'
      readonly by: string
      readonly urls: readonly string[]
      readonly skipped: readonly string[]
    }
  }
}

/** The fate of a page's static copy (contract, section 4.1.7): `published`, `url` and `bytes` are of the copy that is on disk now. */
export type StaticEffect = {
  readonly published: boolean
  readonly url: string | null
  readonly bytes: number
  readonly reason: StaticReason | null
  readonly message: string
  readonly was_published: boolean
  readonly was_url: string | null
  readonly removed: boolean
  readonly changed: boolean
}

export type StaticReason =
  | 'no_frame'
  | 'frame_missing'
  | 'page_not_public'
  | 'plain_permalinks'
  | 'disabled'
  | 'failed'
  /** A build that began later decided about the page, and what it left differs from what this build made. */
  | 'later_build'
  /** The static copies of the site take all the room that they may. */
  | 'quota'
