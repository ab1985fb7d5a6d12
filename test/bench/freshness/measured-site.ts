import { join } from 'node:path'
import { COPY_FILE } from '../../../src/build/publishing/static-path.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import type { SitePlan } from '../generated/fill-site.ts'
import { generatePages, type TreePage } from '../generated/page-tree.ts'
import { homeOf, type NewSite, type SiteTable, tableOf } from '../generated/site-tables.ts'

/** A page as it is after the edits so far. */
export type MeasuredPage = { -readonly [Key in keyof TreePage]: TreePage[Key] }

/** The file of the copy of a page of a site, by default of its front page. */
export const copyFile = (staticDir: string, { domain, path }: NewSite, below = ''): string =>
  join(staticDir, domain, path, below, COPY_FILE)

/** A site whose edits are measured: its pages, where their copies are, and which page the next edit of a kind takes. */
export type MeasuredSite = Awaited<ReturnType<typeof openSite>>

/** Opens a site as former runs have left it. */
export async function openSite(db: SqlDatabase, plan: SitePlan, staticDir: string) {
  const { blogId } = plan
  const rows: { ID: number; post_name: string }[] = await db
    .sql(tableOf(blogId, 'posts'))
    .select('ID', 'post_name')
  const slugs = new Map(rows.map(({ ID, post_name }) => [ID, post_name]))
  const pages = generatePages(plan.pageCount, plan.hasLanguages).map(
    (page): MeasuredPage => ({ ...page, slug: slugs.get(page.id) ?? page.slug }),
  )
  const byId = new Map(pages.map((page) => [page.id, page]))
  const taken = new Map<string, number>()
  /** The path of a page below the home, without slashes at its ends. The URLs of the default language do not contain it. */
  const pathOf = (page: MeasuredPage): string => {
    if (page === pages[0]) return ''
    const names: string[] = []
    for (let at: MeasuredPage | undefined = page; at; at = byId.get(at.parent))
      names.unshift(at.slug)
    return [...(page.lang === 'fr' ? ['fr'] : []), ...names].join('/')
  }
  return {
    db,
    blogId,
    table: (name: SiteTable): string => tableOf(blogId, name),
    page: (id: number): MeasuredPage => {
      const page = byId.get(id)
      if (!page) throw new Error(`the site has no page ${id}`)
      return page
    },
    /** What links to a page contain. */
    linkTo: (page: MeasuredPage): string => `href="${homeOf(plan)}/${pathOf(page)}/"`,
    /** The file of a page's copy, as the page is now. */
    fileOf: (page: MeasuredPage): string => copyFile(staticDir, plan, pathOf(page)),
    /** The page that another edit of a kind takes: each page once, then again from the first one. */
    next: (kind: string, among: (page: MeasuredPage) => boolean): MeasuredPage => {
      const wanted = pages.filter(among)
      const at = taken.get(kind) ?? 0
      taken.set(kind, at + 1)
      const page = wanted[at % wanted.length]
      if (!page) throw new Error(`the site has no page for edits of the kind "${kind}"`)
      return page
    },
    /** Some pages that represent all: at most `count`, spread over the site. */
    sample: (count: number, among: (page: MeasuredPage) => boolean = () => true) => {
      const wanted = pages.filter(among)
      const step = Math.max(1, Math.floor(wanted.length / count))
      return wanted.filter((_, index) => index % step === 0).slice(0, count)
    },
  }
}
