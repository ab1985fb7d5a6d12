import { z } from 'zod'

/** The result of a change: what was built, published and purged. Each part reports its own failure. */
export type Effects = {
  readonly bake: BakeEffect
  readonly rebaked: RebakeEffect
  /** The static copy of each page that was assigned a frame or lost its frame, by page id. */
  readonly statics: ReadonlyMap<number, StaticEffect>
  /** The update of the static copies of all touched pages, and the URLs that were purged from page caches. */
  readonly republish: {
    readonly status: 'ok' | 'skipped' | 'failed' | 'pending'
    readonly message?: string
    readonly cache: CacheEffect
  }
  /**
   * How many pages and frames of the site are still to be built; only if the budget for effects (`EFFECTS_BUDGET_MS`) ended before everything
   * was. They are built in the background.
   */
  readonly pending?: { readonly pages: number; readonly frames: number }
}

/** `T` without any way to change it or what it contains. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T

type Described<Schema extends z.ZodType> = DeepReadonly<z.infer<Schema>>

// The parts of `Effects` have the shape in which the API returns them, so the schemas of the API's
// documentation define the types.

const StatusSchema = z.enum(['ok', 'skipped', 'failed'])

/** What the status `pending` means, wherever it occurs. */
export const PENDING_STATUS =
  '`pending`: not finished within `EFFECTS_BUDGET_MS`; it goes on in the background, see `pending`.'

export const CacheSchema = z
  .object({
    status: z
      .enum([...StatusSchema.options, 'pending'])
      .describe(
        '`skipped`: no page cache is configured, or no page is affected. `pending`: page caches purge by tag, see `flushed.tags`.',
      ),
    scope: z.literal('pages'),
    pages: z.array(z.int()).describe('Ids of the pages whose URLs were purged.'),
    flushed: z.object({
      urls: z.object({
        status: StatusSchema,
        by: z.string().meta({ description: 'How page caches were notified.', examples: ['PURGE'] }),
        urls: z.array(z.string()).describe('URLs that every page cache has purged.'),
        skipped: z.array(z.string()).describe('URLs that at least one page cache has not purged.'),
      }),
      tags: z
        .object({
          status: z
            .literal('pending')
            .describe(
              'The purge is recorded. It is sent within about a second, and again until it succeeds; `GET /work` shows those that are left.',
            ),
          by: z
            .string()
            .meta({ description: 'Page caches that purge by tag.', examples: ['Fastly'] }),
        })
        .optional()
        .describe('Only if page caches are purged by tag (`CACHE_PURGE`).'),
    }),
  })
  .meta({ id: 'Cache', description: 'The purge of page caches.' })

/** `skipped`: no page cache is configured, or no page is affected. */
export type CacheEffect = Described<typeof CacheSchema>

/** Why a bind printed nothing. */
const UnresolvedBindReasonSchema = z.enum(['no_value', 'unknown_name', 'not_allowed'])

export type UnresolvedBindReason = z.infer<typeof UnresolvedBindReasonSchema>

export const UnresolvedBindSchema = z.object({
  frame: z.string().describe('Slug of the frame whose markup has the bind.'),
  bind: z.string().meta({ examples: ['title:page.subtitle'] }),
  reason: UnresolvedBindReasonSchema,
  line: z.int(),
  column: z.int(),
})

export type UnresolvedBind = Described<typeof UnresolvedBindSchema>

const BakeResponseSchema = z.object({
  baked: z.boolean().describe('False if the stored copy was already up to date.'),
  frame_id: z.string(),
  bytes: z.int().describe('Size of the finished HTML in all languages.'),
  source_bytes: z.int().describe('Size of the markup.'),
  baked_option: z.string().meta({ examples: ['svc_frame_5158798bd2006010_baked'] }),
  renders_on_request: z.boolean(),
  lang: z
    .array(z.string())
    .describe('Languages that have a copy; empty if the output does not depend on the language.'),
  default_lang: z.string().nullable(),
  blocks: z.int().describe('Pieces that are finished or deferred until a page is rendered.'),
  inserts: z.int(),
  unknown_inserts: z.array(z.string()),
  binds: z.int(),
  bind_tags: z.int().describe('Elements with binds.'),
  repeats: z.array(z.string()).describe('Sources that a repeat iterates over.'),
  frames: z.array(z.string()).describe('Slugs of the embedded frames.'),
  unresolved: z
    .array(UnresolvedBindSchema)
    .describe('Binds without a value or with an invalid name.'),
  warnings: z.array(z.string()),
  published: z
    .object({ published: z.boolean(), pages: z.array(z.int()) })
    .describe('Pages of this frame whose static copy now shows this write.'),
  pages: z.array(z.int()).describe('Pages of this frame.'),
})

export type BakeResponse = Described<typeof BakeResponseSchema>

export const BakeSchema = z
  .discriminatedUnion('status', [
    z.object({ status: z.literal('ok'), response: BakeResponseSchema }),
    z.object({ status: z.literal('skipped').describe('There was nothing to build.') }),
    z.object({ status: z.literal('failed'), message: z.string() }),
    z.object({ status: z.literal('pending').describe(PENDING_STATUS) }),
  ])
  .meta({ id: 'Bake', description: 'The build of the frame that was written.' })

/** `bake` in frame writes. */
export type BakeEffect = Described<typeof BakeSchema>

const RebakeOutcomeSchema = z.object({
  id: z.string(),
  slug: z.string(),
  because: z
    .array(z.string())
    .meta({ description: 'What it reads that has changed.', examples: [['menus']] }),
  bake: z.enum(['baked', 'not_needed', 'failed']),
  detail: z.string(),
})

export type RebakeOutcome = Described<typeof RebakeOutcomeSchema>

export const RebakedSchema = z
  .object({
    status: z.enum([...StatusSchema.options, 'pending']).describe(PENDING_STATUS),
    total: z.int().describe('Frames that were checked.'),
    baked: z.int(),
    not_needed: z.int(),
    failed: z.int(),
    frames: z.array(RebakeOutcomeSchema),
    skipped: z
      .array(z.string())
      .optional()
      .describe('Slugs of the frames that are left for another call of POST /frames/rebake.'),
    cache: CacheSchema,
    message: z.string().optional().describe('Why no frame could be built.'),
  })
  .meta({
    id: 'Rebaked',
    description: 'The frames that show what was written and were built again.',
  })

/** `rebaked`. */
export type RebakeEffect = Described<typeof RebakedSchema>

const StaticReasonSchema = z.enum([
  'no_frame',
  'frame_missing',
  'page_not_public',
  'plain_permalinks',
  'disabled',
  // Nothing is known yet: the copy is written in the background.
  'pending',
  'failed',
  // The static copies of the site use all the space that they may.
  'quota',
])

export type StaticReason = z.infer<typeof StaticReasonSchema>

export const StaticSchema = z
  .object({
    published: z
      .boolean()
      .describe('Whether a copy is on disk now, of this write or of an older one.'),
    url: z.string().nullable().describe('URL of the copy that is on disk.'),
    bytes: z.int(),
    reason: StaticReasonSchema.nullable().describe(
      'Why there is no copy, or why the copy does not show this write: `failed`.',
    ),
    message: z.string(),
    was_published: z.boolean(),
    was_url: z.string().nullable(),
    removed: z.boolean(),
    changed: z.boolean(),
  })
  .meta({ id: 'StaticCopy', description: "The state of a page's static copy." })

/** The static copy of a page: `published`, `url` and `bytes` are of the copy that is on disk now. */
export type StaticEffect = Described<typeof StaticSchema>
