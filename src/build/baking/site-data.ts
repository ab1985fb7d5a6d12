import { MAX_ROWS } from '../../content/markup/evaluation/budget.ts'
import type { Needs } from '../../content/markup/evaluation/needs.ts'
import type { Value } from '../../content/markup/evaluation/program.ts'
import {
  type LanguageValue,
  type MenuChoice,
  type MenuValue,
  menuKey,
  type Values,
} from '../../content/markup/evaluation/values.ts'
import type { Db } from '../../db/database.ts'
import { ReadBatches } from '../../db/read-batches.ts'
import { KeyedMutex } from '../../host/concurrency/keyed-mutex.ts'
import { Memo } from '../../host/concurrency/memo.ts'
import { AppError } from '../../host/errors.ts'
import { sha256Hex } from '../../host/hash.ts'
import {
  findLanguage,
  type Languages,
  readLanguages,
  readLocale,
} from '../../wordpress/languages/languages.ts'
import {
  readStringTranslations,
  type Translate,
} from '../../wordpress/languages/string-translations.ts'
import { type LocationMaps, readLocationMaps } from '../../wordpress/nav-menus/location-maps.ts'
import { menuBytes, readStoredMenu, type StoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import {
  isShownIn,
  listFirstPages,
  listPages,
  type PageText,
  readChildPages,
  readPageTexts,
} from '../../wordpress/pages/pages.ts'
import { isPage, isPublic, type Page, type Post, readPosts } from '../../wordpress/pages/posts.ts'
import { type LinkSettings, readLinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { postUrl } from '../../wordpress/permalinks/urls.ts'
import { idIn } from '../../wordpress/stored-value.ts'
import { readDataset } from './sources/dataset-source.ts'
import { chosenMenuId, type MenuContext, readMenuValue } from './sources/menu-source.ts'
import { pageRow, withoutBlockComments } from './sources/page-source.ts'
import {
  languageRows,
  pickFields,
  readSettings,
  type Settings,
  settingsIn,
  siteFields,
  translatedNames,
} from './sources/site-source.ts'

/** What the menus that one build shows may take, in bytes. Those that are read at the same time are in memory before they are counted. */
export const MAX_SHOWN_MENU_BYTES = 64 * 1024 * 1024
const MENUS_AT_ONCE = 8

/**
 * The data of a site that frames read. Lives for one change or one request, and reads everything at most once. Data of single pages is not
 * cached, because there may be tens of thousands; what is read for several pages in one tick of the event loop shares its statements.
 */
export class SiteData {
  readonly #db: Db
  readonly #site: Site
  readonly #memo = new Memo()
  /** Not those of the database: the posts depend on the languages that this object has read. */
  readonly #batches = new ReadBatches()
  readonly #digests = new WeakMap<Values, string>()
  readonly #menuReads = new KeyedMutex()
  #menusRead = 0
  #menuBytes = 0

  constructor(db: Db, site: Site) {
    this.#db = db
    this.#site = site
  }

  links(): Promise<LinkSettings> {
    return this.#memo.once('links', () => readLinkSettings(this.#db, this.#site, this.languages()))
  }

  languages(): Promise<Languages> {
    return this.#memo.once('languages', () => readLanguages(this.#db, this.#site))
  }

  /** Reads the data that most other data depends on. Options that are read at the same time share one statement. */
  async prefetch(): Promise<void> {
    await Promise.all([this.links(), this.settings(null), this.#locationMaps()])
  }

  /** Slugs of the site's languages; [] if it has none. */
  async languageSlugs(): Promise<string[]> {
    return (await this.languages()).list.map(({ slug }) => slug)
  }

  async defaultLanguage(): Promise<string | null> {
    return (await this.languages()).default
  }

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

  /** Public pages in a language, and those without a language, in the order of lists. */
  async publicPages(lang: string | null): Promise<Page[]> {
    const languages = await this.languages()
    const pages = await listPages(this.#db, this.#site, languages, { inMenuOrder: true })
    return pages.filter((page) => isShownIn(page, lang))
  }

  /** The stored rows of the menu that visitors see for a choice in a language; undefined if there is none. */
  storedMenu(choice: MenuChoice, lang: string | null): Promise<StoredMenu | undefined> {
    return this.#memo.once(`stored menu ${menuKey(choice)} ${lang}`, async () => {
      const [languages, maps] = await Promise.all([this.languages(), this.#locationMaps()])
      const id = await chosenMenuId(this.#db, this.#site, { languages, maps }, choice, lang)
      return id > 0 ? this.#menuRows(id) : undefined
    })
  }

  /** @throws AppError `menu_too_large` */
  #menuRows(id: number): Promise<StoredMenu | undefined> {
    return this.#memo.once(`menu rows ${id}`, () => {
      this.#menusRead += 1
      return this.#menuReads.run(String(this.#menusRead % MENUS_AT_ONCE), async () => {
        this.#assertMenusFit()
        const stored = await readStoredMenu(this.#db, this.#site, id)
        this.#menuBytes += stored ? menuBytes(stored) : 0
        this.#assertMenusFit()
        return stored
      })
    })
  }

  #assertMenusFit(): void {
    if (this.#menuBytes > MAX_SHOWN_MENU_BYTES) throw menusTooLarge()
  }

  /** The values of these needs in a language, without the fields of the page. Frames with equal needs get the same object. */
  values(needs: Needs, lang: string | null): Promise<Values> {
    return this.#memo.once(`values ${lang} ${JSON.stringify(needs)}`, () =>
      this.#values(needs, lang),
    )
  }

  /** The digest of values of this object, computed once: a thousand frames may show the same menu of several megabytes. */
  digestOf(values: Values): string {
    const digest = this.#digests.get(values) ?? sha256Hex(JSON.stringify(values))
    this.#digests.set(values, digest)
    return digest
  }

  async #values(needs: Needs, lang: string | null): Promise<Values> {
    const [ofSite, settings, pages, languages, menus, datasets] = await Promise.all([
      needs.site.length > 0 ? this.siteFields(lang) : {},
      needs.settings.length > 0 ? this.settings(lang) : {},
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

  /** `settings.*` in a language; without one, as stored. */
  settings(lang: string | null): Promise<Settings> {
    return this.#memo.once(`settings ${lang}`, async () => {
      const [stored, translate] = await Promise.all([
        this.#memo.once('stored settings', () => readSettings(this.#db, this.#site)),
        this.#translate(lang),
      ])
      return settingsIn(stored, translate)
    })
  }

  /** Whether a language has own texts where these needs read a text that Polylang translates. */
  async isTranslated(needs: Needs): Promise<boolean> {
    const names = translatedNames(needs)
    const slugs = names.length > 0 ? await this.languageSlugs() : []
    // A frame that reads no such text needs no statement.
    if (slugs.length === 0) return false
    const [stored, ...others] = await Promise.all(
      [null, ...slugs].map((lang) => this.settings(lang)),
    )
    return others.some((settings) => names.some((name) => settings[name] !== stored?.[name]))
  }

  async #translate(lang: string | null): Promise<Translate> {
    const translations = await this.#memo.once('string translations', async () =>
      readStringTranslations(this.#db, this.#site, await this.languages()),
    )
    return translations.get(lang ?? '') ?? ((text) => text)
  }

  /** `site.*` in a language. */
  async siteFields(lang: string | null): Promise<Record<string, Value>> {
    const [links, settings] = await Promise.all([this.links(), this.settings(lang)])
    const locale = findLanguage(links.languages, lang)?.locale ?? (await this.#locale())
    return siteFields(this.#site, links, settings, locale, lang)
  }

  /** The locale of a site without languages. */
  #locale(): Promise<string> {
    return this.#memo.once('locale', () => readLocale(this.#db, this.#site))
  }

  /**
   * The values of `page.*`. Calls in one tick share up to five statements.
   * @param fields the fields to read; those that take no statement of their own are always included
   */
  async pageValues(page: Page, fields: ReadonlySet<string>): Promise<Record<string, Value>> {
    const links = await this.links()
    const rows = (pages: readonly Post[]): Value =>
      pages.filter(isPublic).map((other) => pageRow(links, other))
    const [text, ancestors, children, translations] = await Promise.all([
      fields.has('content') || fields.has('excerpt') ? this.#text(page) : undefined,
      fields.has('ancestors') ? this.#ancestors(page) : [],
      fields.has('children') ? this.#children(page) : [],
      fields.has('translations') ? this.#translations(page) : [],
    ])
    return {
      ...pageRow(links, page),
      lang: page.lang ?? links.languages.default,
      // Menus need these two; markup cannot print them (`isPageField`).
      isFront: [links.front.id, links.front.translations.get(page.lang ?? '')?.id].includes(
        page.id,
      ),
      ancestorIds: ancestors.map(({ id }) => id),
      ...(text ? { content: withoutBlockComments(text.content), excerpt: text.excerpt } : {}),
      ancestors: rows(ancestors),
      children: rows(children),
      translations: Object.fromEntries(
        translations.filter(isPublic).map((other) => [other.lang, postUrl(links, other)]),
      ),
    }
  }

  async #languageRows(): Promise<LanguageValue[]> {
    return languageRows(await this.links())
  }

  #dataset(name: string): Promise<Value> {
    return this.#memo.once(`dataset ${name}`, () => readDataset(this.#db, this.#site, name))
  }

  #menu(choice: MenuChoice, lang: string | null): Promise<MenuValue | null> {
    return this.#memo.once(`menu ${menuKey(choice)} ${lang}`, async () => {
      const [stored, context] = await Promise.all([
        this.storedMenu(choice, lang),
        this.#menuContext(lang),
      ])
      return stored ? readMenuValue(this.#db, this.#site, context, stored, lang) : null
    })
  }

  #menuContext(lang: string | null): Promise<MenuContext> {
    return this.#memo.once(`menu context ${lang}`, async () => {
      const [links, settings] = await Promise.all([this.links(), this.settings(null)])
      const privacyPage = await this.#privacyPage(settings, links.languages, lang)
      return { links, frontPageId: idIn(settings.page_on_front), privacyPage }
    })
  }

  /** In a language, its translation, if it has one (PLL filters.php, translate_page_for_privacy_policy). */
  async #privacyPage(
    { wp_page_for_privacy_policy }: Settings,
    { list }: Languages,
    lang: string | null,
  ): Promise<Post | undefined> {
    const id = idIn(wp_page_for_privacy_policy)
    const page = (await this.#posts(id > 0 ? [id] : [])).get(id)
    if (lang === null || list.length === 0 || page?.lang === lang) return page
    const translated = page?.translations.get(lang) ?? 0
    return (await this.#posts(translated > 0 ? [translated] : [])).get(translated)
  }

  #locationMaps(): Promise<LocationMaps> {
    return this.#memo.once('location maps', () => readLocationMaps(this.#db, this.#site))
  }

  /** Posts by id: at least these and their ancestors. */
  async #posts(ids: readonly number[]): Promise<ReadonlyMap<number, Post>> {
    if (ids.length === 0) return new Map()
    const languages = await this.languages()
    return this.#batches.read('posts', ids, (ids: number[]) =>
      readPosts(this.#db, this.#site, languages, { ids }),
    )
  }

  async #text({ id }: Page): Promise<PageText> {
    const texts = await this.#batches.read('texts', [id], (ids: number[]) =>
      readPageTexts(this.#db, this.#site, ids),
    )
    return texts.get(id) ?? { content: '', excerpt: '' }
  }

  /** As many rows as a repeat prints, and one more, by which it knows that it leaves some out. */
  async #pageRows(lang: string | null): Promise<Value[]> {
    const links = await this.links()
    const { languages } = links
    const pages = await listFirstPages(this.#db, this.#site, languages, lang, MAX_ROWS + 1)
    return pages.map((page) => pageRow(links, page))
  }

  async #children({ id }: Page): Promise<readonly Post[]> {
    const languages = await this.languages()
    const children = await this.#batches.read('children', [id], (parents: number[]) =>
      readChildPages(this.#db, this.#site, languages, parents),
    )
    return children.get(id) ?? []
  }

  /** The ancestors of a page, from the top down. */
  async #ancestors(page: Page): Promise<Post[]> {
    const posts: ReadonlyMap<number, Post> =
      page.parent > 0 ? await this.#posts([page.id]) : new Map()
    const found = new Set<Post>()
    for (
      let post = posts.get(page.parent);
      post && !found.has(post);
      post = posts.get(post.parent)
    ) {
      found.add(post)
    }
    return [...found].reverse()
  }

  async #translations({ translations }: Page): Promise<Post[]> {
    const ids = [...translations.values()]
    const posts = await this.#posts(ids)
    return ids.flatMap((id) => posts.get(id) ?? [])
  }

  /** Reads a value for each item, by key. Undefined values are left out. */
  async #entries<T, V>(
    items: readonly T[],
    keyOf: (item: T) => string,
    read: (item: T) => Promise<V>,
  ): Promise<Record<string, V>> {
    const entries = await Promise.all(items.map(async (item) => [keyOf(item), await read(item)]))
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  }
}

const menusTooLarge = (): AppError =>
  new AppError(
    'menu_too_large',
    `The menus that the frames of this site show take more than ${MAX_SHOWN_MENU_BYTES / 1024 / 1024} MB together, too much to be read. Remove items, or shorten their descriptions and addresses, in WordPress.`,
    { max_bytes: MAX_SHOWN_MENU_BYTES },
  )
