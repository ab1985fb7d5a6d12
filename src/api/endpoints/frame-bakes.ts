import { z } from 'zod'
import { findDependents } from '../../build/baking/dependents.ts'
import { SiteData } from '../../build/baking/site-data.ts'
import {
  type CheckedFrame,
  findFrameProblems,
  indexedFrame,
  readKnownNames,
} from '../../content/frames/find-problems.ts'
import { assertReferencesAgree, parseMarkupInput } from '../../content/frames/frame-markup.ts'
import { listPublicFramePages } from '../../content/frames/frame-pages.ts'
import { readSiteGraph } from '../../content/frames/read-graph.ts'
import {
  decodeRegistry,
  lockRegistry,
  type Registry,
  readRegistry,
} from '../../content/frames/registry.ts'
import { parseSlug, slugParts } from '../../content/frames/slug.ts'
import { normalizeSlug } from '../../content/markup/insert-references.ts'
import { type Work, workOn, workOnEmbedders } from '../../content/work/work.ts'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../host/errors.ts'
import { listOf } from '../../host/php-list.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import { effectFields, FRAME_EFFECTS, flag, objectBody, presentEffects } from '../fields.ts'
import { asPart } from '../http-errors.ts'
import { MAX_LARGE_BODY_BYTES } from '../request-body.ts'
import {
  FrameNameSchema,
  FrameOfManySchema,
  FrameParamsSchema,
  FrameProblemSchema,
  MAX_UNSAVED_PROBLEMS,
  presentFrameProblems,
} from './frame-fields.ts'
import { ChangeImpactSchema, changeImpactOf, readPageNames } from './graph.ts'

/** Frames of one check. */
export const MAX_CHECKED_FRAMES = 1000

/** Checks of one user in a process: as large as previews, but shorter, and one is sent with each pause in typing. */
export const CHECKS_OF_USER = {
  resource: 'other checks',
  concurrency: 4,
  concurrencyPerKey: 1,
  maxWaitingPerKey: 10,
}

/** Finds the problems of markup while it is written. It takes no lock and builds nothing, unlike a preview. */
const checkFramesEndpoint = defineEndpoint({
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
    return { total: problems.length, problems: presentFrameProblems(problems) }
  },
})

const named = (index: number, work: () => Promise<void>): Promise<void> =>
  asPart(work, {
    sentence: `This is the error of frames[${index}]. A check stores nothing.`,
    fields: { unsaved: `frames[${index}]` },
  })

/** Maximum number of frames that one call builds. */
export const MAX_REBAKED_FRAMES = 25

const SELECTABLE_FIELDS = [
  'all',
  'menus',
  'pages',
  'languages',
  'settings',
  'datasets',
  'frames',
] as const

const NOTHING_FOUND = 'nothing_rebaked: no frame of the site shows what was named.'

const NamesSchema = z.preprocess(
  (sent) => listOf(sent ?? undefined),
  z
    .array(z.union([z.string().min(1), z.number().int()]).transform(String), {
      error: 'must be a list of names',
    })
    .max(1000)
    .default([]),
)

const namesField = (description: string, example: readonly string[]) =>
  NamesSchema.meta({ override: { default: [], examples: [example] }, description })

const RebakeBodySchema = objectBody({
  all: flag(false, 'All frames of the site.'),
  menus: flag(false, 'Frames that show menus.'),
  pages: flag(false, 'Frames that show pages, their titles and addresses.'),
  languages: flag(false, 'Frames that show the languages of the site.'),
  settings: flag(false, 'Frames that show settings of the site.'),
  datasets: namesField('Frames that read one of these data sets.', ['prices']),
  frames: namesField('Frames that embed one of these, named by slug or id.', ['site-header']),
  dry_run: flag(false, 'Report which frames would be built, but build nothing.'),
})

type RebakeBody = z.output<typeof RebakeBodySchema>

const selectionFields = {
  changed: z
    .partialRecord(z.enum(SELECTABLE_FIELDS), z.union([z.boolean(), z.array(z.string())]))
    .meta({ description: 'The selected fields.', examples: [{ menus: true }] }),
}

const rebakeFramesEndpoint = defineEndpoint({
  name: 'rebakeFrames',
  isOfContract: true,
  method: 'post',
  path: '/frames/rebake',
  summary: 'Build frames again on request',
  description: `At most ${MAX_REBAKED_FRAMES} frames per call, first the frames that are not built and the frames with an unpublished page. \`rebaked.skipped\` names the others. The same call, within ten minutes, continues with these; repeat it until \`skipped\` is empty.`,
  body: RebakeBodySchema,
  example: { menus: true },
  response: z.union([
    z.object({ ...selectionFields, ...effectFields }),
    z.object({
      ...selectionFields,
      dry_run: z.literal(true),
      impact: ChangeImpactSchema,
    }),
  ]),
  repeatable: true,
  mcpRunsDirectly: 'builds',
  errors: ['nothing_to_rebake', 'frame_unreadable', 'internal_unavailable'],
  async act({ db, executor, site, body, isDryRun }) {
    const selected = SELECTABLE_FIELDS.filter((field) => isSelected(body[field]))
    if (selected.length === 0) {
      throw new AppError(
        'nothing_to_rebake',
        `Nothing is selected. Send at least one of ${SELECTABLE_FIELDS.join(', ')}.`,
      )
    }
    const work = workDeclaredBy(body, await readRegistry(db, site))
    const selection = {
      changed: Object.fromEntries(selected.map((field) => [field, body[field]])),
    }
    if (isDryRun)
      return { ...selection, dry_run: true, impact: await foretell(db, site, work) } as const
    const effects = await executor.rebake(site, { work, limit: MAX_REBAKED_FRAMES })
    const warnings = effects.rebaked.total === 0 && !effects.pending ? [NOTHING_FOUND] : []
    return { ...selection, warnings, ...presentEffects(site, effects) }
  },
})

/** A bake by itself, for who wants to see it: whatever a write changes is baked by the write. */
const rebakeFrameEndpoint = defineEndpoint({
  name: 'rebakeFrame',
  method: 'post',
  path: '/frames/:ref/rebake',
  summary: 'Bake a frame if it is not up to date, and publish its pages',
  description: 'Also the frames that embed it.',
  params: FrameParamsSchema,
  body: objectBody({}),
  response: z.object({ frame: FrameNameSchema }),
  repeatable: true,
  isTool: false,
  errors: ['frame_ref_required', 'frame_not_found', 'frame_unreadable'],
  effects: FRAME_EFFECTS,
  async write(tx, { site, params }) {
    const { id, slug } = decodeRegistry(await lockRegistry(tx, site)).get(params.ref)
    return {
      body: { frame: { id, slug, ...slugParts(slug) } },
      change: { bake: true, work: workOn('frame', [id]), frame: id },
    }
  },
})

/** What `executor.rebake` would choose from, if it had no limit. */
async function foretell(db: Db, site: Site, work: readonly Work[]) {
  const dependents = findDependents(await readSiteGraph(db, site), work)
  const impact = changeImpactOf(dependents, await listPublicFramePages(db, site))
  return impact.present(await readPageNames(new SiteData(db, site), impact.pageIds))
}

const isSelected = (value: boolean | readonly string[]): boolean =>
  typeof value === 'boolean' ? value : value.length > 0

/** What the body declares as changed. It may name a deleted frame: others may still embed it. */
function workDeclaredBy(body: RebakeBody, registry: Registry): Work[] {
  const kinds = ['all', 'menus', 'pages', 'languages', 'settings'] as const
  return [
    ...kinds.flatMap((kind) => (body[kind] ? workOn(kind) : [])),
    ...workOn('dataset', body.datasets),
    ...body.frames.flatMap((ref) => {
      const { id, slug } = registry.find(ref) ?? { id: ref, slug: normalizeSlug(ref) }
      return workOnEmbedders(id, [slug])
    }),
  ]
}

export const endpoints: readonly Endpoint[] = [
  rebakeFramesEndpoint,
  checkFramesEndpoint,
  rebakeFrameEndpoint,
]
