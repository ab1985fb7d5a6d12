import { z } from 'zod'
import { maxSiteBytesOf } from '../../config/config.ts'
import type { Tx } from '../../db/transaction.ts'
import { AppError } from '../../errors.ts'
import type { FrameWriteInput, FrameWriteOutcome } from '../../frames/create-frame.ts'
import { MAX_MARKUP_BYTES, type MarkupAnalyzer, parseNewMarkup } from '../../frames/frame-markup.ts'
import { findSlug, invalidSlug, SLUG_PATTERN } from '../../frames/slug.ts'
import { MarkupCache } from '../../plan/markup-cache.ts'
import { gmtText } from '../../wordpress/dates.ts'
import { byRule, coded, fieldOfPart, preprocessed, rawField } from '../coded-fields.ts'
import type { SiteContext, SiteWriteContext, WriteCall } from '../endpoint.ts'
import { flag, objectBody } from '../fields.ts'
import { findMarkupRefusal } from '../markup-writers.ts'

/** Path parameters of the endpoints of one frame. */
export const FrameParamsSchema = z.object({
  ref: z.string().meta({
    description: 'A frame: its id (16 hexadecimal characters) or its slug.',
    examples: ['site-header'],
  }),
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
