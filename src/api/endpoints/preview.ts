import { z } from 'zod'
import { MAX_LISTED } from '../../build/preview/affected.ts'
import { previewPage } from '../../build/preview/preview-page.ts'
import { findFrameProblems, readKnownNames } from '../../content/frames/find-problems.ts'
import { datasetOption } from '../../content/frames/option-names.ts'
import { readSiteGraph } from '../../content/frames/read-graph.ts'
import { decodeRegistry, lockRegistry } from '../../content/frames/registry.ts'
import { writeDataset } from '../../content/frames/write-dataset.ts'
import type { Change } from '../../content/work/change.ts'
import { workOn } from '../../content/work/work.ts'
import type { Tx } from '../../db/transaction.ts'
import { UnresolvedBindSchema } from '../../host/effects.ts'
import { AppError } from '../../host/errors.ts'
import { TIMINGS } from '../../host/timings.ts'
import { fieldOfPart } from '../coded-fields.ts'
import { field, optional } from '../described.ts'
import {
  defineEndpoint,
  type Endpoint,
  type ResponseOf,
  type SiteContext,
  type SiteWriteContext,
  siteId,
} from '../endpoint.ts'
import { objectBody, pageField } from '../fields.ts'
import { asPart } from '../http-errors.ts'
import { pick } from '../pick.ts'
import { MAX_LARGE_BODY_BYTES } from '../request-body.ts'
import { type PartialRequest, runWithin } from '../run/run.ts'
import {
  analyzeAhead,
  FrameOfManySchema,
  FrameProblemSchema,
  FrameWriteResponseSchema,
  presentFrameProblems,
} from './frame-fields.ts'
import { assignFrameEndpoint, createFrameEndpoint, replaceFrameEndpoint } from './frame-writes.ts'
import {
  allowInvalidField,
  InvalidItemSchema,
  itemsField,
  keepField,
  languageField,
  MenuNamesSchema,
  MenuParamsSchema,
  scopeFields,
} from './menu-fields.ts'
import { replaceMenuItemsEndpoint } from './menu-items.ts'

/** The problems of unsaved frames, as a plan finds them, on the site with all unsaved things. */
async function findUnsavedProblems(
  { site, markupAnalyzer }: Pick<SiteContext, 'site' | 'markupAnalyzer'>,
  tx: Tx,
  frames: Unsaved['frames'],
): Promise<ResponseOf<typeof FrameProblemSchema>[]> {
  if (frames.length === 0) return []
  const graph = await readSiteGraph(tx, site)
  const analyzer = markupAnalyzer(site)
  const checked = []
  for (const { slug, html } of frames) {
    const frame = graph.registry.find(String(slug))
    if (frame) checked.push({ ...frame, report: await analyzer.analyze(String(html)) })
  }
  const names = checked.flatMap(({ report }) => report.names)
  const known = await readKnownNames(tx, site, names)
  return presentFrameProblems(await findFrameProblems(checked, graph, known))
}

/** Unsaved frames, menus and data sets of a preview, each. */
export const MAX_UNSAVED = 50

/** The endpoints whose writes a preview runs. */
const PREVIEWED_WRITES = [
  createFrameEndpoint,
  replaceFrameEndpoint,
  assignFrameEndpoint,
  replaceMenuItemsEndpoint,
]

/** An option name has 191 characters. */
const MAX_DATASET_NAME = 191 - datasetOption('').length

const menuField = z.preprocess(
  (ref) => (typeof ref === 'number' ? String(ref) : ref),
  MenuParamsSchema.shape.ref,
)

const unsavedFields = {
  frames: z
    .array(FrameOfManySchema)
    .max(MAX_UNSAVED)
    .default([])
    .meta({ override: { default: [] }, description: 'Frames with new markup, and new frames.' }),
  assign: optional(
    z.string(),
    'The slug or id of a frame: previews the page with it, instead of its own.',
  ),
  menus: z
    .array(
      z.object({
        menu: menuField,
        ...scopeFields,
        items: fieldOfPart(itemsField),
        allow_invalid: allowInvalidField,
        keep: keepField,
      }),
    )
    .max(MAX_UNSAVED)
    .default([])
    .meta({ override: { default: [] }, description: 'Menus with other items.' }),
  datasets: z
    .array(
      z.object({
        name: z
          .string()
          .regex(/^[A-Za-z0-9_-]+$/, 'must be letters, digits, hyphens and underscores')
          .max(MAX_DATASET_NAME)
          .meta({ examples: ['news'] }),
        value: z
          .unknown()
          .refine((value) => value !== undefined, 'must be the data, or null')
          .describe('The data; null: the data set does not exist.'),
      }),
    )
    .max(MAX_UNSAVED)
    .default([])
    .meta({ override: { default: [] }, description: 'Data sets with other data.' }),
}

type Unsaved = z.output<z.ZodObject<typeof unsavedFields>>

const WrittenMenuSchema = z.object({
  menu: MenuNamesSchema,
  total: z.int(),
  invalid: z.array(InvalidItemSchema).describe('Items that were left out.'),
})

const WrittenFrameSchema = FrameWriteResponseSchema.extend({
  site_id: siteId,
  dry_run: z.literal(true),
})

/** What the endpoints of the unsaved things return, in the order of the request. */
const UnsavedResultSchema = z.object({
  frames: z
    .array(WrittenFrameSchema)
    .describe('What a write of each unsaved frame returns, with the problems of its markup.'),
  menus: z.array(WrittenMenuSchema),
})

/**
 * Writes the unsaved things as their endpoints do, in the order in which writers lock them: menus and data sets before frames.
 * @throws AppError the first one of the endpoints in the order of separate requests (frames, assign, menus, data sets), with `unsaved`
 */
async function writeUnsaved(
  call: SiteWriteContext,
  tx: Tx,
  { frames, assign, menus, datasets, page }: Unsaved & { readonly page: number },
): Promise<{
  readonly result: z.output<typeof UnsavedResultSchema>
  readonly changes: readonly Change[]
}> {
  const changes: Change[] = []
  const run = (
    unsaved: string,
    target: Pick<PartialRequest, 'endpoint' | 'params'>,
    body: object,
  ): Promise<object> =>
    named(unsaved, async () => {
      const written = await runWithin(tx, call, { ...target, query: {}, body })
      if (written.change) changes.push(written.change)
      return written.body
    })
  const result: z.output<typeof UnsavedResultSchema> = { frames: [], menus: [] }
  const writeMenusAndDatasets = async (): Promise<void> => {
    for (const [index, { menu, ...body }] of menus.entries()) {
      const target = { endpoint: replaceMenuItemsEndpoint, params: { ref: menu } }
      const written = await run(`menus[${index}]`, target, body)
      result.menus.push(WrittenMenuSchema.parse(written))
    }
    for (const [index, { name, value }] of datasets.entries())
      await named(`datasets[${index}]`, async () => {
        changes.push(await previewDataset(call, tx, name, value))
      })
  }
  // Thrown later, because an error of a frame comes first. Anything but an answer of an endpoint ends the transaction.
  let refused: AppError | undefined
  await writeMenusAndDatasets().catch((error) => {
    if (!(error instanceof AppError)) throw error
    refused = error
  })
  const isStored = await findStored(call, tx, frames)
  for (const [index, { slug, html }] of frames.entries()) {
    const stored = isStored(slug)
    const target: Pick<PartialRequest, 'endpoint' | 'params'> = stored
      ? { endpoint: replaceFrameEndpoint, params: { ref: String(slug) } }
      : { endpoint: createFrameEndpoint, params: {} }
    const body = { ...(stored ? {} : { slug }), html }
    const written = await run(`frames[${index}]`, target, body)
    result.frames.push(WrittenFrameSchema.parse(written))
  }
  if (assign !== undefined)
    await run('assign', { endpoint: assignFrameEndpoint, params: { ref: assign } }, { page })
  if (refused) throw refused
  return { result, changes }
}

/** Tells which slugs are of stored frames. */
async function findStored(
  { site }: SiteWriteContext,
  tx: Tx,
  frames: Unsaved['frames'],
): Promise<(slug: unknown) => boolean> {
  if (frames.length === 0) return () => false
  const registry = decodeRegistry(await lockRegistry(tx, site))
  return (slug) => typeof slug === 'string' && registry.find(slug) !== undefined
}

/** Writes a data set as runs write theirs. */
async function previewDataset(
  { site }: SiteWriteContext,
  tx: Tx,
  name: string,
  value: unknown,
): Promise<Change> {
  const text = value === null ? undefined : JSON.stringify(value)
  await writeDataset(tx, site, name, text)
  return { bake: true, work: workOn('dataset', [name]) }
}

const named = <T>(unsaved: string, work: () => Promise<T>): Promise<T> =>
  asPart(work, {
    sentence: `This is the error of ${unsaved}. A preview stores nothing.`,
    fields: { unsaved },
  })

const BodySchema = objectBody(
  {
    page: pageField(
      'The page: its id, slug or path, or `/` for the front page. It may be a draft.',
    ),
    lang: languageField('Previews the translation of the page in this language.'),
    ...unsavedFields,
  },
  'page',
)

const PageSchema = z.object({
  id: z.int(),
  path: z.string().meta({ examples: ['about-us/team'] }),
  lang: z.string().nullable(),
  status: z.string().meta({ examples: ['publish'] }),
  title: field(z.string(), 'As stored; HTML.', 'Team'),
  url: z.string().meta({ examples: ['http://net.test/shop/about-us/team/'] }),
})

const ResponseSchema = z.object({
  page: PageSchema,
  frame: z
    .object({ id: z.string(), slug: z.string() })
    .describe('The frame that the page is built from.'),
  html: field(
    z.string(),
    'The page as a visitor would get it. It may contain scripts: show it in a sandboxed frame only.',
  ),
  warnings: z.array(z.string()).describe('Warnings of the build in the language of the page.'),
  unresolved: z
    .array(UnresolvedBindSchema)
    .describe('Binds of the page without a value or with an invalid name.'),
  problems: z
    .array(FrameProblemSchema)
    .describe('What is wrong in the unsaved frames, as plans and pushes report it.'),
  ...UnsavedResultSchema.shape,
  affected_frames: z
    .object({
      total: z.int(),
      items: z.array(
        z.object({
          id: z.string(),
          slug: z.string(),
          because: field(
            z.array(z.string()),
            'What it shows; `unsaved` if it is one of `frames`.',
            ['menus'],
          ),
        }),
      ),
    })
    .describe(`The frames that would be baked again, at most ${MAX_LISTED}, by slug.`),
  affected_pages: field(
    z.object({ total: z.int(), items: z.array(PageSchema) }),
    `The pages that would be built again, at most ${MAX_LISTED}, by id: those that visitors see. Some may stay as they are.`,
  ),
})

/** Previews of one user in a process. They read, but with a body of megabytes. */
export const PREVIEWS_OF_USER = {
  resource: 'other previews',
  concurrency: 4,
  concurrencyPerKey: 1,
  maxWaitingPerKey: 10,
}

/** Runs the writes of what is not saved in a transaction, builds the page within it, and rolls it back. */
const previewPageEndpoint = defineEndpoint({
  name: 'previewPage',
  method: 'post',
  path: '/preview',
  scope: 'read',
  repeatable: true,
  queue: PREVIEWS_OF_USER,
  summary: 'Show a page as it would be with unsaved frames, menus and data sets',
  description: `Nothing is stored. At most ${MAX_UNSAVED} frames, menus and data sets each, written as their own requests would write them, with the same rights and errors; an error has \`unsaved\`, which names the thing. A preview of frames needs the right to write markup (\`MARKUP_WRITERS\`). Writers of the site go first, and it is given up after ${TIMINGS.api.previewMs / 1000} seconds. A user has one preview at a time.`,
  body: BodySchema,
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  example: {
    page: 'about-us',
    frames: [{ slug: 'site-header', html: '<header></header>' }],
  },
  response: ResponseSchema,
  errors: [
    'page_required',
    'page_not_found',
    'ambiguous_page',
    'page_has_no_frame',
    'preview_too_slow',
    'unknown_language',
    'polylang_inactive',
    ...PREVIEWED_WRITES.flatMap(({ errors }) => errors),
  ],
  async read(call) {
    const { site, body } = call
    const markupAnalyzer = await analyzeAhead(call.markupAnalyzer(site), body.frames)
    const analyzed = { ...call, markupAnalyzer, isDryRun: true }
    const preview = await previewPage(call, site, {
      page: body.page,
      lang: body.lang,
      write: async (tx, { id }) => {
        const { result, changes } = await writeUnsaved(analyzed, tx, { ...body, page: id })
        const problems = await findUnsavedProblems(analyzed, tx, body.frames)
        return { result: { ...result, problems }, changes }
      },
    })
    const { page, url, frame, graph, written, affected } = preview
    const { frames, pages } = affected
    return pick(ResponseSchema, {
      ...preview,
      ...written,
      page: pick(PageSchema, { ...page, url }),
      frame: { id: frame.id, slug: frame.slug },
      frames: written.frames.map((one) => ({
        ...one,
        // A frame may embed one that comes later in the request.
        frame_refs_missing: one.frame_refs_missing.filter((ref) => !graph.registry.find(ref)),
      })),
      affected_frames: frames,
      affected_pages: {
        total: pages.total,
        items: pages.items.map((one) => pick(PageSchema, one)),
      },
    })
  },
})

export const endpoints: readonly Endpoint[] = [previewPageEndpoint]
