import type { TouchedContent } from '../markup/inserts/insert-definition.ts'

/**
 * What a row of the work table asks for. `frame` (id): bake the frame and publish its pages. `embeds` (id or slug): do so for the frames that
 * embed it. `outdated` (`SiteContent`): bake the frames that show it, and publish the pages whose copies were made of another baked copy. `menus`,
 * `pages`, `languages`, `settings`, `dataset` (name): for the frames that show these. `all`: for all frames. `copies`: remove the copies that
 * their pages no longer have. `page` (id): publish or remove the copy of one page.
 */
export const WORK_KINDS = [
  'frame',
  'embeds',
  'outdated',
  'menus',
  'pages',
  'languages',
  'settings',
  'dataset',
  'all',
  'copies',
  'page',
] as const

export type WorkKind = (typeof WORK_KINDS)[number]

/** One thing that was touched. Only the kind and the name are stored. */
export type Work = {
  readonly kind: WorkKind
  /** '' for kinds of which a site has only one. */
  readonly name: string
  /** Of `embeds`: the slug by which responses name the frame [`name`]. */
  readonly slug?: string
  /** Of `page`: it lost its frame, so its static copy is removed even if nothing is built [false]. */
  readonly isUnbound?: boolean
}

/** Content of a site that frames show: `menus`, `dataset:news`. */
export type SiteContent = TouchedContent | `dataset:${string}`

/** The work on things of one kind. @param names none for a kind of which a site has only one */
export function workOn(kind: WorkKind, names: Iterable<string | number> = ['']): Work[] {
  return Array.from(names, (name) => ({ kind, name: String(name) }))
}

export const workOnPage = (page: number | string, isUnbound = false): Work => ({
  kind: 'page',
  name: String(page),
  isUnbound,
})

/** The work on the frames that embed a frame. @param slugs its former slugs and the present one, which is the last */
export function workOnEmbedders(id: string, slugs: readonly string[]): Work[] {
  const slug = slugs.at(-1) ?? id
  return [id, ...slugs].map((name) => ({ kind: 'embeds', name, slug }))
}

/** The names of the things of one kind. */
export function namesOf(kind: WorkKind, work: readonly Work[]): string[] {
  return work.filter((one) => one.kind === kind).map(({ name }) => name)
}

/** The ids of the pages that are touched themselves. */
export const pagesOf = (work: readonly Work[]): number[] => namesOf('page', work).map(Number)

const COPIES_KINDS: ReadonlySet<WorkKind> = new Set([
  'copies',
  'all',
  'pages',
  'languages',
  'settings',
])

/** True if pages may have lost their URL or their visitors, so that their copies are checked. */
export const checksCopies = (work: readonly Work[]): boolean =>
  work.some(({ kind }) => COPIES_KINDS.has(kind))
