import { z } from 'zod'
import {
  BUNDLE_FIELDS,
  bundlesOf,
  DESCRIPTION_FIELDS,
  FormerSlugsSchema,
  SlugSchema,
} from '../../network/description/description.ts'

/** The name of the file that describes a network, and of its JSON Schema, in a folder. */
export const NETWORK_FILE = 'network.yaml'
export const SCHEMA_FILE = 'network.schema.json'

const PathSchema = z.string().min(1).max(1000)

/** Paths of files, relative to the folder. */
const filesOf = <Fields extends z.ZodRawShape>(fields: Fields) => {
  const entry = z.strictObject({ file: PathSchema, ...fields })
  return z
    .union([PathSchema, z.array(z.union([PathSchema, entry]))])
    .default([])
    .describe('Files of this folder; "*" in a file name means any characters.')
}

const FileBundleSchema = z.strictObject({
  frames: filesOf({
    slug: SlugSchema.optional().describe('The slug, if it is not the name of the file.'),
    formerly: FormerSlugsSchema,
  }),
  menus: filesOf({ formerly: FormerSlugsSchema }),
  ...BUNDLE_FIELDS,
})

/** The contents of `network.yaml`: a description whose frames and menus are files. */
export const NetworkFileSchema = z
  .strictObject({ ...DESCRIPTION_FIELDS, bundles: bundlesOf(FileBundleSchema) })
  .meta({ title: 'wp-frames network' })

export type NetworkFile = z.output<typeof NetworkFileSchema>
export type FileBundle = z.output<typeof FileBundleSchema>

/** The JSON Schema of `network.yaml`, for editors. */
export function networkFileSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(NetworkFileSchema, { io: 'input' }), null, 2)}\n`
}
