import { z } from 'zod'
import { closureWarnings } from '../../build/baking/closure.ts'
import type { FrameWriteInput, FrameWriteOutcome } from '../../content/frames/create-frame.ts'
import type { FrameProblem } from '../../content/frames/find-problems.ts'
import {
  MAX_MARKUP_BYTES,
  type MarkupAnalyzer,
  parseNewMarkup,
  resolveReferences,
} from '../../content/frames/frame-markup.ts'
import { versionOfFrame } from '../../content/frames/frame-version.ts'
import type { FrameGraph, IndexedFrame } from '../../content/frames/graph.ts'
import { recordOption } from '../../content/frames/option-names.ts'
import type { RenameResult } from '../../content/frames/rename-frame.ts'
import { findSlug, invalidSlug, SLUG_PATTERN, slugParts } from '../../content/frames/slug.ts'
import type { MarkupReport } from '../../content/markup/markup-report.ts'
import { gmtText } from '../../db/gmt.ts'
import type { Tx } from '../../db/transaction.ts'
import { maxSiteBytesOf } from '../../host/config/config.ts'
import { AppError } from '../../host/errors.ts'
import { MarkupCache } from '../../network/plan/plan-context.ts'
import { byRule, coded, fieldOfPart, preprocessed, rawField } from '../coded-fields.ts'
import { field, nullable, optional } from '../described.ts'
import type {
  Call,
  ResponseOf,
  SiteContext,
  SiteWriteContext,
  WriteCall,
  Written,
} from '../endpoint.ts'
import { flag, objectBody } from '../fields.ts'
import { pick } from '../pick.ts'

/** A problem of a frame, as plans, pushes and `check` report it. */
export const FrameProblemSchema = z
  .object({
    frame: z.string().describe('Slug of the frame.'),
    severity: z
      .enum(['error', 'warning'])
      .describe('`error`: visitors do not see something that the author meant to print.'),
    code: z.string().meta({ examples: ['unknown_value'] }),
    line: nullable(z.int(), 'Null for a problem of several frames.'),
    column: z.int().nullable(),
    message: z.string().describe('What is wrong, and what to do.'),
  })
  .meta({ id: 'FrameProblem', description: 'A mistake in a frame that prevents no write.' })

/** Problems of unsaved frames in a response. */
export const MAX_UNSAVED_PROBLEMS = 100

/** The first problems. */
export function presentFrameProblems(
  problems: readonly FrameProblem[],
): ResponseOf<typeof FrameProblemSchema>[] {
  return problems.slice(0, MAX_UNSAVED_PROBLEMS).map(({ location, ...problem }) =>
    pick(FrameProblemSchema, {
      ...problem,
      line: location?.line ?? null,
      column: location?.column ?? null,
    }),
  )
}

type MarkupCaller = Pick<Call<unknown, unknown, unknown>, 'caller' | 'rights' | 'markupWriters'>

/**
 * Why the caller may not write markup, which may contain scripts; undefined if that is allowed. In a multisite network, WordPress gives the capability
 * `unfiltered_html` to super administrators only (map_meta_cap, capabilities.php).
 */
export function findMarkupRefusal({
  caller,
  rights,
  markupWriters,
}: MarkupCaller): AppError | undefined {
  if (caller.asked?.isUnnamed)
    return new AppError(
      'unfiltered_html_required',
      'This token is known only from the old endpoint (LEGACY_TOKENS=ask), and such tokens may not write markup, because markup may contain scripts. Ask the operator for a token of this service, or to import this one. You may still rename, assign and delete frames.',
    )
  if (markupWriters !== 'super-admins' || rights.superAdmin) return undefined
  return new AppError(
    'unfiltered_html_required',
    'Only super administrators may write markup in this network (MARKUP_WRITERS=super-admins), because markup may contain scripts. Ask a super administrator to write it. You may still rename, assign and delete frames.',
  )
}

/** Path parameters of the endpoints of one frame. */
export const FrameParamsSchema = z.object({
  ref: field(z.string(), 'A frame: its id (16 hexadecimal characters) or its slug.', 'site-header'),
})

const slug = z
  .string()
  .refine((sent) => findSlug(sent) !== undefined)
  .meta({
    pattern: SLUG_PATTERN,
    description: '`block__element--modifier`, unique on the site; converted to lower case.',
    examples: ['site-header'],
  })

/** The slug of a new frame, as sent. */
const slugField = coded(slug, invalidSlug)

/** Another slug of a frame. Null is none, as `isset` of PHP says. */
const newSlugField = coded(
  preprocessed((sent) => sent ?? undefined, slug.optional()),
  invalidSlug,
)

/** Every value is ignored. */
const ignoredField = (warning: string) =>
  rawField({ deprecated: true, description: `Ignored, with the warning \`${warning}\`.` })

/** Fields of earlier versions, rejected or ignored in every write of a frame. */
const removedFields = {
  url: coded(
    z.null().optional().meta({
      type: undefined,
      deprecated: true,
      description: 'Rejected with `frame_url_not_supported`: a frame has no URL.',
    }),
    () =>
      new AppError(
        'frame_url_not_supported',
        'A frame has no URL. Leave "url" out; assign the frame to a page with POST /frames/{ref}/assign.',
      ),
  ),
  type: ignoredField('type_ignored'),
  default: ignoredField('default_ignored'),
  is_default: ignoredField('default_ignored'),
  name: ignoredField('name_ignored'),
}

/** `withMarkup` validates the one that counts. Deprecated in the document, so that the client and agents are not offered it. */
const otherNameOfHtml = rawField({
  type: 'string',
  deprecated: true,
  description:
    'Another name for `html`. Of several, the first that is not empty is stored; another text under a later name is ignored, with the warning `markup_ignored` or `content_ignored`.',
})

/** Options of a write. */
const writeOptions = {
  dry_run: flag(false, 'Validate and report, but store nothing.'),
  bake: flag(true, 'False: do not build anything now.'),
}

/** The body of PATCH. */
export const RenameBodySchema = objectBody(
  { slug: newSlugField, ...writeOptions, ...removedFields },
  'slug',
)

/** `withMarkup` validates the one that counts. */
const htmlField = rawField({
  type: 'string',
  description:
    'The markup, at most 2 MB (2,097,152 bytes). Required, under this name or another one.',
  examples: ['<header><!-- svc/menu {"location":"header"} /--></header>'],
})

const contentFields = {
  html: htmlField,
  markup: otherNameOfHtml,
  content: otherNameOfHtml,
  ...writeOptions,
  ...removedFields,
}

/** A frame of a request with several frames. */
export const FrameOfManySchema = z.object({
  slug: fieldOfPart(slugField),
  html: fieldOfPart(htmlField),
})

/** The names of the markup, in the order in which they are looked at. */
const MARKUP_FIELDS = ['html', 'markup', 'content'] as const

type MarkupFields = Partial<Record<(typeof MARKUP_FIELDS)[number], unknown>>

/** The first name that holds text counts; an empty text counts only if no other one is there. */
function markupOf(body: MarkupFields): unknown {
  const sent = MARKUP_FIELDS.map((name) => body[name]).filter(
    (value) => value !== undefined && value !== null,
  )
  return sent.find((value) => value !== '') ?? sent[0]
}

/** @throws AppError those of `parseNewMarkup` */
const withMarkup = <Body extends MarkupFields>(body: Body) => ({
  ...body,
  html: parseNewMarkup(markupOf(body)),
})

/** The body of PUT. */
export const FrameBodySchema = objectBody({ slug: newSlugField, ...contentFields }).transform(
  byRule(withMarkup),
)

/** The body of POST: a new frame needs a slug. */
export const NewFrameBodySchema = objectBody(
  { slug: slugField, ...contentFields },
  'slug',
).transform(byRule(withMarkup))

/** A body as it was validated: the fields that earlier versions had are not. */
type FrameBody = MarkupFields & {
  readonly slug?: string | undefined
  readonly bake: boolean
} & { readonly [Name in keyof typeof removedFields]?: unknown }

/** A warning for each field of the body that is ignored or stored otherwise. */
export function ignoredFields(body: FrameBody): string[] {
  return [
    ...(body.type === undefined ? [] : ['type_ignored']),
    ...(body.default === undefined && body.is_default === undefined ? [] : ['default_ignored']),
    ...(body.name === undefined ? [] : ['name_ignored']),
    ...(body.slug !== undefined && findSlug(body.slug) !== body.slug ? ['slug_changed'] : []),
    ...ignoredMarkup(body),
  ]
}

/** A warning for each name of the markup that holds another text than the one that counts. */
function ignoredMarkup(body: MarkupFields): string[] {
  const markup = markupOf(body)
  return MARKUP_FIELDS.filter((name) => (body[name] || markup) !== markup).map(
    (name) => `${name}_ignored`,
  )
}

type FrameCall<Body> = Pick<
  WriteCall<unknown, unknown, Body>,
  'site' | 'body' | 'caller' | 'now' | 'precondition' | 'markupAnalyzer' | 'storedMbPerSite'
>

/** The write that a body requests, without its markup. */
export const frameWrite = (call: FrameCall<FrameBody>) => ({
  slug: call.body.slug,
  analyzer: call.markupAnalyzer(call.site),
  userId: call.caller.user.id,
  now: gmtText(call.now()),
  bake: call.body.bake,
  precondition: call.precondition,
  maxSiteBytes: maxSiteBytesOf(call),
})

/**
 * The write that a body with markup requests, with the analysis of the markup.
 * @throws AppError `unfiltered_html_required`
 */
export async function markupWrite(
  call: FrameCall<FrameBody & { readonly html: string }> &
    Pick<SiteContext, 'rights' | 'markupWriters'>,
): Promise<FrameWriteInput> {
  const refusal = findMarkupRefusal(call)
  if (refusal) throw refusal
  const write = frameWrite(call)
  const { html } = call.body
  return { ...write, html, report: await write.analyzer.analyze(html) }
}

/**
 * Analyzes the markup in bodies before the transaction that writes them.
 * @returns the analyzer for the transaction, which has the reports
 * @throws AppError `service_busy`
 */
export async function analyzeAhead(
  analyzer: MarkupAnalyzer,
  bodies: readonly unknown[],
): Promise<() => MarkupAnalyzer> {
  const cache = new MarkupCache(analyzer)
  for (const body of bodies) {
    const html = markupOf(Object(body))
    // Another value, or a longer text, is refused by the endpoint of the part.
    if (typeof html === 'string' && html.length <= MAX_MARKUP_BYTES) await cache.analyze(html)
  }
  return () => cache
}

/**
 * Writes a frame. What needs nothing but the write is built in its transaction; everything else follows the commit.
 * @param ref the frame, unless it is a new one
 */
export async function writeFrame<T extends FrameWriteOutcome>(
  tx: Tx,
  { site, executor }: Pick<SiteWriteContext, 'site' | 'executor'>,
  written: FrameWriteInput & { readonly ref?: string },
  writing: Promise<T>,
): Promise<T> {
  // Its reads travel behind those of the write, so that only they fail with an error.
  const build = written.bake ? executor.within?.(tx, site, written) : undefined
  const outcome = await writing
  const effects = await build?.(outcome.change, outcome.graph)
  return effects ? { ...outcome, change: { ...outcome.change, effects } } : outcome
}

/** The names of a frame. */
export const FrameNameSchema = z.object({
  id: field(
    z.string(),
    '16 hexadecimal characters, or the id that an older endpoint assigned.',
    '5158798bd2006010',
  ),
  slug: z.string().meta({ pattern: SLUG_PATTERN, examples: ['site-header'] }),
  block: z.string().meta({ examples: ['site-header'] }),
  element: z.string().nullable(),
  modifier: z.string().nullable(),
})

/** Fields of both a frame and the report on its markup. */
const markupFields = {
  inserts: field(z.record(z.string(), z.int()), 'Number of inserts by kind.', { 'op/menu': 1 }),
  sources: field(z.array(z.string()), 'Data sources that the frame reads.', [
    'menu.header',
    'site.title',
  ]),
  frame_refs: field(z.array(z.string()), 'Slugs of the frames that the frame embeds.', ['card']),
  binds: z.int(),
  renders_on_request: field(
    z.boolean(),
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
  updated_by: z
    .int()
    .describe('Id of the user who wrote it last; 0 if a command wrote it without `--user`.'),
  option: z.string().meta({ examples: ['svc_frame_5158798bd2006010'] }),
  pages: optional(z.array(z.int()), 'Ids of the pages that use the frame.', [3, 7]),
}).meta({ id: 'Frame', description: 'A stored markup template.' })

/** A frame object. Field by field, because a list has thousands of frames: to copy whole objects takes six times as long. */
export function presentFrame(
  { id, slug, meta }: IndexedFrame,
  graph: FrameGraph,
  pages?: readonly number[],
): ResponseOf<typeof FrameSchema> {
  const { block, element, modifier } = slugParts(slug)
  return {
    id,
    slug,
    block,
    element,
    modifier,
    bytes: meta.bytes,
    sha256: meta.sha256,
    inserts: meta.inserts,
    sources: meta.sources,
    frame_refs: resolveReferences(meta.references, graph.registry).frame_refs,
    binds: meta.binds,
    renders_on_request: graph.rendersOnRequest(id),
    created_at_gmt: meta.created_at_gmt,
    updated_at_gmt: meta.updated_at_gmt,
    updated_by: meta.updated_by,
    option: recordOption(id),
    ...(pages && { pages }),
  }
}

/** The markup, in reads of one frame and in lists with `include_html`. */
export const HtmlSchema = z.string().describe('The markup, exactly as it was sent.')

/** The result of a POST or PUT of a frame. */
type FrameWriteResult = FrameWriteOutcome & {
  readonly updated: boolean
  readonly renamed?: RenameResult | undefined
  /** A warning for each field of the body that was ignored. */
  readonly ignored: readonly string[]
}

/** The markup report. */
const ReportSchema = z.object({
  ...markupFields,
  inserts_total: z.int(),
  live_reasons: field(z.array(z.string()), 'Why the frame depends on the page that is rendered.', [
    'svc/menu current',
  ]),
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
  frame: FrameSchema,
  ...ReportSchema.shape,
  renamed: RenamedSchema.optional(),
})

/** What POST and PUT return. */
export function frameWritten({
  frame,
  report,
  graph,
  updated,
  renamed,
  ignored,
  change,
}: FrameWriteResult): Written<ResponseOf<typeof FrameWriteResponseSchema>> {
  return {
    body: {
      applied: true,
      updated,
      frame: presentFrame({ ...frame, slug: frame.record.slug }, graph),
      ...presentReport(frame.id, report, graph, ignored),
      ...(renamed ? { renamed: presentRename(renamed) } : {}),
    },
    change,
    version: versionOfFrame(frame),
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
