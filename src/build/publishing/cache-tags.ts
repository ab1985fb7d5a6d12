import type { CacheTagHeader, CacheTagSettings } from '../../host/config/cache-purge.ts'

/** The tags of a copy. */
export type CopyTags = {
  /** Those of its network, site and page, by which pages are purged. */
  readonly own: readonly string[]
  /** Those of what it shows. */
  readonly more: readonly string[]
  /** What `more` is made of; undefined without `more`. */
  readonly shown: ShownTags | undefined
}

/** What the tags of a page are made of. */
export type TaggedPage = {
  /** Blog id. */
  readonly site: number
  readonly page: number
  /** What the page shows besides; undefined if it is not known. */
  readonly shown?: ShownTags | undefined
}

/** The frames and menus that a page shows. */
export type ShownTags = {
  /** Ids of the page's frame and of the frames that it embeds. */
  readonly frames: readonly string[]
  readonly menus: boolean
}

/** Tags of a page. */
export const MAX_CACHE_TAGS = 16
/** Length of the header with the tags, in bytes: some page caches read no more. */
export const MAX_CACHE_TAG_BYTES = 1023
/** Headers whose tags are separated by spaces; all others by commas. */
const SPACED: ReadonlySet<CacheTagHeader> = new Set(['Surrogate-Key', 'xkey'])

/** The tag of all pages of a site. */
export const siteTag = (prefix: string, site: number): string => `${prefix}-s${site}`

/** The tag of one page. */
export const pageTag = (prefix: string, site: number, page: number | string): string =>
  `${siteTag(prefix, site)}-p${page}`

/**
 * The tags of a page or its static copy: of the network, the site, the page, the frames that it shows, and of pages with menus. They consist of
 * lower-case letters, digits and `-`. Those of the frames and menus are left out if they would exceed the limits: such a page is purged with its
 * site, or by its own tag.
 */
export function tagsOfPage(prefix: string, { site, page, shown }: TaggedPage): string[] {
  const own = siteTag(prefix, site)
  const tags = ownTags(prefix, { site, page })
  const more = shown
    ? [...shown.frames.map((id) => `${own}-f${id}`), ...(shown.menus ? [`${own}-menu`] : [])]
    : []
  const all = [...tags, ...more]
  const bytes = all.join(', ').length
  return all.length > MAX_CACHE_TAGS || bytes > MAX_CACHE_TAG_BYTES ? tags : all
}

/** The tags of a page without those of what it shows. */
const ownTags = (prefix: string, { site, page }: TaggedPage): string[] => [
  prefix,
  siteTag(prefix, site),
  pageTag(prefix, site, page),
]

/** The tags of a copy, for the metadata of a store. Undefined if pages have no tags. */
export function tagsOfCopy(
  settings: CacheTagSettings | undefined,
  page: TaggedPage,
): CopyTags | undefined {
  if (settings === undefined) return undefined
  const own = ownTags(settings.prefix, page)
  const more = tagsOfPage(settings.prefix, page).slice(own.length)
  return { own, more, shown: more.length > 0 ? page.shown : undefined }
}

/** The response header of a page. None if no header is configured, or the page is not known: no purge would reach it. */
export function cacheTagHeaders(
  settings: CacheTagSettings | undefined,
  page: TaggedPage | undefined,
): Record<string, string> {
  if (settings === undefined || page === undefined) return {}
  const { header, prefix } = settings
  return { [header]: tagsOfPage(prefix, page).join(SPACED.has(header) ? ' ' : ',') }
}
