import * as jobs from '../../../../src/build/baking/bakery/bake-jobs.ts'
import {
  type EvaluationLimits,
  FULL_LIMITS,
} from '../../../../src/content/markup/evaluation/budget.ts'
import { compileMarkup } from '../../../../src/content/markup/evaluation/compile.ts'
import {
  decodePieces,
  type Piece,
  PieceWriter,
} from '../../../../src/content/markup/evaluation/pieces.ts'
import type { Value } from '../../../../src/content/markup/evaluation/program.ts'
import { startEvaluation } from '../../../../src/content/markup/evaluation/start-evaluation.ts'
import type {
  MenuItemValue,
  MenuValue,
  Values,
} from '../../../../src/content/markup/evaluation/values.ts'
import { parseMarkup } from '../../../../src/content/markup/parse-markup.ts'
import type { UnresolvedBind } from '../../../../src/host/effects.ts'

/** Limits without the clock, so that results do not depend on the load of the machine. */
const LIMITS: EvaluationLimits = { ...FULL_LIMITS, milliseconds: Number.POSITIVE_INFINITY }

export const NO_VALUES: Values = {
  lang: null,
  site: {},
  settings: {},
  pages: [],
  languages: [],
  menus: {},
  datasets: {},
}

/** Markup by slug; the first frame is printed. A single text is the frame `page`. */
export type Frames = string | Readonly<Record<string, string>>

export type PrintOptions = {
  readonly values?: Partial<Values>
  /** Values of `page.*`; if undefined, the frame is baked only. */
  readonly page?: Readonly<Record<string, Value>>
}

export type Printed = {
  /** The HTML of the page; without a page, the finished part of the copy. */
  readonly html: string
  readonly pieces: readonly Piece[]
  readonly live: boolean
  readonly unresolved: readonly UnresolvedBind[]
  readonly warnings: readonly string[]
}

export function sourcesOf(frames: Frames): (jobs.FrameSource & { readonly html: string })[] {
  const bySlug = typeof frames === 'string' ? { page: frames } : frames
  return Object.entries(bySlug).map(([slug, html]) => ({ id: idOf(slug), slug, html }))
}

/** 16 characters, as ids have. */
const idOf = (slug: string): string => Buffer.from(slug.padEnd(8)).toString('hex').slice(0, 16)

/** Bakes, encodes, decodes and finishes, as for every page. */
export function print(frames: Frames, { values = {}, page }: PrintOptions = {}): Printed {
  const all = { ...NO_VALUES, ...values }
  const sources = sourcesOf(frames)
  const programs = jobs.createPrograms()
  const job = { frames: sources, languages: [{ lang: null, values: all }] }
  const { languages, body } = jobs.bake(job, programs, LIMITS)
  const [language] = languages
  if (!language) throw new Error('nothing was baked')
  const pieces = decodePieces(body, 0)
  const { listIds, live, unresolved, warnings } = language
  const html = page
    ? jobs.finish({ pieces, frames: sources, values: all, page, listIds }, programs, LIMITS).html
    : pieces.filter((piece) => typeof piece === 'string').join('')
  return { html, pieces, live, unresolved, warnings }
}

/** Prints in one step, with the page known from the start. */
export function printAtOnce(frames: Frames, { values = {}, page = {} }: PrintOptions = {}): string {
  const sources = sourcesOf(frames)
  const compiled = new Map(
    sources.flatMap(({ id, slug, html }) => {
      const frame = { slug, program: compileMarkup(parseMarkup(html)).program }
      return [[id, frame] as const, [slug, frame] as const]
    }),
  )
  const { evaluation } = startEvaluation(
    { values: { ...NO_VALUES, ...values }, page, findFrame: (ref) => compiled.get(ref) },
    LIMITS,
  )
  const out = new PieceWriter(evaluation.budget)
  const [root] = compiled.values()
  if (root) evaluation.evaluate(root.program, { frames: [root.slug], props: {} }, out)
  return out.pieces().join('')
}

/** A menu item; missing fields get the values of a custom link. */
export function item(fields: Partial<MenuItemValue> & { id: number }): MenuItemValue {
  return {
    parent: 0,
    title: `Item ${fields.id}`,
    url: `https://example.com/${fields.id}`,
    type: 'custom',
    object: 'custom',
    objectId: fields.id,
    target: '',
    classes: [''],
    attrTitle: '',
    xfn: '',
    marks: [],
    switcher: null,
    ...fields,
  }
}

export function menu(items: readonly MenuItemValue[]): MenuValue {
  const hasSwitcher = items.some(({ switcher }) => switcher !== null)
  return { id: 1, name: 'Main', slug: 'main', home: 'https://example.com/', hasSwitcher, items }
}
