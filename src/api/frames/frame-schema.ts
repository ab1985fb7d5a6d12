import { z } from 'zod'
import { SLUG_PATTERN } from '../../frames/slug.ts'

/** What names a frame. */
export const FrameNameSchema = z.object({
  id: z.string().meta({
    description: '16 hexadecimal characters, or as an older endpoint gave it.',
    examples: ['5158798bd2006010'],
  }),
  slug: z.string().meta({ pattern: SLUG_PATTERN, examples: ['site-header'] }),
  block: z.string().meta({ examples: ['site-header'] }),
  element: z.string().nullable(),
  modifier: z.string().nullable(),
})

/** What both a frame and the report on its markup tell. */
export const markupFields = {
  inserts: z
    .record(z.string(), z.int())
    .meta({ description: 'Kind of insert to how many.', examples: [{ 'op/menu': 1 }] }),
  sources: z.array(z.string()).meta({
    description: 'Data sources that are read.',
    examples: [['menu.header', 'site.title']],
  }),
  frame_refs: z
    .array(z.string())
    .meta({ description: 'Slugs of the frames that are embedded.', examples: [['card']] }),
  binds: z.int(),
  renders_on_request: z
    .boolean()
    .describe('Whether it depends on the page that is rendered, also through what it embeds.'),
}

const GmtTimeSchema = z.string().meta({
  description: 'GMT.',
  pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$',
  examples: ['2026-03-01 09:30:00'],
})

/** A frame object (contract, section 2.1). */
export const FrameSchema = FrameNameSchema.extend({
  bytes: z.int().describe('Of the markup, in UTF-8.'),
  sha256: z.string().meta({ pattern: '^[0-9a-f]{64}$' }),
  ...markupFields,
  created_at_gmt: GmtTimeSchema,
  updated_at_gmt: GmtTimeSchema,
  updated_by: z.int().describe('Id of the user who last wrote it.'),
  option: z.string().meta({ examples: ['svc_frame_5158798bd2006010'] }),
  pages: z
    .array(z.int())
    .optional()
    .meta({ description: 'Ids of the pages that stand on it.', examples: [[3, 7]] }),
}).meta({ id: 'Frame', description: 'A stored markup template.' })

/** The markup, in reads of one frame and in lists that ask for it. */
export const HtmlSchema = z.string().describe('The markup, exactly as it was sent.')
