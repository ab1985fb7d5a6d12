import { z } from 'zod'
import { closureWarnings } from '../../baking/closure.ts'
import type { Effects } from '../../change.ts'
import { resolveReferences } from '../../frames/frame-markup.ts'
import type { FrameGraph } from '../../frames/graph.ts'
import { presentFrame } from '../../frames/present-frame.ts'
import type { Frame } from '../../frames/record.ts'
import type { RenameResult } from '../../frames/rename-frame.ts'
import { SLUG_PATTERN } from '../../frames/slug.ts'
import type { MarkupReport } from '../../markup/markup-report.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { ResponseOf } from '../endpoint.ts'
import { siteId } from '../fields.ts'
import { BakeSchema, presentEffects, RebakedSchema, RepublishSchema } from '../present-effects.ts'

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

/** What a POST or PUT of a frame came to. */
export type FrameWriteResult = {
  readonly frame: Frame
  readonly report: MarkupReport
  /** The site's frames with the write done. */
  readonly graph: FrameGraph
  /** Undefined for a dry run. */
  readonly effects: Effects | undefined
  readonly updated: boolean
  readonly renamed?: RenameResult | undefined
  /** Fields of the body that were passed over, as warnings. */
  readonly ignored: readonly string[]
}

/** The markup report (contract, section 2.2). */
const reportFields = {
  ...markupFields,
  inserts_total: z.int(),
  live_reasons: z.array(z.string()).meta({
    description: 'Why it depends on the page that is rendered.',
    examples: [['svc/menu current']],
  }),
  has_doctype: z.boolean(),
  has_body: z.boolean(),
  warnings: z
    .array(z.string())
    .describe('What is odd in the markup, and what was ignored of the request.'),
  frame_refs_missing: z
    .array(z.string())
    .describe('Embedded frames that are not there; they print nothing.'),
}

/** `renamed` (contract, section 4.1.5). */
export const RenamedSchema = z
  .object({
    from: z.string(),
    to: z.string(),
    frames_updated: z.array(z.string()).describe('Slugs of the frames that bear the new slug now.'),
    details: z.array(z.object({ id: z.string(), slug: z.string(), replaced: z.int() })),
  })
  .meta({ id: 'Renamed', description: 'A new slug, also in the frames that embed it.' })

/** The answer to POST and PUT (contract, sections 4.1.2 and 4.1.4): the frame, the markup report, the effects. */
export const FrameWriteResponseSchema = z.object({
  dry_run: z.boolean().optional().describe('Only of a dry run.'),
  applied: z.boolean().describe('False of a dry run.'),
  updated: z.boolean().describe('False where the frame is new.'),
  site_id: siteId,
  frame: FrameSchema,
  ...reportFields,
  renamed: RenamedSchema.optional(),
  bake: BakeSchema.optional().describe('Missing from a dry run.'),
  rebaked: RebakedSchema.optional().describe('Missing from a dry run.'),
  republish: RepublishSchema.optional().describe('Missing from a dry run.'),
})

/** The answer to POST and PUT. */
export function presentFrameWrite(
  site: Site,
  { frame, report, graph, effects, updated, renamed, ignored }: FrameWriteResult,
): ResponseOf<typeof FrameWriteResponseSchema> {
  return {
    ...(effects ? {} : { dry_run: true }),
    applied: effects !== undefined,
    updated: updated && effects !== undefined,
    site_id: site.blogId,
    frame: presentFrame({ id: frame.id, slug: frame.record.slug, meta: frame.meta, graph }),
    ...presentReport(frame.id, report, graph, ignored),
    ...(renamed ? { renamed: presentRename(renamed) } : {}),
    ...(effects ? { bake: effects.bake, ...presentEffects(effects) } : {}),
  }
}

/** What a rename did. */
export function presentRename({
  from,
  to,
  details,
}: RenameResult): ResponseOf<typeof RenamedSchema> {
  return { from, to, frames_updated: details.map(({ slug }) => slug), details }
}

/** The markup report of a frame that the graph knows. */
function presentReport(
  id: string,
  report: MarkupReport,
  graph: FrameGraph,
  ignored: readonly string[],
) {
  const liveReasons = graph.liveReasons(id)
  const { frame_refs, frame_refs_missing } = resolveReferences(report.references, graph.registry)
  return {
    inserts: report.inserts,
    inserts_total: report.inserts_total,
    sources: report.sources,
    frame_refs,
    binds: report.binds,
    renders_on_request: liveReasons.length > 0,
    live_reasons: liveReasons,
    has_doctype: report.has_doctype,
    has_body: report.has_body,
    warnings: [...ignored, ...report.warnings, ...closureWarnings(graph, id)],
    frame_refs_missing,
  }
}
