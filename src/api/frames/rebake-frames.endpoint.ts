import { z } from 'zod'
import type { Touched } from '../../change.ts'
import { AppError } from '../../errors.ts'
import { type Registry, readRegistry } from '../../frames/registry.ts'
import { normalizeSlug } from '../../markup/insert-references.ts'
import { defineEndpoint } from '../endpoint.ts'
import { effectFields, flag, presentEffects, siteId } from '../fields.ts'
import { frameBodyOf } from './frame-request.ts'

/** Maximum number of frames that one call builds (contract, section 8). */
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

const NamesSchema = z
  .array(z.union([z.string().min(1), z.number().int()]).transform(String), {
    error: 'must be a list of names',
  })
  .max(1000)
  .default([])

const namesField = (description: string, example: readonly string[]) =>
  NamesSchema.meta({ override: { default: [], examples: [example] }, description })

const RebakeBodySchema = frameBodyOf({
  all: flag(false, 'All frames of the site.'),
  menus: flag(false, 'Frames that show menus.'),
  pages: flag(false, 'Frames that show pages, their titles and addresses.'),
  languages: flag(false, 'Frames that show the languages of the site.'),
  settings: flag(false, 'Frames that show settings of the site.'),
  datasets: namesField('Frames that read one of these data sets.', ['prices']),
  frames: namesField('Frames that embed one of these, named by slug or id.', ['site-header']),
})

type RebakeBody = z.output<typeof RebakeBodySchema>

/** Contract, section 4.1.8. */
export const rebakeFramesEndpoint = defineEndpoint({
  name: 'rebakeFrames',
  method: 'post',
  path: '/frames/rebake',
  summary: 'Build frames again on request',
  description: `At most ${MAX_REBAKED_FRAMES} frames per call, first the frames that are not built and the frames with an unpublished page. \`rebaked.skipped\` names the others: call again for these.`,
  body: RebakeBodySchema,
  example: { menus: true },
  response: z.object({
    site_id: siteId,
    changed: z
      .partialRecord(z.enum(SELECTABLE_FIELDS), z.union([z.boolean(), z.array(z.string())]))
      .meta({ description: 'The selected fields.', examples: [{ menus: true }] }),
    ...effectFields,
  }),
  repeatable: true,
  errors: ['nothing_to_rebake', 'frame_unreadable', 'internal_unavailable'],
  async handle({ db, executor, site, body }) {
    const selected = SELECTABLE_FIELDS.filter((field) => isSelected(body[field]))
    if (selected.length === 0) {
      throw new AppError(
        'nothing_to_rebake',
        `Nothing is selected. Send at least one of ${SELECTABLE_FIELDS.join(', ')}.`,
      )
    }
    const touched = touchedBy(body, await readRegistry(db, site))
    const effects = await executor.rebake(site, {
      touched,
      all: body.all,
      limit: MAX_REBAKED_FRAMES,
    })
    return {
      site_id: site.blogId,
      changed: Object.fromEntries(selected.map((field) => [field, body[field]])),
      ...presentEffects(site, effects),
    }
  },
})

const isSelected = (value: boolean | readonly string[]): boolean =>
  typeof value === 'boolean' ? value : value.length > 0

/** What the body declares as changed. It may name a deleted frame: others may still embed it. */
function touchedBy(body: RebakeBody, registry: Registry): Touched[] {
  const kinds = ['menus', 'pages', 'languages', 'settings'] as const
  return [
    ...kinds.filter((kind) => body[kind]).map((kind) => ({ kind })),
    ...body.datasets.map((name) => ({ kind: 'dataset', name }) as const),
    ...body.frames.map((ref) => {
      const { id, slug } = registry.find(ref) ?? { id: ref, slug: normalizeSlug(ref) }
      return { kind: 'frame', id, slugs: [slug] } as const
    }),
  ]
}
