import { z } from 'zod'
import type { Touched } from '../../change.ts'
import { AppError } from '../../errors.ts'
import { type Registry, readRegistry } from '../../frames/registry.ts'
import { normalizeSlug } from '../../frames/slug.ts'
import { defineEndpoint } from '../endpoint.ts'
import { flag } from '../flag.ts'

/** Frames that one call builds (contract, section 8). */
const MAX_FRAMES = 25

const FIELDS = ['all', 'menus', 'pages', 'languages', 'settings', 'datasets', 'frames'] as const

const Names = z
  .array(z.union([z.string().min(1), z.number().int()]).transform(String), {
    error: 'must be a list of names',
  })
  .max(1000)
  .default([])

const RebakeBodySchema = z.preprocess(
  (body) => body ?? {},
  z.object({
    all: flag(false),
    menus: flag(false),
    pages: flag(false),
    languages: flag(false),
    settings: flag(false),
    datasets: Names,
    frames: Names,
  }),
)

type RebakeBody = z.output<typeof RebakeBodySchema>

/** Contract, section 4.1.8. */
export const rebakeFrames = defineEndpoint({
  method: 'post',
  path: '/frames/rebake',
  summary: 'Build frames again by hand',
  body: RebakeBodySchema,
  async handle({ db, executor, site, body }) {
    const selected = FIELDS.filter((field) => isSelected(body[field]))
    if (selected.length === 0) {
      throw new AppError(
        'nothing_to_rebake',
        `Nothing is selected. Send at least one of ${FIELDS.join(', ')}.`,
      )
    }
    const touched = touchedBy(body, await readRegistry(db, site))
    const { rebaked } = await executor.apply(site, {
      bake: true,
      touched,
      pages: [],
      all: body.all,
      limit: MAX_FRAMES,
    })
    return {
      success: true,
      site_id: site.blogId,
      changed: Object.fromEntries(selected.map((field) => [field, body[field]])),
      rebaked,
    }
  },
})

const isSelected = (value: boolean | readonly string[]): boolean =>
  typeof value === 'boolean' ? value : value.length > 0

/** What is said to have changed. A frame that is gone may be named too: others may still embed it. */
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
