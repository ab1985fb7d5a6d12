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
  readonly role: 'top' | 'sub' | 'leaf'
}

/** A page without its languages. `parent`: index in the list; -1 at the top. */
type GroupPlan = Pick<TreePage, 'slug' | 'frame' | 'role'> & { readonly parent: number }

const MAX_TOPS = 20

/**
 * Generates the pages of a site: a front page, a sitemap, and a tree of three levels. Half of the branches are on frames that list children and print
 * breadcrumbs, the other half on a frame that shows nothing of other pages. On a site with languages each page exists in both.
 */
export function generatePages(count: number, hasLanguages: boolean): TreePage[] {
  const langs: readonly (Lang | null)[] = hasLanguages ? ['en', 'fr'] : [null]
  const idOf = (at: number, lang: number) => 1 + at * langs.length + lang
  return planGroups(Math.floor(count / langs.length)).flatMap((plan, index) =>
    langs.map((lang, at) => ({
      ...plan,
      id: idOf(index, at),
      slug: lang === 'fr' ? `fr-${plan.slug}` : plan.slug,
      parent: plan.parent < 0 ? 0 : idOf(plan.parent, at),
      lang,
      translation: hasLanguages ? idOf(index, 1 - at) : 0,
      // The list of pages is on one page only.
      frame: plan.frame === 'page-sitemap' && lang === 'fr' ? 'page-plain' : plan.frame,
    })),
  )
}

function planGroups(count: number): GroupPlan[] {
  const plans: GroupPlan[] = [
    { slug: 'welcome', role: 'top', frame: 'page-plain', parent: -1 },
    { slug: 'sitemap', role: 'top', frame: 'page-sitemap', parent: -1 },
  ]
  const size = Math.round(Math.sqrt(count) / 5)
  const tops = Math.min(MAX_TOPS, Math.max(2, size - (size % 2)))
  const subs = Math.min(MAX_TOPS, Math.max(4, size))
  const parents: number[] = []
  for (let top = 0; top < tops; top += 1) {
    const frame = top % 2 === 1 ? 'page-plain' : 'page-section'
    const at = plans.push({ slug: `top-${top}`, role: 'top', frame, parent: -1 }) - 1
    for (let sub = 0; sub < subs; sub += 1)
      parents.push(plans.push({ slug: `sub-${top}-${sub}`, role: 'sub', frame, parent: at }) - 1)
  }
  for (let leaf = 0; plans.length < count; leaf += 1) {
    const parent = parents[leaf % parents.length] ?? -1
    const frame = plans[parent]?.frame === 'page-section' ? 'page-article' : 'page-plain'
    plans.push({ slug: `leaf-${leaf}`, role: 'leaf', frame, parent })
  }
  return plans.slice(0, count)
}
