import type { ReportedEdits } from '../changed-rows.ts'

/** Beyond these numbers, all posts or options of the site count as changed. */
export const MAX_POSTS_PER_SITE = 500
export const MAX_OPTIONS_PER_SITE = 200
/** Beyond this number of sites, everything counts as changed. */
export const MAX_SITES = 5000
/** Posts and options of all sites that are listed one by one; limits the memory to some megabytes. */
const MAX_LISTED = 50_000

type MutableRows = {
  posts: Set<number> | 'all'
  options: Set<string> | 'all'
  terms: boolean
  network: boolean
}

/**
 * Collects what changed, in bounded memory: a set instead of a queue. Comparing the same rows once or a thousand times has the same result,
 * so neither the order nor the number of changes matters.
 */
export class ChangedSites {
  #everything = false
  #sites = new Map<number, MutableRows>()
  #listed = 0

  get isEmpty(): boolean {
    return !this.#everything && this.#sites.size === 0
  }

  /** Adds a post of a site; undefined for all of them. */
  addPost(blogId: number, id: number | undefined): void {
    const rows = this.#rowsOf(blogId)
    if (rows) rows.posts = this.#withValue(rows.posts, id, MAX_POSTS_PER_SITE)
  }

  /** Adds an option of a site; undefined for all of them. */
  addOption(blogId: number, name: string | undefined): void {
    const rows = this.#rowsOf(blogId)
    if (rows) rows.options = this.#withValue(rows.options, name, MAX_OPTIONS_PER_SITE)
  }

  addTerms(blogId: number): void {
    const rows = this.#rowsOf(blogId)
    if (rows) rows.terms = true
  }

  addNetworkRow(blogId: number): void {
    const rows = this.#rowsOf(blogId)
    if (rows) rows.network = true
  }

  addEverything(): void {
    this.#everything = true
    this.#sites = new Map()
    this.#listed = 0
  }

  hasAllPosts(blogId: number): boolean {
    return this.#everything || this.#sites.get(blogId)?.posts === 'all'
  }

  hasAllOptions(blogId: number): boolean {
    return this.#everything || this.#sites.get(blogId)?.options === 'all'
  }

  /** Returns what was collected, and starts again with nothing. */
  take(): ReportedEdits {
    const changes = { everything: this.#everything, sites: this.#sites }
    this.#everything = false
    this.#sites = new Map()
    this.#listed = 0
    return changes
  }

  /** Adds what `take` returned. */
  merge({ everything, sites }: ReportedEdits): void {
    if (everything) this.addEverything()
    for (const [blogId, { posts, options, terms, network }] of sites) {
      for (const id of posts === 'all' ? [undefined] : posts) this.addPost(blogId, id)
      for (const name of options === 'all' ? [undefined] : options) this.addOption(blogId, name)
      if (terms) this.addTerms(blogId)
      if (network) this.addNetworkRow(blogId)
    }
  }

  /** Undefined if everything counts as changed. */
  #rowsOf(blogId: number): MutableRows | undefined {
    if (this.#everything) return undefined
    const known = this.#sites.get(blogId)
    if (known) return known
    if (this.#sites.size >= MAX_SITES) {
      this.addEverything()
      return undefined
    }
    const rows = {
      posts: new Set<number>(),
      options: new Set<string>(),
      terms: false,
      network: false,
    }
    this.#sites.set(blogId, rows)
    return rows
  }

  #withValue<T>(values: Set<T> | 'all', value: T | undefined, limit: number): Set<T> | 'all' {
    if (values === 'all' || (value !== undefined && values.has(value))) return values
    if (value === undefined || values.size >= limit || this.#listed >= MAX_LISTED) {
      this.#listed -= values.size
      return 'all'
    }
    this.#listed += 1
    return values.add(value)
  }
}
