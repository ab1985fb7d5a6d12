import type { Db } from '../db/database.ts'
import { readLocationMaps } from '../wordpress/nav-menus/read-location-maps.ts'
import type { Site } from '../wordpress/network/site.ts'
import { listPages } from '../wordpress/pages/list-pages.ts'
import { isPage, type Page, type Post } from '../wordpress/pages/post.ts'
import { readPageText } from '../wordpress/pages/read-page-text.ts'
import { readPosts } from '../wordpress/pages/read-posts.ts'
import type { LinkSettings } from '../wordpress/permalinks/link-settings.ts'
import { postUrl } from '../wordpress/permalinks/post-url.ts'
import { readLinkSettings } from '../wordpress/permalinks/read-link-settings.ts'
import type { Needs } from './needs.ts'
import type { Value } from './program.ts'
import { readDataset } from './sources/dataset.ts'
import { languageRows } from './sources/languages.ts'
import { chosenMenuId, type MenuSurroundings, readMenuValue } from './sources/menu.ts'
import { withoutBlockComments } from './sources/page-content.ts'
import { pageRow } from './sources/page-row.ts'
import { pickFields, readSettings, type Settings } from './sources/settings.ts'
import { siteFields } from './sources/site.ts'
import { type MenuChoice, type MenuValue, menuKey, type Values } from './values.ts'

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
    const posts = await this.#posts(ids)
    return ids.flatMap((id) => {
      const post = posts.get(id)
      return post && isPage(post) ? [post] : []
    })
  }

  /** The id of the menu that visitors see for a choice in a language; 0 where there is none. */
  async menuId(choice: MenuChoice, lang: string | null): Promise<number> {
    return chosenMenuId(this.#db, this.#site, await this.#menuSurroundings(), choice, lang)
  }

  /** What these needs come to in a language, the page's own fields aside; only what is needed is in it. */
  async values(needs: Needs, lang: string | null): Promise<Values> {
    const [links, settings, pages, menus, datasets] = await Promise.all([
      this.links(),
      needs.site.length + needs.settings.length > 0 ? this.#settings() : undefined,
      needs.pages ? this.#pageRows(lang) : [],
      this.#entries(needs.menus, menuKey, (choice) => this.#menu(choice, choice.lang ?? lang)),
      this.#entries(needs.datasets, String, (name) => this.#dataset(name)),
    ])
    return {
      lang,
      site: settings ? pickFields(siteFields(this.#site, links, settings, lang), needs.site) : {},
      settings: settings ? pickFields(settings, needs.settings) : {},
      pages,
      languages: needs.languages ? languageRows(links) : [],
      menus,
      datasets,
    }
  }

  /** What `page.*` gives for a page: what is known of it anyway, and of the rest the fields that are asked for. */
  async pageValues(page: Page, fields: ReadonlySet<string>): Promise<Record<string, Value>> {
    const links = await this.links()
    const rows = (pages: readonly Post[]): Value =>
      pages.filter(isPublic).map((other) => pageRow(links, other))
    const [text, ancestors, children, translations] = await Promise.all([
      fields.has('content') || fields.has('excerpt')
        ? readPageText(this.#db, this.#site, page.id)
        : undefined,
      fields.has('ancestors') ? this.#ancestors(page) : [],
      fields.has('children') ? this.#children(page) : [],
      fields.has('translations') ? this.#translations(page) : [],
    ])
    return {
      ...pageRow(links, page),
      lang: page.lang ?? links.languages.default,
      ...(text ? { content: withoutBlockComments(text.content), excerpt: text.excerpt } : {}),
      ancestors: rows(ancestors),
      children: rows(children),
      translations: Object.fromEntries(
        translations.filter(isPublic).map((other) => [other.lang, postUrl(links, other)]),
      ),
    }
  }

  #settings(): Promise<Settings> {
    return this.#once('settings', () => readSettings(this.#db, this.#site))
  }

  #dataset(name: string): Promise<Value> {
    return this.#once(`dataset ${name}`, () => readDataset(this.#db, this.#site, name))
  }

  #menu(choice: MenuChoice, lang: string | null): Promise<MenuValue | null> {
    return this.#once(`menu ${menuKey(choice)} ${lang}`, async () =>
      readMenuValue(this.#db, this.#site, await this.#menuSurroundings(), choice, lang),
    )
  }

  #menuSurroundings(): Promise<MenuSurroundings> {
    return this.#once('menu surroundings', async () => {
      const [links, settings] = await Promise.all([this.links(), this.#settings()])
      const maps = await readLocationMaps(this.#db, this.#site, settings.stylesheet)
      const privacyId = Number(settings.wp_page_for_privacy_policy) || 0
      const privacyPage = (await this.#posts(privacyId > 0 ? [privacyId] : [])).get(privacyId)
      return { links, maps, privacyPage }
    })
  }

  async #posts(ids: readonly number[]): Promise<Map<number, Post>> {
    const { languages } = await this.links()
    return readPosts(this.#db, this.#site, languages, { ids })
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

  async #children({ id }: Page): Promise<Post[]> {
    return (await this.#pages()).filter(({ parent }) => parent === id)
  }

  /** From the top down. */
  async #ancestors(page: Page): Promise<Post[]> {
    const posts = page.parent > 0 ? await this.#posts([page.id]) : new Map<number, Post>()
    const found = new Set<Post>()
    for (let at = posts.get(page.parent); at && !found.has(at); at = posts.get(at.parent)) {
      found.add(at)
    }
    return [...found].reverse()
  }

  async #translations({ translations }: Page): Promise<Post[]> {
    const ids = [...translations.values()]
    const posts = await this.#posts(ids)
    return ids.flatMap((id) => posts.get(id) ?? [])
  }

  /** What each of some things comes to; one that comes to nothing is left out. */
  async #entries<T, V>(
    things: readonly T[],
    keyOf: (thing: T) => string,
    read: (thing: T) => Promise<V>,
  ): Promise<Record<string, V>> {
    const entries = await Promise.all(
      things.map(async (thing) => [keyOf(thing), await read(thing)]),
    )
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  }

  #once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const held = this.#held.get(key) ?? read()
    this.#held.set(key, held)
    return held as Promise<T>
  }
}

const isPublic = ({ status, protected: hasPassword }: Post): boolean =>
  status === 'publish' && !hasPassword
