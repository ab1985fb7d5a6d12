import { z } from 'zod'
import { type CheckedFrame, findFrameProblems, indexedFrame } from '../../frames/find-problems.ts'
import { assertReferencesAgree, parseMarkupInput } from '../../frames/frame-markup.ts'
import { readKnownNames } from '../../frames/known-names.ts'
import { readSiteGraph } from '../../frames/read-graph.ts'
import { parseSlug } from '../../frames/slug.ts'
import { defineEndpoint } from '../endpoint.ts'
import { objectBody, siteId } from '../fields.ts'
import { asPart } from '../http-errors.ts'
import { MAX_LARGE_BODY_BYTES } from '../request-body.ts'
import { FrameProblemSchema, MAX_UNSAVED_PROBLEMS, presentFrameProblems } from './frame-problem.ts'
import { FrameOfManySchema } from './frame-request.ts'

/** Frames of one check. */
export const MAX_CHECKED_FRAMES = 50

/** Checks of one user in a process: as large as previews, but shorter, and one is sent with each pause in typing. */
export const CHECKS_OF_USER = {
  resource: 'other checks',
  concurrency: 4,
  concurrencyPerKey: 1,
  maxWaitingPerKey: 10,
}

/** Finds the problems of markup while it is written. It takes no lock and builds nothing, unlike a preview. */
export const checkFramesEndpoint = defineEndpoint({
  name: 'checkFrames',
  method: 'post',
  path: '/frames/check',
  scope: 'read',
  repeatable: true,
  queue: CHECKS_OF_USER,
  summary: 'Find what is wrong in unsaved frames',
  description: `Nothing is stored or built. The problems are those of plans, pushes and previews; what a write would refuse is an error, whose \`unsaved\` names the frame. At most ${MAX_CHECKED_FRAMES} frames.`,
  body: objectBody(
    {
      frames: z
        .array(FrameOfManySchema)
        .max(MAX_CHECKED_FRAMES)
        .describe('Frames with new markup, and new frames.'),
    },
    'frames',
  ),
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  example: { frames: [{ slug: 'site-header', html: '<!-- svc/menu {"location":"heder"} /-->' }] },
  response: z.object({
    site_id: siteId,
    total: z.int().describe('Number of problems.'),
    problems: z
      .array(FrameProblemSchema)
      .describe(`The first ${MAX_UNSAVED_PROBLEMS}, frame by frame, in the order of the markup.`),
  }),
  errors: [
    'invalid_slug',
    'frame_html_required',
    'frame_too_large',
    'frame_charset_unsupported',
    'frame_ref_conflict',
  ],
  async read({ db, site, body, markupAnalyzer }) {
    const before = await readSiteGraph(db, site)
    const analyzer = markupAnalyzer(site)
    const checked: CheckedFrame[] = []
    for (const [index, frame] of body.frames.entries())
      await named(index, async () => {
        const slug = parseSlug(frame.slug)
        const report = await analyzer.analyze(parseMarkupInput(frame.html))
        checked.push({ ...(before.registry.find(slug) ?? { id: `new ${slug}`, slug }), report })
      })
    const graph = before.with(checked.map(indexedFrame))
    for (const [index, { report }] of checked.entries())
      await named(index, async () => assertReferencesAgree(report.aliases, graph.registry))
    const names = checked.flatMap(({ report }) => report.names)
    const known = await readKnownNames(db, site, names)
    const problems = await findFrameProblems(checked, graph, known)
    return {
      site_id: site.blogId,
      total: problems.length,
      problems: presentFrameProblems(problems),
    }
  },
})

const named = (index: number, work: () => Promise<void>): Promise<void> =>
  asPart(work, {
    sentence: `This is the error of frames[${index}]. A check stores nothing.`,
    fields: { unsaved: `frames[${index}]` },
  })
