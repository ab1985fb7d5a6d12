import * as jobs from '../../src/baking/bakery/bake-jobs.ts'
import { FULL_LIMITS } from '../../src/baking/budget.ts'
import { compileMarkup } from '../../src/baking/compile.ts'
import { decodePieces, type Piece, PieceWriter } from '../../src/baking/pieces.ts'
import type { Value } from '../../src/baking/program.ts'
import { startRun } from '../../src/baking/start-run.ts'
import type { MenuItemValue, MenuValue, Values } from '../../src/baking/values.ts'
import type { UnresolvedBind } from '../../src/change.ts'
import { parseMarkup } from '../../src/markup/parse-markup.ts'

export const NO_VALUES: Values = {
  lang: null,
  site: {},
  settings: {},
  pages: [],
  languages: [],
  menus: {},
  datasets: {},
}

/** Markup by slug; the first one is printed. A single text is a frame called `page`. */
export type Frames = string | Readonly<Record<string, string>>

export type Surroundings = {
  readonly values?: Partial<Values>
  /** What `page.*` gives; undefined bakes only. */
  readonly page?: Readonly<Record<string, Value>>
}

export type Printed = {
  /** What a visitor gets, or as much of it as is finished without a page. */
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
export const idOf = (slug: string): string =>
  Buffer.from(slug.padEnd(8)).toString('hex').slice(0, 16)

/** Bakes, stores, reads again and finishes: the way of every page. */
export function print(frames: Frames, { values = {}, page }: Surroundings = {}): Printed {
  const all = { ...NO_VALUES, ...values }
  const sources = sourcesOf(frames)
  const programs = jobs.createPrograms()
  const job = { frames: sources, languages: [{ lang: null, values: all }] }
  const { languages, body } = jobs.bake(job, programs, FULL_LIMITS)
  const [language] = languages
  if (!language) throw new Error('nothing was baked')
  const pieces = decodePieces(body, 0)
  const { listIds, live, unresolved, warnings } = language
  const html = page
    ? jobs.finish({ pieces, frames: sources, values: all, page, listIds }, programs, FULL_LIMITS)
        .html
    : pieces.filter((piece) => typeof piece === 'string').join('')
  return { html, pieces, live, unresolved, warnings }
}

/** Prints in one go, the page known from the start. */
export function printAtOnce(frames: Frames, { values = {}, page = {} }: Surroundings = {}): string {
  const sources = sourcesOf(frames)
  const compiled = new Map(
    sources.flatMap(({ id, slug, html }) => {
      const frame = { slug, program: compileMarkup(parseMarkup(html)).program }
      return [[id, frame] as const, [slug, frame] as const]
    }),
  )
  const { run } = startRun(
    { values: { ...NO_VALUES, ...values }, page, findFrame: (ref) => compiled.get(ref) },
    FULL_LIMITS,
  )
  const out = new PieceWriter(run.budget)
  const [root] = compiled.values()
  if (root) run.evaluate(root.program, { frames: [root.slug], props: {} }, out)
  return out.pieces().join('')
}

/** A menu item; whatever is not given is as an item of a custom link has it. */
export function item(given: Partial<MenuItemValue> & { id: number }): MenuItemValue {
  return {
    parent: 0,
    title: `Item ${given.id}`,
    url: `https://example.com/${given.id}`,
    type: 'custom',
    object: 'custom',
    objectId: given.id,
    target: '',
    classes: [''],
    attrTitle: '',
    xfn: '',
    marks: [],
    switcher: null,
    ...given,
  }
}

export function menu(items: readonly MenuItemValue[]): MenuValue {
  const hasSwitcher = items.some(({ switcher }) => switcher !== null)
  return { id: 1, name: 'Main', slug: 'main', home: 'https://example.com/', hasSwitcher, items }
}
