import type { Db } from '../db/database.ts'
import { type Languages, readLanguages } from '../wordpress/languages/languages.ts'
import { type LocationMaps, readLocationMaps } from '../wordpress/nav-menus/location-maps.ts'
import { readStoredMenu, type StoredMenu } from '../wordpress/nav-menus/read-menu.ts'
import type { Site } from '../wordpress/network/site.ts'
import { listPages, readPageText } from '../wordpress/pages/pages.ts'
import { isPage, isPublic, type Page, type Post, readPosts } from '../wordpress/pages/posts.ts'
import { type LinkSettings, readLinkSettings } from '../wordpress/permalinks/link-settings.ts'
import { postUrl } from '../wordpress/permalinks/urls.ts'
import type { Needs } from './needs.ts'
import type { Value } from './program.ts'
import { readDataset } from './sources/dataset-source.ts'
import { chosenMenuId, type MenuContext, readMenuValue } from './sources/menu-source.ts'
import { pageRow, withoutBlockComments } from './sources/page-source.ts'
import {
  languageRows,
  pickFields,
  readSettings,
  type Settings,
  siteFields,
} from './sources/site-source.ts'
import {
  type LanguageValue,
  type MenuChoice,
  type MenuValue,
  menuKey,
  type Values,
} from './values.ts'

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
    return this.#once('links', () => readLinkSettings(this.#db, this.#site, this.languages()))
  }

  languages(): Promise<Languages> {
    return this.#once('languages', () => readLanguages(this.#db, this.#site))
  }

  /** What most of the rest is made with: asked for at once with whatever else is, its options go in one statement. */
  async prefetch(): Promise<void> {
    await Promise.all([this.links(), this.#settings(), this.#locationMaps()])
  }

  /** Slugs of the site's languages; none on a site without. */
  async languageSlugs(): Promise<string[]> {
    return (await this.languages()).list.map(({ slug }) => slug)
  }

  async defaultLanguage(): Promise<string | null> {
    return (await this.languages()).default
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

  /** Published pages in a language, and those without one. */
  async publicPages(lang: string | null): Promise<Page[]> {
    return (await this.#pages()).filter(
      (page) => isPublic(page) && (page.lang === null || page.lang === lang),
    )
  }

  /** The menu that visitors see for a choice in a language, as it is stored; undefined where there is none. */
  storedMenu(choice: MenuChoice, lang: string | null): Promise<StoredMenu | undefined> {
    return this.#once(`stored menu ${menuKey(choice)} ${lang}`, async () => {
      const [languages, maps] = await Promise.all([this.languages(), this.#locationMaps()])
      const id = await chosenMenuId(this.#db, this.#site, { languages, maps }, choice, lang)
      return id > 0 ? readStoredMenu(this.#db, this.#site, id) : undefined
    })
  }

  /**
   * What these needs come to in a language, the page's own fields aside; only what is needed is in it. Frames that need the same are given
   * the same.
   */
  values(needs: Needs, lang: string | null): Promise<Values> {
    return this.#once(`values ${lang} ${JSON.stringify(needs)}`, () => this.#values(needs, lang))
  }

  async #values(needs: Needs, lang: string | null): Promise<Values> {
    const [ofSite, settings, pages, languages, menus, datasets] = await Promise.all([
      needs.site.length > 0 ? this.#siteFields(lang) : {},
      needs.settings.length > 0 ? this.#settings() : {},
      needs.pages ? this.#pageRows(lang) : [],
      needs.languages ? this.#languageRows() : [],
      this.#entries(needs.menus, menuKey, (choice) => this.#menu(choice, choice.lang ?? lang)),
      this.#entries(needs.datasets, String, (name) => this.#dataset(name)),
    ])
    return {
      lang,
      site: pickFields(ofSite, needs.site),
      settings: pickFields(settings, needs.settings),
      pages,
      languages,
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

  async #siteFields(lang: string | null): Promise<Record<string, Value>> {
    const [links, settings] = await Promise.all([this.links(), this.#settings()])
    return siteFields(this.#site, links, settings, lang)
  }

  async #languageRows(): Promise<LanguageValue[]> {
    return languageRows(await this.links())
  }

  #settings(): Promise<Settings> {
    return this.#once('settings', () => readSettings(this.#db, this.#site))
  }

  #dataset(name: string): Promise<Value> {
    return this.#once(`dataset ${name}`, () => readDataset(this.#db, this.#site, name))
  }

  #menu(choice: MenuChoice, lang: string | null): Promise<MenuValue | null> {
    return this.#once(`menu ${menuKey(choice)} ${lang}`, async () => {
      const [stored, around] = await Promise.all([
        this.storedMenu(choice, lang),
        this.#menuSurroundings(),
      ])
      return stored ? readMenuValue(this.#db, this.#site, around, stored, lang) : null
    })
  }

  #menuSurroundings(): Promise<MenuContext> {
    return this.#once('menu surroundings', async () => {
      const [links, settings] = await Promise.all([this.links(), this.#settings()])
      const privacyId = Number(settings.wp_page_for_privacy_policy) || 0
      const privacyPage = (await this.#posts(privacyId > 0 ? [privacyId] : [])).get(privacyId)
      return { links, privacyPage }
    })
  }

  #locationMaps(): Promise<LocationMaps> {
    return this.#once('location maps', () => readLocationMaps(this.#db, this.#site))
  }

  async #posts(ids: readonly number[]): Promise<Map<number, Post>> {
    if (ids.length === 0) return new Map()
    return readPosts(this.#db, this.#site, await this.languages(), { ids })
  }

  async #pages(): Promise<Page[]> {
    return this.#once('pages', async () => listPages(this.#db, this.#site, await this.languages()))
  }

  async #pageRows(lang: string | null): Promise<Value[]> {
    const links = await this.links()
    return (await this.publicPages(lang)).map((page) => pageRow(links, page))
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
