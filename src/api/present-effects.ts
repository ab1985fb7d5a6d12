import { z } from 'zod'
import type { Effects } from '../change.ts'
import type { ResponseOf } from './endpoint.ts'

/** What a write led to, as answers show it (`Effects` in `change.ts`; contract, sections 2.3, 2.4 and 4.1.7). */

const Outcome = z.enum(['ok', 'skipped', 'failed'])

const CacheSchema = z
  .object({
    status: Outcome.describe('`skipped`: no page cache is configured, or no page was touched.'),
    scope: z.literal('pages'),
    pages: z.array(z.int()).describe('Ids of the pages whose addresses were purged.'),
    flushed: z.object({
      urls: z.object({
        status: Outcome,
        by: z.string().meta({ description: 'How page caches were told.', examples: ['PURGE'] }),
        urls: z.array(z.string()).describe('Addresses that every page cache has forgotten.'),
        skipped: z.array(z.string()).describe('Addresses of which none was told, or not all.'),
      }),
    }),
  })
  .meta({ id: 'Cache', description: 'What page caches were told.' })

const UnresolvedSchema = z.object({
  frame: z.string().describe('Slug of the frame in whose markup the bind stands.'),
  bind: z.string().meta({ examples: ['title:page.subtitle'] }),
  reason: z.enum(['no_value', 'unknown_name', 'not_allowed']),
  line: z.int(),
  column: z.int(),
})

const BakeResponseSchema = z.object({
  baked: z.boolean().describe('False where the stored copy was true already.'),
  frame_id: z.string(),
  bytes: z.int().describe('Finished HTML, over all languages.'),
  source_bytes: z.int().describe('The markup.'),
  baked_option: z.string().meta({ examples: ['svc_frame_5158798bd2006010_baked'] }),
  renders_on_request: z.boolean(),
  lang: z
    .array(z.string())
    .describe('Languages of which there is a copy; empty where the language makes no difference.'),
  default_lang: z.string().nullable(),
  blocks: z.int().describe('Pieces that are finished or wait for a page.'),
  inserts: z.int(),
  unknown_inserts: z.array(z.string()),
  binds: z.int(),
  bind_tags: z.int().describe('Elements that carry binds.'),
  repeats: z.array(z.string()).describe('Sources that are gone through.'),
  frames: z.array(z.string()).describe('Slugs of the frames that are in it.'),
  unresolved: z.array(UnresolvedSchema).describe('Binds that had no value or a wrong name.'),
  warnings: z.array(z.string()),
  published: z
    .object({ published: z.boolean(), pages: z.array(z.int()) })
    .describe('Pages on this frame whose static copy shows this write now.'),
  pages: z.array(z.int()).describe('Pages on this frame.'),
})

export const BakeSchema = z
  .discriminatedUnion('status', [
    z.object({ status: z.literal('ok'), response: BakeResponseSchema }),
    z.object({ status: z.literal('skipped').describe('Nothing was to be built.') }),
    z.object({ status: z.literal('failed'), message: z.string() }),
  ])
  .meta({ id: 'Bake', description: 'The build of the frame that was written.' })

export const RebakedSchema = z
  .object({
    status: Outcome,
    total: z.int().describe('Frames that were looked at.'),
    baked: z.int(),
    not_needed: z.int(),
    failed: z.int(),
    frames: z.array(
      z.object({
        id: z.string(),
        slug: z.string(),
        because: z
          .array(z.string())
          .meta({ description: 'What it reads that has changed.', examples: [['menus']] }),
        bake: z.enum(['baked', 'not_needed', 'failed']),
        detail: z.string(),
      }),
    ),
    skipped: z
      .array(z.string())
      .optional()
      .describe('Slugs of frames that were left for another call of POST /frames/rebake.'),
    cache: CacheSchema,
    message: z.string().optional().describe('Why no frame could be built.'),
  })
  .meta({ id: 'Rebaked', description: 'What was built again because it shows what was written.' })

export const StaticSchema = z
  .object({
    published: z
      .boolean()
      .describe('Whether a copy is on disk now, of this write or an older one.'),
    url: z.string().nullable().describe('Of the copy that is on disk.'),
    bytes: z.int(),
    reason: z
      .enum([
        'no_frame',
        'frame_missing',
        'page_not_public',
        'plain_permalinks',
        'disabled',
        'failed',
        'later_build',
        'quota',
      ])
      .nullable()
      .describe(
        'Why there is no copy, or why the copy does not show this write: `failed`, `later_build`.',
      ),
    message: z.string(),
    was_published: z.boolean(),
    was_url: z.string().nullable(),
    removed: z.boolean(),
    changed: z.boolean(),
  })
  .meta({ id: 'StaticCopy', description: "The fate of a page's static copy." })

export const RepublishSchema = z
  .object({
    status: z
      .enum(['ok', 'skipped', 'failed', 'unavailable'])
      .describe(
        '`failed`: the static copy of at least one page could not be brought up to date. What was written stays written.',
      ),
    message: z.string().optional(),
    cache: CacheSchema.optional(),
  })
  .meta({
    id: 'Republish',
    description: 'How bringing the static copies of all touched pages up to date went.',
  })

/** What writes answer of their effects on other frames and on pages. */
export const effectFields = { rebaked: RebakedSchema, republish: RepublishSchema }

/** The same without the page caches, which are in `rebaked` already. */
export function presentEffects({
  rebaked,
  republish: { status, message },
}: Pick<Effects, 'rebaked' | 'republish'>): ResponseOf<z.ZodObject<typeof effectFields>> {
  return { rebaked, republish: { status, ...(message === undefined ? {} : { message }) } }
}
