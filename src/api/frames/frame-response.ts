import { z } from 'zod'
import { closureWarnings } from '../../baking/closure.ts'
import { resolveReferences } from '../../frames/frame-markup.ts'
import type { FrameGraph, IndexedFrame } from '../../frames/graph.ts'
import { recordOption } from '../../frames/option-names.ts'
import type { Frame } from '../../frames/record.ts'
import type { RenameResult } from '../../frames/rename-frame.ts'
import { SLUG_PATTERN, slugParts } from '../../frames/slug.ts'
import type { MarkupReport } from '../../markup/markup-report.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { ResponseOf } from '../endpoint.ts'
import { siteId } from '../fields.ts'
import { pick } from '../pick.ts'

/** The names of a frame. */
export const FrameNameSchema = z.object({
  id: z.string().meta({
    description: '16 hexadecimal characters, or the id that an older endpoint assigned.',
    examples: ['5158798bd2006010'],
  }),
  slug: z.string().meta({ pattern: SLUG_PATTERN, examples: ['site-header'] }),
  block: z.string().meta({ examples: ['site-header'] }),
  element: z.string().nullable(),
  modifier: z.string().nullable(),
})

/** Fields of both a frame and the report on its markup. */
const markupFields = {
  inserts: z
    .record(z.string(), z.int())
    .meta({ description: 'Number of inserts by kind.', examples: [{ 'op/menu': 1 }] }),
  sources: z.array(z.string()).meta({
    description: 'Data sources that the frame reads.',
    examples: [['menu.header', 'site.title']],
  }),
  frame_refs: z
    .array(z.string())
    .meta({ description: 'Slugs of the frames that the frame embeds.', examples: [['card']] }),
  binds: z.int(),
  renders_on_request: z
    .boolean()
    .describe(
      'Whether the frame, or a frame that it embeds, depends on the page that is rendered.',
    ),
}

const GmtTimeSchema = z.string().meta({
  description: 'GMT.',
  pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$',
  examples: ['2026-03-01 09:30:00'],
})

/** A frame object. */
export const FrameSchema = FrameNameSchema.extend({
  bytes: z.int().describe('Size of the markup in UTF-8.'),
  sha256: z.string().meta({ pattern: '^[0-9a-f]{64}$' }),
  ...markupFields,
  created_at_gmt: GmtTimeSchema,
  updated_at_gmt: GmtTimeSchema,
  updated_by: z.int().describe('Id of the user who wrote it last.'),
  option: z.string().meta({ examples: ['svc_frame_5158798bd2006010'] }),
  pages: z
    .array(z.int())
    .optional()
    .meta({ description: 'Ids of the pages that use the frame.', examples: [[3, 7]] }),
}).meta({ id: 'Frame', description: 'A stored markup template.' })

/** A frame object. */
export function presentFrame({
  graph,
  meta,
  ...frame
}: IndexedFrame & { readonly graph: FrameGraph; readonly pages?: readonly number[] | undefined }) {
  return pick(FrameSchema, {
    ...meta,
    ...frame,
    ...slugParts(frame.slug),
    frame_refs: resolveReferences(meta.references, graph.registry).frame_refs,
    option: recordOption(frame.id),
    renders_on_request: graph.rendersOnRequest(frame.id),
  })
}

/** The markup, in reads of one frame and in lists with `include_html`. */
export const HtmlSchema = z.string().describe('The markup, exactly as it was sent.')

/** The result of a POST or PUT of a frame. */
export type FrameWriteResult = {
  readonly frame: Frame
  readonly report: MarkupReport
  /** The frames of the site after the write. */
  readonly graph: FrameGraph
  readonly updated: boolean
  readonly renamed?: RenameResult | undefined
  /** A warning for each field of the body that was ignored. */
  readonly ignored: readonly string[]
}

/** The markup report. */
const ReportSchema = z.object({
  ...markupFields,
  inserts_total: z.int(),
  live_reasons: z.array(z.string()).meta({
    description: 'Why the frame depends on the page that is rendered.',
    examples: [['svc/menu current']],
  }),
  has_doctype: z.boolean(),
  has_body: z.boolean(),
  warnings: z
    .array(z.string())
    .describe('Problems of the markup, and fields of the request that were ignored.'),
  frame_refs_missing: z
    .array(z.string())
    .describe('Embedded frames that do not exist; they print nothing.'),
})

/** `renamed`. */
export const RenamedSchema = z
  .object({
    from: z.string(),
    to: z.string(),
    frames_updated: z
      .array(z.string())
      .describe('Slugs of the embedding frames in which the slug was replaced.'),
    details: z.array(z.object({ id: z.string(), slug: z.string(), replaced: z.int() })),
  })
  .meta({
    id: 'Renamed',
    description: 'A new slug, and its replacement in the frames that embed the frame.',
  })

/** The response to POST and PUT: the frame and the markup report. */
export const FrameWriteResponseSchema = z.object({
  applied: z.boolean().describe('False in a dry run.'),
  updated: z.boolean().describe('False if the frame is new.'),
  site_id: siteId,
  frame: FrameSchema,
  ...ReportSchema.shape,
  renamed: RenamedSchema.optional(),
})

/** The response to POST and PUT. */
export function presentFrameWrite(
  site: Site,
  { frame, report, graph, updated, renamed, ignored }: FrameWriteResult,
): ResponseOf<typeof FrameWriteResponseSchema> {
  return {
    applied: true,
    updated,
    site_id: site.blogId,
    frame: presentFrame({ ...frame, slug: frame.record.slug, graph }),
    ...presentReport(frame.id, report, graph, ignored),
    ...(renamed ? { renamed: presentRename(renamed) } : {}),
  }
}

/** `renamed` of a response. */
export function presentRename({
  from,
  to,
  details,
}: RenameResult): ResponseOf<typeof RenamedSchema> {
  return { from, to, frames_updated: details.map(({ slug }) => slug), details }
}

/** Warnings about a slug that does not lead to its frame. */
export function nameWarnings(id: string, graph: FrameGraph): string[] {
  const { slug } = graph.registry.get(id)
  if (slug === REMOVED_PATH)
    return [
      `slug_reserved: the address /frames/${slug} is that of removed endpoints and answers 410. Name this frame by its id.`,
    ]
  return graph.registry.find(slug)?.id === id
    ? []
    : [
        `slug_is_id: another frame has the id "${slug}", and a name means the frame with this id first.`,
      ]
}

/** See `removedFrameEndpoints`. */
const REMOVED_PATH = 'defaults'

/** The markup report of a frame in the graph. */
function presentReport(
  id: string,
  report: MarkupReport,
  graph: FrameGraph,
  ignored: readonly string[],
) {
  const liveReasons = graph.liveReasons(id)
  const { frame_refs, frame_refs_missing } = resolveReferences(report.references, graph.registry)
  return pick(ReportSchema, {
    ...report,
    frame_refs,
    renders_on_request: liveReasons.length > 0,
    live_reasons: liveReasons,
    warnings: [
      ...ignored,
      ...nameWarnings(id, graph),
      ...(frame_refs.some((ref) => graph.registry.find(ref)?.id === id)
        ? ['This frame embeds itself; the inner one prints nothing.']
        : []),
      ...report.warnings,
      ...closureWarnings(graph, id),
    ],
    frame_refs_missing,
  })
}
