import type { Evaluation } from '../evaluation/evaluation.ts'
import type { PieceWriter, Scope } from '../evaluation/pieces.ts'
import type { Insert } from '../evaluation/program.ts'
import type { MenuChoice } from '../evaluation/values.ts'
import type { InsertNode, Params } from '../nodes.ts'
import type { Path } from '../value-path.ts'

/** Everything that the language knows about an insert. `INSERTS` lists the definitions. */
export type InsertDefinition = {
  /** The name after `svc/`, and aliases. */
  readonly kinds: readonly string[]
  /** What it reads of its JSON, for authors: editors offer these keys. */
  readonly parameters: readonly InsertParameter[]
  /** How it names a frame to embed; null if it embeds none. */
  readonly embeds: {
    /** The keys that name the frame, in order of precedence. */
    keys(insert: Pick<InsertNode, 'body'>): readonly ReferenceKey[]
    /** Whether all other keys are properties of the frame. */
    readonly passesProps: boolean
  } | null
  /** The value whose source the report lists; undefined if it reads none, or its path is invalid. */
  path(params: Params): Path | undefined
  /** Why it prints nothing, as far as that does not depend on the site: a sentence for the author. */
  missingInput(insert: InsertNode, found: FoundInput): string | undefined
  /** The data that is read before it is printed. */
  needs(insert: Insert): InsertNeeds
  /** The menu that the insert names by its id, slug or name. */
  menu?(params: Params): string | undefined
  /** Content of the site whose changes its output shows. Changes of what `path` reads need not be listed. */
  readonly shows: readonly TouchedContent[]
  /** Why it is printed on each page, if its path does not say so: an entry of `live_reasons`. */
  liveReason(params: Params): string | undefined
  /** Prints it as HTML, or defers it until the page is known. */
  print(insert: Insert, scope: Scope, evaluation: Evaluation, out: PieceWriter): void
}

/** A key of an insert's JSON. */
type InsertParameter = {
  readonly name: string
  /** What is written as its value. */
  readonly value: ParameterValue
  /** One sentence. */
  readonly description: string
}

export const PARAMETER_VALUES = [
  'frame',
  'path',
  'location',
  'menu',
  'language',
  'classes',
  'number',
  'boolean',
] as const

type ParameterValue = (typeof PARAMETER_VALUES)[number]

/** The keys that name a frame: `name`, or one of its aliases, in order of precedence. */
export const REFERENCE_KEYS = ['name', 'ref', 'frame', 'slug', 'id'] as const

export type ReferenceKey = (typeof REFERENCE_KEYS)[number]

/** What the parameters of an insert name. */
type FoundInput = { readonly path: Path | undefined; readonly hasReference: boolean }

type InsertNeeds = {
  readonly path?: Path | null
  readonly menu?: MenuChoice | undefined
  /** Fields of `page.*`. */
  readonly page?: readonly string[]
}

/** Content of a site, besides data sets and frames. */
export type TouchedContent = 'menus' | 'pages' | 'languages' | 'settings'
