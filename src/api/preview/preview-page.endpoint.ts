import { z } from 'zod'
import { UnresolvedBindSchema } from '../../effects.ts'
import { MAX_LISTED } from '../../preview/affected.ts'
import { previewPage } from '../../preview/preview-page.ts'
import { TIMINGS } from '../../timings.ts'
import { defineEndpoint } from '../endpoint.ts'
import { objectBody, pageField, siteId } from '../fields.ts'
import { FrameProblemSchema } from '../frames/frame-problem.ts'
import { analyzeAhead } from '../frames/frame-request.ts'
import { languageField } from '../menus/menu-fields.ts'
import { pick } from '../pick.ts'
import { MAX_LARGE_BODY_BYTES } from '../request-body.ts'
import { findUnsavedProblems } from './unsaved-problems.ts'
import {
  MAX_UNSAVED,
  PREVIEWED_WRITES,
  UnsavedResultSchema,
  unsavedFields,
  writeUnsaved,
} from './unsaved-things.ts'

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
  title: z.string().meta({ description: 'As stored; HTML.', examples: ['Team'] }),
  url: z.string().meta({ examples: ['http://net.test/shop/about-us/team/'] }),
})

const ResponseSchema = z.object({
  site_id: siteId,
  page: PageSchema,
  frame: z
    .object({ id: z.string(), slug: z.string() })
    .describe('The frame that the page is built from.'),
  html: z
    .string()
    .describe(
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
          because: z.array(z.string()).meta({
            description: 'What it shows; `unsaved` if it is one of `frames`.',
            examples: [['menus']],
          }),
        }),
      ),
    })
    .describe(`The frames that would be baked again, at most ${MAX_LISTED}, by slug.`),
  affected_pages: z
    .object({ total: z.int(), items: z.array(PageSchema) })
    .describe(
      `The pages that would be built again, at most ${MAX_LISTED}, by id: those that visitors see. Some may stay as they are.`,
    ),
})

/** Runs the writes of what is not saved in a transaction, builds the page within it, and rolls it back. */
/** Previews of one user in a process. They read, but with a body of megabytes. */
export const PREVIEWS_OF_USER = {
  resource: 'other previews',
  concurrency: 4,
  concurrencyPerKey: 1,
  maxWaitingPerKey: 10,
}

export const previewPageEndpoint = defineEndpoint({
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
    ...new Set([
      ...(['page_required', 'page_not_found', 'ambiguous_page'] as const),
      ...(['page_has_no_frame', 'preview_too_slow'] as const),
      ...(['unknown_language', 'polylang_inactive'] as const),
      ...PREVIEWED_WRITES.flatMap(({ errors }) => errors),
    ]),
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
      site_id: site.blogId,
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
