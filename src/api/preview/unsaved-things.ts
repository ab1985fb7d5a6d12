import { z } from 'zod'
import type { Tx } from '../../db/transaction.ts'
import { AppError } from '../../errors.ts'
import { datasetOption } from '../../frames/option-names.ts'
import { decodeRegistry, lockRegistry } from '../../frames/registry.ts'
import { writeDataset } from '../../frames/write-dataset.ts'
import type { Change } from '../../work/change.ts'
import { workOn } from '../../work/work.ts'
import { fieldOfPart } from '../coded-fields.ts'
import type { SiteWriteContext } from '../endpoint.ts'
import { assignFrameEndpoint } from '../frames/assign-frame.endpoint.ts'
import { createFrameEndpoint } from '../frames/create-frame.endpoint.ts'
import { FrameOfManySchema } from '../frames/frame-request.ts'
import { FrameWriteResponseSchema } from '../frames/frame-response.ts'
import { replaceFrameEndpoint } from '../frames/replace-frame.endpoint.ts'
import { asPart } from '../http-errors.ts'
import {
  allowInvalidField,
  itemsField,
  keepField,
  MenuParamsSchema,
  scopeFields,
} from '../menus/menu-fields.ts'
import { InvalidItemSchema, MenuNamesSchema } from '../menus/present-menu.ts'
import { replaceMenuItemsEndpoint } from '../menus/replace-items.endpoint.ts'
import { type PartialRequest, runWithin } from '../run/run.ts'

/** Unsaved frames, menus and data sets of a preview, each. */
export const MAX_UNSAVED = 50

/** The endpoints whose writes a preview runs. */
export const PREVIEWED_WRITES = [
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

export const unsavedFields = {
  frames: z
    .array(FrameOfManySchema)
    .max(MAX_UNSAVED)
    .default([])
    .meta({ override: { default: [] }, description: 'Frames with new markup, and new frames.' }),
  assign: z
    .string()
    .optional()
    .describe('The slug or id of a frame: previews the page with it, instead of its own.'),
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

export type Unsaved = z.output<z.ZodObject<typeof unsavedFields>>

const WrittenMenuSchema = z.object({
  menu: MenuNamesSchema,
  total: z.int(),
  invalid: z.array(InvalidItemSchema).describe('Items that were left out.'),
})

const WrittenFrameSchema = FrameWriteResponseSchema.extend({ dry_run: z.literal(true) })

/** What the endpoints of the unsaved things return, in the order of the request. */
export const UnsavedResultSchema = z.object({
  frames: z
    .array(WrittenFrameSchema)
    .describe('What a write of each unsaved frame returns, with the problems of its markup.'),
  menus: z.array(WrittenMenuSchema),
})

/**
 * Writes the unsaved things with the handlers of their endpoints, in the order in which writers lock them: menus and data sets before frames.
 * @throws AppError the first one of the endpoints in the order of separate requests (frames, assign, menus, data sets), with `unsaved`
 */
export async function writeUnsaved(
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
