import { encodePhp, type PhpInput } from '#php-serialized'
import { blocksOf } from './blocks.ts'
import {
  codesOf,
  type ItemSource,
  type LanguageSource,
  type MenuSource,
  type SiteSource,
  textOf,
} from './sources.ts'

type Row = Readonly<Record<string, string | number>>
type Rows = readonly Row[]

/** The rows of a site by the name of the table, without its prefix. */
export type SiteRows = Readonly<Record<string, Rows>>

/** When everything in the demo network was written. */
export const WRITTEN = '2026-09-01 06:00:00'
const AUTHOR = 1

/** Polylang's option. */
const POLYLANG_VERSION = '3.8.7'
const ACTIVATED = 1788242400

/**
 * Makes the rows that WordPress and Polylang would store for a site.
 * @param options those of a new site
 */
export function siteRows(
  site: SiteSource,
  network: { readonly host: string; readonly options: Readonly<Record<string, string>> },
): SiteRows {
  return new SiteBuilder(site, `http://${site.host ?? network.host}${site.path}`).build(
    network.options,
  )
}

/** The frame of each page. */
export function pageFrames(site: SiteSource): { readonly id: number; readonly frame: string }[] {
  const codes = codesOf(site)
  // Pages are stored first, each in all languages.
  return Object.values(site.pages).flatMap(({ frame }, index) =>
    codes.map((_, at) => ({ id: index * codes.length + at + 1, frame })),
  )
}

/** Collects rows; ids are given in order, as by a database. */
class SiteBuilder {
  readonly #site: SiteSource
  /** The home address, with a slash at its end. */
  readonly #home: string
  readonly #codes: readonly string[]
  readonly #posts: Row[] = []
  readonly #postmeta: Row[] = []
  readonly #terms: Row[] = []
  readonly #taxonomy: { term_id: number; taxonomy: string; description: string; count: number }[] =
    []
  readonly #termmeta: Row[] = []
  readonly #relationships: Row[] = []
  /** Id of a page by its key and language. */
  readonly #pageIds = new Map<string, number>()
  /** Location to language to id of the menu. */
  readonly #menuIds = new Map<string, Map<string, number>>()
  /** Term id by the code of the language. */
  readonly #languages = new Map<string, number>()

  constructor(site: SiteSource, home: string) {
    this.#site = site
    this.#home = home
    this.#codes = codesOf(site)
  }

  build(defaults: Readonly<Record<string, string>>): SiteRows {
    const category = this.#addTerm('category', 'Uncategorized', 'uncategorized')
    if (this.#site.languages) this.#addLanguages(this.#site.languages, category)
    this.#addPages()
    for (const menu of this.#site.menus) for (const code of this.#codes) this.#addMenu(menu, code)
    const options = { ...defaults, ...this.#options() }
    return {
      posts: this.#posts,
      postmeta: this.#postmeta,
      terms: this.#terms,
      term_taxonomy: this.#taxonomy,
      termmeta: this.#termmeta,
      term_relationships: this.#relationships,
      options: Object.entries(options).map(([option_name, option_value]) => ({
        option_name,
        option_value,
        autoload: 'on',
      })),
    }
  }

  /** WordPress gives a new term the same id in both tables. */
  #addTerm(taxonomy: string, name: string, slug: string, description = '', group = 0): number {
    const id = this.#terms.length + 1
    this.#terms.push({ term_id: id, name, slug, term_group: group })
    this.#taxonomy.push({ term_id: id, taxonomy, description, count: 0 })
    return id
  }

  /** Relates a post or a term to a term. */
  #relate(object: number, term: number): void {
    this.#relationships.push({ object_id: object, term_taxonomy_id: term })
    const counted = this.#taxonomy[term - 1]
    if (counted) counted.count += 1
  }

  /** A language is two terms: of posts, and of terms. Each has its own category. */
  #addLanguages(languages: readonly LanguageSource[], category: number): void {
    const categories = new Map<string, number>()
    for (const [order, { code, locale, name, flag, rtl = false }] of languages.entries()) {
      const details = encodePhp({ locale, rtl, flag_code: flag })
      this.#languages.set(code, this.#addTerm('language', name, code, details, order))
      const ofTerms = this.#addTerm('term_language', name, `pll_${code}`)
      const own =
        order === 0 ? category : this.#addTerm('category', 'Uncategorized', `uncategorized-${code}`)
      this.#relate(own, ofTerms)
      categories.set(code, own)
      this.#addTranslatedTexts(code)
    }
    this.#addTranslations('term_translations', categories)
  }

  /** The tagline in a language. */
  #addTranslatedTexts(code: string): void {
    const [first = ''] = this.#codes
    const { description } = this.#site
    if (code === first) return
    this.#termmeta.push({
      term_id: this.#languages.get(code) ?? 0,
      meta_key: '_pll_strings_translations',
      meta_value: encodePhp([[description[first] ?? '', description[code] ?? '']]),
    })
  }

  /** Posts or terms that are translations of one another share a term, which lists them. */
  #addTranslations(taxonomy: string, objects: ReadonlyMap<string, number>): void {
    const name = `pll_${taxonomy === 'term_translations' ? 't' : 'p'}${this.#terms.length + 1}`
    const term = this.#addTerm(taxonomy, name, name, encodePhp(objects))
    for (const id of objects.values()) this.#relate(id, term)
  }

  #addPages(): void {
    for (const [order, [key, page]] of Object.entries(this.#site.pages).entries()) {
      const translations = new Map<string, number>()
      for (const code of this.#codes) {
        const { title, slug, excerpt } = textOf(page, code)
        const parent = page.parent === undefined ? 0 : this.#pageId(page.parent, code)
        const id = this.#addPost('page', {
          post_title: title,
          post_name: storedSlug(slug),
          post_excerpt: excerpt,
          post_parent: parent,
          menu_order: order,
        })
        this.#pageIds.set(`${key} ${code}`, id)
        translations.set(code, id)
        this.#addMeta(id, { _wp_page_template: 'default' })
        const language = this.#languages.get(code)
        if (language !== undefined) this.#relate(id, language)
      }
      if (this.#site.languages) this.#addTranslations('post_translations', translations)
    }
    this.#fillContents()
  }

  /** Contents link other pages, so they are made when each page has an address. */
  #fillContents(): void {
    for (const [key, page] of Object.entries(this.#site.pages)) {
      for (const code of this.#codes) {
        const index = this.#pageId(key, code) - 1
        const text = textOf(page, code).text.replace(/"page:([\w-]+)"/g, (_, linked: string) =>
          JSON.stringify(this.#addressOf(linked, code)),
        )
        const row = this.#posts[index]
        if (!row) continue
        this.#posts[index] = {
          ...row,
          post_content: blocksOf(text),
          guid: this.#addressOf(key, code),
        }
      }
    }
  }

  #addPost(type: string, fields: Row): number {
    const id = this.#posts.length + 1
    this.#posts.push({
      ID: id,
      post_author: AUTHOR,
      post_date: WRITTEN,
      post_date_gmt: WRITTEN,
      post_content: '',
      post_title: '',
      post_excerpt: '',
      post_status: 'publish',
      comment_status: 'closed',
      ping_status: 'closed',
      post_password: '',
      post_name: String(id),
      to_ping: '',
      pinged: '',
      post_modified: WRITTEN,
      post_modified_gmt: WRITTEN,
      post_content_filtered: '',
      post_parent: 0,
      guid: `${this.#home}?p=${id}`,
      menu_order: 0,
      post_type: type,
      post_mime_type: '',
      comment_count: 0,
      ...fields,
    })
    return id
  }

  #addMeta(post: number, values: Readonly<Record<string, string>>): void {
    for (const [meta_key, meta_value] of Object.entries(values))
      this.#postmeta.push({ post_id: post, meta_key, meta_value })
  }

  #addMenu({ location, slug, name, items }: MenuSource, code: string): void {
    const isDefault = code === this.#codes[0]
    const menu = this.#addTerm('nav_menu', name[code] ?? slug, isDefault ? slug : `${slug}-${code}`)
    const ids = this.#menuIds.get(location) ?? new Map<string, number>()
    this.#menuIds.set(location, ids.set(code, menu))
    let order = 0
    const add = (item: ItemSource, parent: number): void => {
      order += 1
      const id = this.#addItem(item, { code, parent, order })
      this.#relate(id, menu)
      for (const child of item.children ?? []) add(child, id)
    }
    for (const item of items) add(item, 0)
  }

  #addItem(
    { page, url, title }: ItemSource,
    { code, parent, order }: { code: string; parent: number; order: number },
  ): number {
    // An item without a title of its own has a space as its content, so that WordPress stores it.
    const id = this.#addPost('nav_menu_item', {
      post_title: title?.[code] ?? '',
      post_content: title ? '' : ' ',
      menu_order: order,
    })
    const type = page === undefined ? 'custom' : 'post_type'
    this.#addMeta(id, {
      _menu_item_type: type,
      _menu_item_menu_item_parent: String(parent),
      _menu_item_object_id: String(page === undefined ? id : this.#pageId(page, code)),
      _menu_item_object: page === undefined ? 'custom' : 'page',
      _menu_item_target: '',
      _menu_item_classes: encodePhp(['']),
      _menu_item_xfn: '',
      _menu_item_url: url ?? '',
    })
    return id
  }

  #pageId(key: string, code: string): number {
    const id = this.#pageIds.get(`${key} ${code}`)
    if (id === undefined) throw new Error(`the demo's site ${this.#site.id} has no page "${key}"`)
    return id
  }

  #addressOf(key: string, code: string): string {
    const home = code === this.#codes[0] ? this.#home : `${this.#home}${code}/`
    if (key === 'home') return home
    const page = this.#site.pages[key]
    if (!page) throw new Error(`the demo's site ${this.#site.id} has no page "${key}"`)
    const slug = storedSlug(textOf(page, code).slug)
    const parent = page.parent === undefined ? home : this.#addressOf(page.parent, code)
    return `${parent}${slug}/`
  }

  #options(): Record<string, string> {
    const { title, description, theme, locale = '', languages, datasets = {} } = this.#site
    const [first = ''] = this.#codes
    const home = this.#home.replace(/\/$/, '')
    const locations = new Map(
      [...this.#menuIds].map(([location, ids]) => [location, ids.get(first) ?? 0] as const),
    )
    return {
      siteurl: home,
      home,
      blogname: title,
      blogdescription: description[first] ?? '',
      WPLANG: locale === 'en_US' ? '' : locale,
      template: theme,
      stylesheet: theme,
      current_theme: theme,
      [`theme_mods_${theme}`]: encodePhp({ nav_menu_locations: locations }),
      show_on_front: 'page',
      page_on_front: String(this.#pageId('home', first)),
      active_plugins: encodePhp(languages ? ['polylang/polylang.php'] : []),
      ...(languages ? { polylang: encodePhp(this.#polylang()) } : {}),
      ...Object.fromEntries(
        Object.entries(datasets).map(([name, rows]) => [`svc_data_${name}`, JSON.stringify(rows)]),
      ),
    }
  }

  #polylang(): PhpInput {
    return {
      force_lang: 1,
      domains: [],
      hide_default: true,
      rewrite: true,
      // The front page in French is `/fr/` instead of `/fr/accueil/`.
      redirect_lang: true,
      browser: false,
      media_support: false,
      post_types: [],
      taxonomies: [],
      sync: [],
      default_lang: this.#codes[0] ?? '',
      nav_menus: { [this.#site.theme]: this.#menuIds },
      first_activation: ACTIVATED,
      previous_version: '',
      version: POLYLANG_VERSION,
    }
  }
}

/** WordPress stores other letters percent-encoded, in lower case (sanitize_title). */
const storedSlug = (slug: string): string => encodeURIComponent(slug).toLowerCase()
