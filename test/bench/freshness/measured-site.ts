import { join } from 'node:path'
import { COPY_FILE } from '../../../src/build/publishing/static-path.ts'
import { groupBy } from '../../../src/host/group-by.ts'
import { readOptions } from '../../../src/wordpress/options/read-options.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import { getSite, type SitePlan } from './network/fill-site.ts'
import { POLYLANG } from './network/languages.ts'
import { THEMES, type Theme } from './network/menus.ts'
import { generatePages, type Lang, type TreePage } from './network/page-tree.ts'
import { homeOf, type SITE_TABLES, tableOf } from './network/site-tables.ts'

/** A page as it is after the edits so far. */
export type MeasuredPage = { -readonly [Key in keyof TreePage]: TreePage[Key] }

type Urls = {
  readonly haveLanguages: boolean
  readonly haveDefault: boolean
  readonly haveSlash: boolean
}

/** The options that edits change and that determine URLs. */
const STATE_OPTIONS = [
  'page_on_front',
  'stylesheet',
  'active_plugins',
  'polylang',
  'permalink_structure',
]

/** A site whose edits are measured: its pages, where their copies are, and which page the next edit of a kind takes. */
export class MeasuredSite {
  readonly db: SqlDatabase
  readonly blogId: number
  readonly home: string
  readonly pages: readonly MeasuredPage[]
  readonly #folder: string
  readonly #byId: Map<number, MeasuredPage>
  readonly #children: ReadonlyMap<number, readonly MeasuredPage[]>
  readonly #taken = new Map<string, number>()
  /** Id of the static front page. */
  front: number
  /** Whether URLs contain the language of a page, whether also the default language, and whether they end with a slash. */
  urls: Urls
  theme: Theme

  /** Opens a site as former runs have left it. */
  static async open(db: SqlDatabase, plan: SitePlan, staticDir: string): Promise<MeasuredSite> {
    const [rows] = await db.sql.raw('SELECT ID, post_name, post_parent FROM ??', [
      tableOf(plan.blogId, 'posts'),
    ])
    const stored = new Map<number, { post_name: string; post_parent: number }>(
      rows.map((row: { ID: number }) => [row.ID, row]),
    )
    const pages = generatePages(plan.pageCount, plan.hasLanguages).map((page) => {
      const { post_name: slug = page.slug, post_parent: parent = page.parent } =
        stored.get(page.id) ?? {}
      return { ...page, slug, parent }
    })
    const options = await readOptions(db, await getSite(db, plan.blogId), STATE_OPTIONS)
    const text = (name: string): string => options.get(name) ?? ''
    return new MeasuredSite(db, plan, pages, staticDir, {
      front: Number(text('page_on_front')),
      theme: THEMES.find((theme) => theme === text('stylesheet')) ?? THEMES[0],
      urls: {
        haveLanguages: text('active_plugins').includes(POLYLANG),
        haveDefault: text('polylang').includes('s:12:"hide_default";b:0;'),
        haveSlash: text('permalink_structure').endsWith('/'),
      },
    })
  }

  private constructor(
    db: SqlDatabase,
    site: SitePlan,
    pages: readonly MeasuredPage[],
    staticDir: string,
    { front, theme, urls }: Pick<MeasuredSite, 'front' | 'theme' | 'urls'>,
  ) {
    this.db = db
    this.blogId = site.blogId
    this.home = homeOf(site)
    this.pages = pages
    this.#folder = join(staticDir, site.domain, site.path)
    this.#byId = new Map(pages.map((page) => [page.id, page]))
    this.#children = groupBy(pages, ({ parent }) => parent)
    this.front = front
    this.theme = theme
    this.urls = urls
  }

  table(name: (typeof SITE_TABLES)[number]): string {
    return tableOf(this.blogId, name)
  }

  page(id: number): MeasuredPage {
    const page = this.#byId.get(id)
    if (!page) throw new Error(`the site has no page ${id}`)
    return page
  }

  /** The pages below a page when the site was opened. */
  childrenOf({ id }: MeasuredPage): readonly MeasuredPage[] {
    return this.#children.get(id) ?? []
  }

  /** The URL of a page below the home, without slashes at its ends. */
  pathOf(page: MeasuredPage): string {
    // Polylang gives the front page of a language the home address only if the URL hides the language.
    if (page.id === this.front && !this.urls.haveDefault) return ''
    const slugs: string[] = []
    for (let at: MeasuredPage | undefined = page; at; at = this.#byId.get(at.parent))
      slugs.unshift(at.slug)
    const { haveLanguages, haveDefault } = this.urls
    const lang: Lang | null = haveLanguages ? page.lang : null
    const isShown = lang === 'fr' || (lang === 'en' && haveDefault)
    return [...(isShown ? [lang] : []), ...slugs].join('/')
  }

  addressOf(page: MeasuredPage): URL {
    const path = this.pathOf(page)
    const end = this.urls.haveSlash && path !== '' ? '/' : ''
    return new URL(`${this.home}/${path}${end}`)
  }

  /** What links to a page contain. */
  linkTo(page: MeasuredPage): string {
    return `href="${this.addressOf(page).href}"`
  }

  /** The file of a page's copy, as the page is now. */
  fileOf(page: MeasuredPage): string {
    return this.fileAt(this.pathOf(page))
  }

  fileAt(path: string): string {
    return join(this.#folder, path, COPY_FILE)
  }

  /** The page that another edit of a kind takes: each page once, then again from the first one. */
  next(kind: string, among: (page: MeasuredPage) => boolean): MeasuredPage {
    const pages = this.pages.filter(among)
    const at = this.#taken.get(kind) ?? 0
    this.#taken.set(kind, at + 1)
    const page = pages[at % pages.length]
    if (!page) throw new Error(`the site has no page for edits of the kind "${kind}"`)
    return page
  }

  /** Some pages that represent all: at most `count`, spread over the site. */
  sample(count: number, among: (page: MeasuredPage) => boolean = () => true): MeasuredPage[] {
    const pages = this.pages.filter(among)
    const step = Math.max(1, Math.floor(pages.length / count))
    return pages.filter((_, index) => index % step === 0).slice(0, count)
  }
}
