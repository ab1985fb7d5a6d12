import type { PageFrame } from './site-frames.ts'

export type Lang = 'en' | 'fr'

/** A page of a generated site. */
export type TreePage = {
  readonly id: number
  readonly slug: string
  /** Id of the parent page; 0 at the top. */
  readonly parent: number
  /** Null on a site without languages. */
  readonly lang: Lang | null
  /** Id of the same page in the other language; 0 on a site without languages. */
  readonly translation: number
  readonly frame: PageFrame
  readonly role: PageRole
}

/**
 * `front` and `other-front`: the static front page, and a page that can become it. `sitemap`: the only page on the frame that lists `pages`.
 * `top`, `sub` and `leaf`: the levels of the tree.
 */
type PageRole = 'front' | 'other-front' | 'sitemap' | 'top' | 'sub' | 'leaf'

/** Id of the first page. */
const FIRST_ID = 1
const MAX_TOPS = 20
const MIN_SUBS_PER_TOP = 4
const MAX_SUBS_PER_TOP = 20

/**
 * Generates the pages of a site: a tree of three levels. Half of the branches are on frames that list children and print breadcrumbs, the
 * other half on a frame that shows nothing of other pages. On a site with languages each page exists in both.
 */
export function generatePages(count: number, hasLanguages: boolean): TreePage[] {
  const groups = Math.floor(hasLanguages ? count / 2 : count)
  const plans = planGroups(groups)
  return plans.flatMap((plan, index) => {
    const idOf = (at: number, lang: number) => FIRST_ID + (hasLanguages ? at * 2 + lang : at)
    const langs: readonly (Lang | null)[] = hasLanguages ? ['en', 'fr'] : [null]
    return langs.map((lang, at) => ({
      id: idOf(index, at),
      slug: lang === 'fr' ? `fr-${plan.slug}` : plan.slug,
      parent: plan.parent < 0 ? 0 : idOf(plan.parent, at),
      lang,
      translation: hasLanguages ? idOf(index, 1 - at) : 0,
      // The list of pages is on one page only.
      frame: plan.role === 'sitemap' && lang === 'fr' ? ('page-plain' as const) : plan.frame,
      role: plan.role,
    }))
  })
}

/** A page without its languages. `parent`: index in the list; -1 at the top. */
type GroupPlan = Pick<TreePage, 'slug' | 'frame' | 'role'> & { readonly parent: number }

function planGroups(count: number): GroupPlan[] {
  const plans: GroupPlan[] = [
    { slug: 'welcome', role: 'front', frame: 'page-plain', parent: -1 },
    { slug: 'sitemap', role: 'sitemap', frame: 'page-sitemap', parent: -1 },
    { slug: 'welcome-too', role: 'other-front', frame: 'page-plain', parent: -1 },
  ]
  const size = Math.round(Math.sqrt(count) / 5)
  const tops = Math.min(MAX_TOPS, Math.max(2, size - (size % 2)))
  const subs = Math.min(MAX_SUBS_PER_TOP, Math.max(MIN_SUBS_PER_TOP, size))
  const add = (plan: GroupPlan): number =>
    plans.length < count ? plans.push(plan) - 1 : plans.length - 1
  const parents: number[] = []
  for (let top = 0; top < tops; top += 1) {
    const isPlain = top % 2 === 1
    const frame = isPlain ? 'page-plain' : 'page-section'
    const at = add({ slug: `top-${top}`, role: 'top', frame, parent: -1 })
    for (let sub = 0; sub < subs; sub += 1)
      parents.push(add({ slug: `sub-${top}-${sub}`, role: 'sub', frame, parent: at }))
  }
  for (let leaf = 0; plans.length < count; leaf += 1) {
    const parent = parents[leaf % parents.length] ?? -1
    const frame = plans[parent]?.frame === 'page-section' ? 'page-article' : 'page-plain'
    add({ slug: `leaf-${leaf}`, role: 'leaf', frame, parent })
  }
  return plans
}
