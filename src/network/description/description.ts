import { z } from 'zod'
import { MAX_SLUG_LENGTH } from '../../content/frames/slug.ts'
import { MAX_TEXT_BYTES } from '../../content/menus/item-tree.ts'
import { OWNERSHIPS } from './desired-site.ts'
import type { Variables } from './variables.ts'

/** Maximum number of bundles, and of selections. */
export const MAX_SELECTIONS = 1000
/** Maximum number of values of one criterion. */
export const MAX_CRITERION_VALUES = 1000
/** Maximum number of former slugs of a frame or menu. */
const MAX_FORMER_SLUGS = 100
/** Maximum number of variables of a site, and of characters of a value. */
export const MAX_VARIABLES = 100
export const MAX_VARIABLE_LENGTH = 10_000

/** Maximum number of characters of a title, and of a text that is replaced. */
const MAX_TITLE_LENGTH = 200
const MAX_REPLACED_LENGTH = 10_000

/** Is left out of the lists of tools of models, see `src/api/mcp`. */
const RARE = { 'x-rare': true }

/** A number is accepted as a text, because YAML reads a text of digits as a number. */
const text = (maxLength: number) =>
  z
    .union([z.string(), z.number()])
    .transform(String)
    .refine((value) => value.isWellFormed(), 'must consist of valid Unicode characters')
    .refine((value) => value.length <= maxLength, `must have at most ${maxLength} characters`)

/** The name of a description or of a bundle. */
const NameSchema = z
  .string()
  .regex(
    /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/,
    'must consist of lower-case letters, digits and single hyphens',
  )
  .max(64)

export const SlugSchema = text(MAX_SLUG_LENGTH)
export const FormerSlugsSchema = z
  .array(SlugSchema)
  .max(MAX_FORMER_SLUGS)
  .default([])
  .describe('Former slugs: what has one of them is renamed instead of created.')

const VariablesSchema = z
  .record(
    z
      .string()
      .regex(
        /^[a-z][a-z0-9_]*$/,
        'must begin with a lower-case letter and consist of lower-case letters, digits and "_"',
      ),
    text(MAX_VARIABLE_LENGTH),
  )
  .refine(
    (variables) => Object.keys(variables).length <= MAX_VARIABLES,
    `must have at most ${MAX_VARIABLES} variables`,
  )
  .default({})
  .describe('Texts for `{{ name }}` in menus, and the data set `variables` for markup.')

const PagePathSchema = z.string().max(4096)
const FrameOfPageSchema = SlugSchema.nullable().describe(
  'The slug of the frame; null if the page has none.',
)

/** The frames of pages, by path; a list for pages that share a path in several languages. */
const PagesSchema = z
  .union([
    z
      .record(PagePathSchema, FrameOfPageSchema)
      .transform((pages) => Object.entries(pages).map(([path, frame]) => ({ path, frame }))),
    z.array(
      z.strictObject({
        path: PagePathSchema,
        lang: SlugSchema.optional().describe('The code of the language.'),
        frame: FrameOfPageSchema,
      }),
    ),
  ])
  .default([])
  .describe('The frame of each page, by the path of the page below the address of the site.')

const FrameSchema = z
  .strictObject({
    slug: SlugSchema,
    html: z.string().optional().describe('The markup; not of a frame that is `absent`.'),
    absent: z.literal(true).optional().describe('The frame is deleted.'),
    formerly: FormerSlugsSchema,
    id: z
      .string()
      .max(64)
      .optional()
      .describe(
        'The frame with this id, whatever its slug is now: it gets `slug` only if `formerly` has the slug that was seen. Without such a frame, that with the slug.',
      )
      .meta(RARE),
    before: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower-case hexadecimal digits')
      .nullable()
      .optional()
      .describe(
        'SHA-256 of the markup that was seen, null for no frame. A site on which another program or person has changed it since has the problem `conflict` [it is not compared].',
      )
      .meta(RARE),
  })
  .refine(({ html, absent }) => absent || html !== undefined, {
    path: ['html'],
    message: 'is missing; it must be a text',
  })
  .refine(({ html, absent }) => !absent || html === undefined, {
    path: ['html'],
    message: 'must not be there: the frame is absent',
  })

/** The contents of a menu file as `readMenuFile` reads it, with what a description says besides. */
const MenuSchema = z.looseObject({
  name: text(MAX_TEXT_BYTES),
  slug: SlugSchema,
  formerly: FormerSlugsSchema,
  lang: SlugSchema.optional()
    .describe('Its items link the translations in this language.')
    .meta(RARE),
  allow_invalid: z
    .boolean()
    .optional()
    .describe('Items on unpublished pages are left out, with the items below them [a problem].')
    .meta(RARE),
  may_replace: z
    .boolean()
    .optional()
    .describe('False: an existing menu with other contents is a problem [it is replaced].')
    .meta(RARE),
  adapt: z
    .boolean()
    .optional()
    .describe(
      'The menu gets a number if another one has its name [a problem], and is not assigned to locations of themes that the site does not use [it is].',
    )
    .meta(RARE),
})

/** The fields of a bundle that are the same in a description and in `network.yaml`. */
export const BUNDLE_FIELDS = { pages: PagesSchema, variables: VariablesSchema }

/**
 * Options that selections can compare besides labels: visitors can see all of them. Others may contain secrets, which a caller could guess
 * value by value.
 */
const PUBLIC_OPTIONS = [
  'blog_public',
  'blogdescription',
  'blogname',
  'home',
  'permalink_structure',
  'show_on_front',
  'stylesheet',
  'template',
  'WPLANG',
]
/** A label: an option that exists to be selected by. */
const LABEL_PREFIX = 'svc_label_'

const OptionNameSchema = z
  .string()
  .max(191)
  .regex(
    new RegExp(`^(?:${PUBLIC_OPTIONS.join('|')}|${LABEL_PREFIX}[a-z0-9_]+)$`),
    `must be one of ${PUBLIC_OPTIONS.join(', ')}, or begin with ${LABEL_PREFIX}`,
  )

/** One value or several, of which one must match. */
const oneOrMore = <Value extends z.ZodType>(value: Value) =>
  z
    .union([value, z.array(value).min(1).max(MAX_CRITERION_VALUES)])
    .transform((values): z.output<Value>[] => (Array.isArray(values) ? values : [values]))

const MatchSchema = z
  .strictObject({
    id: oneOrMore(z.int().positive()).optional().describe('Ids of sites.'),
    address: oneOrMore(z.string().min(1).max(500))
      .optional()
      .describe('Host and path, such as net.test/shop. "*" means any characters.'),
    theme: oneOrMore(text(191)).optional().describe('Folder names of themes.'),
    language: oneOrMore(text(64))
      .optional()
      .describe('Default language: its code with Polylang, such as fr, otherwise also its locale.'),
    option: z
      .record(OptionNameSchema, oneOrMore(text(MAX_VARIABLE_LENGTH)))
      .optional()
      .describe(`Stored values of public options, and of options named ${LABEL_PREFIX}….`),
  })
  .refine((match) => Object.keys(match).length > 0, {
    message: 'must have a criterion; "address: \'*\'" selects all sites',
  })

export type Criteria = z.output<typeof MatchSchema>

const SelectionSchema = z.strictObject({
  match: MatchSchema.describe('Sites for which all of these hold.'),
  bundles: z.array(NameSchema).max(MAX_SELECTIONS).default([]).describe('What these sites get.'),
  manages: z.enum(OWNERSHIPS).optional().describe('Replaces `manages` of the description.'),
  variables: VariablesSchema,
})

/** The fields of a description besides `bundles`, which are the same in `network.yaml`. */
export const DESCRIPTION_FIELDS = {
  version: z.literal(1).describe('The version of this format.'),
  name: NameSchema.describe('Names the description: its runs and drift are found by it.'),
  manages: z
    .enum(OWNERSHIPS)
    .default('named')
    .describe('all: what is not described is deleted. named: it is left alone.'),
  sites: z
    .array(SelectionSchema)
    .min(1)
    .max(MAX_SELECTIONS)
    .describe('Which sites get which bundles.'),
}

/** Bundles by name. */
export const bundlesOf = <Bundle extends z.ZodType>(bundle: Bundle) =>
  z
    .record(NameSchema, bundle)
    .refine(
      (bundles) => Object.keys(bundles).length <= MAX_SELECTIONS,
      `must have at most ${MAX_SELECTIONS} bundles`,
    )

const BundleSchema = z.strictObject({
  frames: z.array(FrameSchema).default([]),
  menus: z.array(MenuSchema).default([]),
  ...BUNDLE_FIELDS,
})

/** What many sites should have, as data: all files of a folder are inline. */
export const DescriptionSchema = z.strictObject({
  ...DESCRIPTION_FIELDS,
  bundles: bundlesOf(BundleSchema).default({}).describe('What sites can get, by name.'),
  title: text(MAX_TITLE_LENGTH)
    .optional()
    .describe(
      'What a single change does, for readers: `Push of frames`. Later changes of these sites are no drift.',
    )
    .meta(RARE),
  replace: z
    .strictObject({
      from: text(MAX_REPLACED_LENGTH).refine((from) => from !== '', 'must not be empty'),
      to: text(MAX_REPLACED_LENGTH),
    })
    .optional()
    .describe(
      'Instead of `bundles`: replaces a text, exactly as it is written, in markup and in the addresses of custom links.',
    ),
})

export type Description = z.output<typeof DescriptionSchema>
export type Bundle = z.output<typeof BundleSchema>
export type Selection = z.output<typeof SelectionSchema>

/** The variables in the text of a site's data set `variables`; undefined if it has another form. */
export function parseVariables(json: string): Variables | undefined {
  try {
    return VariablesSchema.safeParse(JSON.parse(json)).data
  } catch {
    return undefined
  }
}

export function isDescriptionName(text: string): boolean {
  return NameSchema.safeParse(text).success
}
