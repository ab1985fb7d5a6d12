import { DATASET_PREFIX, REGISTRY_OPTION, recordOption } from '../content/frames/option-names.ts'
import { readSiteGraph } from '../content/frames/read-graph.ts'
import { MAX_WORK_PER_WRITE } from '../content/work/record-work.ts'
import { type SiteContent, type Work, workOn, workOnEmbedders } from '../content/work/work.ts'
import type { Db } from '../db/database.ts'
import { readLanguages } from '../wordpress/languages/languages.ts'
import { ACTIVITY_OPTIONS } from '../wordpress/languages/polylang-activity.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOptions } from '../wordpress/options/read-options.ts'
import { THEME_MODS_PREFIX } from '../wordpress/options/theme-mods.ts'
import { readPosts } from '../wordpress/pages/posts.ts'
import { idIn, storedArray } from '../wordpress/stored-value.ts'
import { type Edits, slugsIn } from './find-edits.ts'
import { findAffectedPages } from './page-relatives.ts'
import type { OptionEdit } from './seen-options.ts'

/** What follows from edits: the work to record, and the frames that another program wrote. */
export type WorkOfEdits = {
  readonly work: readonly Work[]
  /** Ids of frames whose records another program wrote. */
  readonly frames: readonly string[]
  /** Whether the hosts or the address of the site may have changed. */
  readonly isMoved: boolean
}

/** What edits of a site touch, as precisely as the rows say it. */
export async function workOfEdits(db: Db, site: Site, edits: Edits): Promise<WorkOfEdits> {
  const touched = new TouchedByEdits(edits)
  const { frames, isMoved } = touched
  const everything = { work: [...workOn('frame', frames), ...workOn('all')], frames, isMoved }
  if (touched.all) return everything
  const pages = await findPages(db, site, touched, edits)
  if (!pages || pages.size > MAX_WORK_PER_WRITE) return everything
  return { work: [...touched.work, ...workOn('page', pages)], frames, isMoved }
}

async function findPages(
  db: Db,
  site: Site,
  touched: TouchedByEdits,
  edits: Edits,
): Promise<ReadonlySet<number> | undefined> {
  const { moved, relisted, own, fronts, isFrontToggled } = touched
  if (isFrontToggled) {
    const ids = await readOptions(db, site, ['page_on_front', 'page_for_posts'])
    for (const id of [...ids.values()].map(idIn)) if (id > 0) fronts.add(id)
  }
  if (moved.size + relisted.size + own.size + fronts.size === 0) return new Set()
  const [languages, graph] = await Promise.all([readLanguages(db, site), readSiteGraph(db, site)])
  // The translations of the front page are the front pages of their languages.
  const posts = await readPosts(db, site, languages, { ids: [...fronts] })
  for (const id of fronts) {
    moved.add(id)
    for (const translation of posts.get(id)?.translations.values() ?? []) moved.add(translation)
  }
  const context = { db, site, languages, graph, limit: MAX_WORK_PER_WRITE }
  const ofPosts = edits.posts.filter(({ before, after }) => !isMenuItem(before ?? after))
  return findAffectedPages(context, { moved, relisted, own }, ofPosts)
}

/** Collects what the edited rows touch. */
class TouchedByEdits {
  all = false
  copies = false
  isMoved = false
  readonly moved = new Set<number>()
  readonly relisted = new Set<number>()
  readonly own = new Set<number>()
  /** Pages that are or were a front page or the page of posts. */
  readonly fronts = new Set<number>()
  /** Whether the front page became a page or a list of posts. */
  isFrontToggled = false
  readonly #content = new Set<SiteContent>()
  readonly #frames = new Set<string>()
  readonly #references = new Map<string, Set<string>>()

  constructor({ posts, terms, options, strings, network }: Edits) {
    if (strings !== undefined) this.#content.add('settings')
    for (const edit of posts) this.#addPost(edit)
    for (const edit of terms) this.#addTerm(edit)
    for (const edit of options) this.#addOption(edit)
    if (network.has('@site')) {
      this.all = true
      this.isMoved = true
    }
    if (network.has('@paths')) this.copies = true
  }

  get frames(): string[] {
    return [...this.#frames]
  }

  /** The content changed only the baked copies of frames; pages whose own data changed have work of their own. */
  get work(): Work[] {
    return [
      ...workOn('outdated', this.#content),
      ...workOn('frame', this.#frames),
      ...[...this.#references].flatMap(([id, slugs]) => workOnEmbedders(id, [...slugs])),
      ...(this.copies ? workOn('copies') : []),
    ]
  }

  #addPost({ id, before, after }: Edits['posts'][number]): void {
    if (!isPage(before) && !isPage(after)) this.#content.add('menus')
    if (isMenuItem(before ?? after)) return
    this.own.add(id)
    const isMoved = !before || !after || before.address !== after.address
    if (isMoved) this.moved.add(id)
    if (!isMoved && before.listing === after.listing) return
    this.relisted.add(id)
    this.#content.add('pages')
  }

  #addTerm({ before, after }: Edits['terms'][number]): void {
    switch ((after ?? before)?.taxonomy) {
      case 'language':
        // The languages determine the URLs of all pages.
        this.all = true
        this.isMoved = true
        return
      case 'post_translations':
        this.#content.add('pages')
        for (const description of [before?.description, after?.description])
          for (const member of storedArray(description).values())
            if (idIn(member) > 0) this.moved.add(idIn(member))
        return
      default:
        this.#content.add('menus')
    }
  }

  #addOption(edit: OptionEdit): void {
    const { name, before, after } = edit
    if (name.startsWith(THEME_MODS_PREFIX)) this.#content.add('menus')
    else if (name.startsWith(DATASET_PREFIX))
      this.#content.add(`dataset:${name.slice(DATASET_PREFIX.length)}`)
    else if (name === REGISTRY_OPTION) this.#addRegistry(slugsIn(before), slugsIn(after))
    else if (name.startsWith(recordOption(''))) this.#addFrame(name.slice(recordOption('').length))
    else if (FRONT_OPTIONS.has(name)) {
      this.#content.add('settings').add('pages').add('menus')
      if (name === 'show_on_front') this.isFrontToggled = true
      else for (const id of [idIn(before), idIn(after)]) if (id > 0) this.fronts.add(id)
    } else if (name === 'polylang' || ACTIVITY.has(name)) {
      if (name === 'polylang') this.#content.add('menus')
      if (before !== after) this.#addAll()
    } else if (URL_OPTIONS.has(name)) this.#addAll()
    else {
      this.#content.add('settings')
      if (MENU_OPTIONS.has(name)) this.#content.add('menus')
    }
  }

  #addAll(): void {
    this.all = true
    this.isMoved = true
  }

  #addFrame(id: string): void {
    this.#frames.add(id)
    this.#references.set(id, this.#references.get(id) ?? new Set())
  }

  /** Frames were added, removed or renamed by another program. */
  #addRegistry(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): void {
    for (const id of new Set([...before.keys(), ...after.keys()])) {
      const slugs = [before.get(id), after.get(id)]
      if (slugs[0] === slugs[1]) continue
      this.#addFrame(id)
      for (const slug of slugs) if (slug !== undefined) this.#references.get(id)?.add(slug)
    }
  }
}

function isPage(state: { readonly type: string } | undefined): boolean {
  return state?.type === 'page'
}

function isMenuItem(state: { readonly type: string } | undefined): boolean {
  return state?.type === 'nav_menu_item'
}

/** Options that say whether the site has languages. */
const ACTIVITY = new Set<string>(ACTIVITY_OPTIONS)
/** Options with the id of a page whose URL they change. */
const FRONT_OPTIONS = new Set(['show_on_front', 'page_on_front', 'page_for_posts'])
/** Options that change the URLs of all pages. */
const URL_OPTIONS = new Set(['home', 'siteurl', 'permalink_structure'])
/** Options that change which menus a site shows, or their links, but no page's URL. */
const MENU_OPTIONS = new Set([
  'stylesheet',
  'category_base',
  'tag_base',
  'wp_page_for_privacy_policy',
])
