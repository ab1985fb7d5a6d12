import type { Db } from '../db/database.ts'
import { decodeName } from '../wordpress/formatting/decode-name.ts'
import type { Site } from '../wordpress/network/site.ts'
import { listPages } from '../wordpress/pages/list-pages.ts'
import type { Page } from '../wordpress/pages/post.ts'
import { isPage } from '../wordpress/pages/post.ts'
import { readPageText } from '../wordpress/pages/read-page-text.ts'
import { readPosts } from '../wordpress/pages/read-posts.ts'
import { homeUrl } from '../wordpress/permalinks/home-url.ts'
import type { LinkSettings } from '../wordpress/permalinks/link-settings.ts'
import { postUrl } from '../wordpress/permalinks/post-url.ts'
import { readLinkSettings } from '../wordpress/permalinks/read-link-settings.ts'
import type { Needs } from './needs.ts'
import type { Value } from './program.ts'
import { readDataset } from './sources/dataset.ts'
import { readMenuValue } from './sources/menu.ts'
import { withoutBlockComments } from './sources/page-content.ts'
import { pageRow } from './sources/page-row.ts'
import { readSettings } from './sources/settings.ts'
import { siteFields } from './sources/site.ts'
import { type MenuValue, menuKey, type Values } from './values.ts'

/** What frames read of a site, each thing read once however many frames ask for it. Kept for one change or one request. */
export class SiteData {
  readonly #db: Db
  readonly #site: Site
  readonly #held = new Map<string, Promise<unknown>>()

  constructor(db: Db, site: Site) {
    this.#db = db
    this.#site = site
  }

  links(): Promise<LinkSettings> {
    return this.#once('links', () => readLinkSettings(this.#db, this.#site))
  }

  /** Slugs of the site's languages; none on a site without. */
  async languageSlugs(): Promise<string[]> {
    const { languages } = await this.links()
    return languages.list.map(({ slug }) => slug)
  }

  async defaultLanguage(): Promise<string | null> {
    return (await this.links()).languages.default
  }

  /** The address of a page. */
  async urlOf(page: Page): Promise<string> {
    return postUrl(await this.links(), page)
  }

  async pagesById(ids: readonly number[]): Promise<Page[]> {
    const { languages } = await this.links()
    const posts = await readPosts(this.#db, this.#site, languages, { ids })
    return ids.flatMap((id) => {
      const post = posts.get(id)
      return post && isPage(post) ? [post] : []
    })
  }

  /** What these needs come to in a language; only what is needed is in it. */
  async values(needs: Needs, lang: string | null): Promise<Values> {
    const links = await this.links()
    const settings = await this.#once('settings', () => readSettings(this.#db, this.#site))
    const menus: Record<string, MenuValue | null> = {}
    for (const choice of needs.menus) menus[menuKey(choice)] = await this.#menu(choice, lang)
    const datasets: Record<string, Value> = {}
    for (const name of needs.datasets) {
      const value = await this.#once(`dataset ${name}`, () =>
        readDataset(this.#db, this.#site, name),
      )
      if (value !== undefined) datasets[name] = value
    }
    return {
      lang,
      site: pick(siteFields(this.#site, links, settings, lang), needs.site),
      settings: pick(settings, needs.settings),
      pages: needs.pages ? await this.#pageRows(lang) : [],
      languages: needs.languages ? languageRows(links) : [],
      menus,
      datasets,
    }
  }

  /** What `page.*` gives for a page. */
  async pageValues(page: Page): Promise<Record<string, Value>> {
    const links = await this.links()
    const text = await readPageText(this.#db, this.#site, page.id)
    const pages = await this.#pages()
    const translations = Object.fromEntries(
      [...page.translations].flatMap(([lang, id]) => {
        const translation = pages.find((other) => other.id === id)
        return translation && isPublic(translation) ? [[lang, postUrl(links, translation)]] : []
      }),
    )
    return {
      ...pageRow(links, page),
      content: withoutBlockComments(text.content),
      excerpt: text.excerpt,
      children: pages
        .filter((other) => other.parent === page.id && isPublic(other))
        .map((child) => pageRow(links, child)),
      translations,
    }
  }

  async #menu(
    choice: Parameters<typeof menuKey>[0],
    lang: string | null,
  ): Promise<MenuValue | null> {
    const links = await this.links()
    const language = choice.lang ?? lang
    return this.#once(`menu ${menuKey(choice)} ${language}`, () =>
      readMenuValue(this.#db, this.#site, links, choice, language),
    )
  }

  async #pages(): Promise<Page[]> {
    const { languages } = await this.links()
    return this.#once('pages', () => listPages(this.#db, this.#site, languages))
  }

  /** Published pages in a language, and those without one. */
  async #pageRows(lang: string | null): Promise<Value[]> {
    const links = await this.links()
    return (await this.#pages())
      .filter((page) => isPublic(page) && (page.lang === null || page.lang === lang))
      .map((page) => pageRow(links, page))
  }

  #once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const held = this.#held.get(key) ?? read()
    this.#held.set(key, held)
    return held as Promise<T>
  }
}

const isPublic = ({ status, protected: hasPassword }: Page): boolean =>
  status === 'publish' && !hasPassword

function languageRows(links: LinkSettings): Value[] {
  return links.languages.list.map(({ slug, locale, name, rtl }) => ({
    slug,
    locale,
    name: decodeName(name),
    rtl,
    url: homeUrl(links, slug),
  }))
}

/** The named fields that are there. */
function pick(
  fields: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(fields, name)).map((name) => [name, fields[name]]),
  )
}
