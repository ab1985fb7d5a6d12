import { z } from 'zod'
import { maxSiteBytesOf } from '../../config/config.ts'
import type { Tx } from '../../db/transaction.ts'
import { AppError } from '../../errors.ts'
import type { FrameWriteInput, FrameWriteOutcome } from '../../frames/create-frame.ts'
import { MAX_MARKUP_BYTES, type MarkupAnalyzer } from '../../frames/frame-markup.ts'
import { findSlug, SLUG_PATTERN } from '../../frames/slug.ts'
import { MarkupCache } from '../../plan/markup-cache.ts'
import { gmtText } from '../../wordpress/dates.ts'
import type { SiteContext, SiteWriteContext, WriteCall } from '../endpoint.ts'
import { flag, objectBody, rawField } from '../fields.ts'
import { findMarkupRefusal } from '../markup-writers.ts'

/** Path parameters of the endpoints of one frame. */
export const FrameParamsSchema = z.object({
  ref: z.string().meta({
    description: 'A frame: its id (16 hexadecimal characters) or its slug.',
    examples: ['site-header'],
  }),
})

const slugField = rawField({
  type: 'string',
  pattern: SLUG_PATTERN,
  description: '`block__element--modifier`, unique on the site; converted to lower case.',
  examples: ['site-header'],
})

const ignoredField = (warning: string) =>
  rawField({ deprecated: true, description: `Ignored, with the warning \`${warning}\`.` })

/** Fields of earlier versions, rejected or ignored in every write of a frame. */
const removedFields = {
  url: rawField({
    deprecated: true,
    description: 'Rejected with `frame_url_not_supported`: a frame has no URL.',
  }),
  type: ignoredField('type_ignored'),
  default: ignoredField('default_ignored'),
  is_default: ignoredField('default_ignored'),
  name: ignoredField('name_ignored'),
}

/** Deprecated in the document, so that the client and agents are not offered it. */
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

/**
 * The body of a write of frames.
 * @param required fields without which `frames/` rejects the write, with an error code of its own
 */
export const frameBodyOf = <Shape extends z.ZodRawShape>(
  shape: Shape,
  ...required: (keyof Shape & string)[]
) => objectBody(shape, required)

/** The body of PATCH. */
export const RenameBodySchema = frameBodyOf(
  { slug: slugField, ...writeOptions, ...removedFields },
  'slug',
)

export const frameFields = {
  slug: slugField,
  html: rawField({
    type: 'string',
    description:
      'The markup, at most 2 MB (2,097,152 bytes). Required, under this name or another one.',
    examples: ['<header><!-- svc/menu {"location":"header"} /--></header>'],
  }),
  markup: otherNameOfHtml,
  content: otherNameOfHtml,
  ...writeOptions,
  ...removedFields,
}

/** The body of PUT. Fields with error codes of their own are validated by `frames/`. */
export const FrameBodySchema = frameBodyOf(frameFields)

/** The body of POST: a new frame needs a slug. */
export const NewFrameBodySchema = frameBodyOf(frameFields, 'slug')

export type FrameBody = z.output<typeof FrameBodySchema>

/** @throws AppError `frame_url_not_supported` */
export function assertNoUrl({ url }: FrameBody): void {
  if (url === undefined || url === null) return
  throw new AppError(
    'frame_url_not_supported',
    'A frame has no URL. Leave "url" out; assign the frame to a page with POST /frames/{ref}/assign.',
  )
}

/** A warning for each field of the body that is ignored or stored otherwise. */
export function ignoredFields(body: FrameBody): string[] {
  return [
    ...(body.type === undefined ? [] : ['type_ignored']),
    ...(body.default === undefined && body.is_default === undefined ? [] : ['default_ignored']),
    ...(body.name === undefined ? [] : ['name_ignored']),
    ...(typeof body.slug === 'string' && findSlug(body.slug) !== body.slug ? ['slug_changed'] : []),
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

type MarkupCall = FrameCall & Pick<SiteContext, 'rights' | 'markupWriters'>

/**
 * The write that a body with markup requests.
 * @throws AppError `unfiltered_html_required`
 */
export async function markupWrite(call: MarkupCall): Promise<FrameWriteInput> {
  const refusal = findMarkupRefusal(call)
  if (refusal) throw refusal
  return frameWrite(call)
}

type FrameCall = Pick<
  WriteCall<unknown, unknown, FrameBody>,
  'site' | 'body' | 'caller' | 'now' | 'precondition' | 'markupAnalyzer' | 'storedMbPerSite'
>

/** The write that a body requests, with the analysis of its markup; `markup` and `content` are other names for `html`. */
export async function frameWrite({
  site,
  body,
  caller,
  now,
  precondition,
  markupAnalyzer,
  storedMbPerSite,
}: FrameCall): Promise<FrameWriteInput> {
  const reader = markupAnalyzer(site)
  const analyzable = analyzableMarkup(body)
  return {
    // Null is no slug, as `isset` of PHP says.
    slug: body.slug ?? undefined,
    html: markupOf(body),
    report: analyzable === undefined ? undefined : await reader.analyze(analyzable),
    analyzer: reader,
    userId: caller.user.id,
    now: gmtText(now()),
    bake: body.bake,
    precondition,
    maxSiteBytes: maxSiteBytesOf({ storedMbPerSite }),
  }
}

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

/** The markup of a body; undefined for a value that is no text, or is too long: `frames/` rejects it. */
function analyzableMarkup(body: MarkupFields): string | undefined {
  const html = markupOf(body)
  return typeof html === 'string' && html.length <= MAX_MARKUP_BYTES ? html : undefined
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
    const html = typeof body === 'object' && body !== null ? analyzableMarkup(body) : undefined
    if (html !== undefined) await cache.analyze(html)
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
