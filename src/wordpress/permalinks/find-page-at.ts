import type { Db } from '../../db/database.ts'
import { groupBy } from '../../host/group-by.ts'
import { pagePathSlugs } from '../formatting/slugs.ts'
import type { Site } from '../network/site.ts'
import { isPage, isPublic, type Page, type Post, readPosts } from '../pages/posts.ts'
import { type Address, parsePageUrl, queryValue } from './address.ts'
import { isPretty, type LinkSettings } from './link-settings.ts'
import { isHiddenLanguage, linkModel } from './switch-language.ts'
import { homeUrl, postUrl } from './urls.ts'

/** A page and its URL. */
export type FoundPage = {
  readonly page: Page
  /** The page's own URL. */
  readonly url: string
  /** False if the requested URL leads to the page but is not the page's own. */
  readonly exact: boolean
  /** Whether the requested URL is the home of the site, and all languages have another one: which one is shown there may change. */
  readonly isUndecided: boolean
}

/**
 * The public page at an address of a site, as WordPress and Polylang resolve it, in at most one statement: the page with exactly this URL,
 * else a page with a similar URL, preferably in the address's language. Similar means: other case, an extra or missing slash, `index.php/`,
 * another language's prefix or host, the front page's own slug, `?page_id=`, `?pagename=` (redirect_canonical, canonical.php; PLL canonical.php). Pages
 * that visitors may not see are not found.
 */
export async function findPageAt(
  db: Db,
  site: Site,
  links: LinkSettings,
  address: Address,
): Promise<FoundPage | undefined> {
  const [found] = await findPagesAt(db, site, links, [address])
  return found
}

/** Like `findPageAt` for each of these addresses, in order, with as many statements as for one. */
export async function findPagesAt(
  db: Db,
  site: Site,
  links: LinkSettings,
  addresses: readonly Address[],
): Promise<(FoundPage | undefined)[]> {
  const lookups = addresses.map((address) => toPageLookup(links, site, address))
  const candidates = await readCandidates(db, site, links, lookups)
  return addresses.map((address, index) => {
    const lookup = lookups[index]
    return lookup && bestMatch(links, address, lookup, candidatesOf(links, lookup, candidates))
  })
}

function bestMatch(
  links: LinkSettings,
  address: Address,
  lookup: PageLookup,
  candidates: readonly Post[],
): FoundPage | undefined {
  const pages = candidates.filter(isPage).filter(isPublic)
  // Polylang redirects from there for now only (home_requested, PLL choose-lang.php).
  const main = links.languages.default
  const isUndecided =
    main !== null &&
    !isHiddenLanguage(links, main) &&
    linkModel(links) !== 'domain' &&
    !lookup.hasLanguage &&
    lookup.id === 0 &&
    lookup.paths.includes('')
  const ranked = [
    ...pages.filter(({ lang }) => lang === lookup.lang),
    ...pages.filter(({ lang }) => lang !== lookup.lang),
  ].map((page) => {
    const url = postUrl(links, page)
    const exact = isSameAddress(links, parsePageUrl(url), address)
    return { page, url, exact, isUndecided: !exact && isUndecided }
  })
  return ranked.find(({ exact }) => exact) ?? ranked[0]
}

type PageLookup = {
  /** The id in `?page_id=` or `?p=`, which precedes the path; 0 for none. */
  readonly id: number
  /** The language in the address, else the default language. */
  readonly lang: string | null
  /** Whether the address contains a language. */
  readonly hasLanguage: boolean
  /** Candidate page paths; '' for the home. */
  readonly paths: readonly string[]
}

function toPageLookup(links: LinkSettings, site: Site, address: Address): PageLookup {
  const codes = [languageInQuery(links, address), languageOfHost(links, address)]
  const paths: string[] = []
  for (const below of segmentsBelowHome(links, site, address.segments)) {
    const names = below.filter((name) => name !== '')
    if (names[0] === 'index.php') names.shift()
    const at = names[0] === 'language' && findLanguageCode(links, names[1]) !== undefined ? 1 : 0
    const code = findLanguageCode(links, names[at])
    codes.unshift(code)
    // A page's own slug may equal a language code, so both readings are candidates.
    paths.push(pagePathOf(names))
    if (code !== undefined) paths.push(pagePathOf(names.slice(at + 1)))
  }
  const language = codes.find((code) => code !== undefined)
  const pagename = queryValue(address, 'pagename')
  return {
    id: idInQuery(queryValue(address, 'page_id')) || idInQuery(queryValue(address, 'p')),
    lang: language ?? links.languages.default,
    hasLanguage: language !== undefined,
    paths: pagename ? [pagePathOf(pagename.split('/'))] : paths.flatMap(withoutPageNumber),
  }
}

/** The id as WordPress reads it, from the number at the start of the text (absint, functions.php); 0 for none. */
function idInQuery(text: string | undefined): number {
  const [, number] = /^\s*[+-]?((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/.exec(text ?? '') ?? []
  const id = Math.trunc(Number(number ?? 0))
  return Number.isSafeInteger(id) ? id : 0
}

/** A path, and the one without a number at its end: `/about/2/` is the second part of a page (redirect_canonical, canonical.php). */
function withoutPageNumber(path: string): string[] {
  const [, above] = /^(.+)\/\d{1,9}$/.exec(path) ?? []
  return above === undefined ? [path] : [path, above]
}

function findLanguageCode(
  { languages }: LinkSettings,
  code: string | undefined,
): string | undefined {
  return languages.list.find(({ slug }) => slug === code?.toLowerCase())?.slug
}

function languageInQuery(links: LinkSettings, address: Address): string | undefined {
  return isPretty(links) ? undefined : findLanguageCode(links, queryValue(address, 'lang'))
}

/** The language whose home is on this host, if the default language's home is not. */
function languageOfHost(links: LinkSettings, { host }: Address): string | undefined {
  const isHere = (lang: string | null) => parsePageUrl(homeUrl(links, lang))?.host === host
  const { list, default: main } = links.languages
  return isHere(main) ? undefined : list.find(({ slug }) => isHere(slug))?.slug
}

function pagePathOf(names: readonly string[]): string {
  return pagePathSlugs(names.map(encodeURIComponent).join('/')).join('/')
}

/**
 * The segments below the site's home. The site's path may be in its option `home` and in `blogs`, which may differ, or in neither on a
 * language's own host.
 */
function segmentsBelowHome(
  { home }: LinkSettings,
  { path }: Site,
  names: readonly string[],
): (readonly string[])[] {
  const bases = [parsePageUrl(home)?.segments.join('/') ?? '', path.replace(/^\/|\/$/g, '')]
  const below = [...new Set(bases)].flatMap((base) => {
    const length = base === '' ? 0 : base.split('/').length
    const isAbove = names.slice(0, length).join('/').toLowerCase() === base.toLowerCase()
    return isAbove ? [names.slice(length)] : []
  })
  return below.length > 0 ? below : [names]
}

type Candidates = {
  readonly byId: ReadonlyMap<number, Post>
  /** In the order of their ids. */
  readonly byPath: ReadonlyMap<string, readonly Post[]>
}

/** Reads the pages that these lookups name, and their ancestors. */
async function readCandidates(
  db: Db,
  site: Site,
  { languages }: LinkSettings,
  lookups: readonly PageLookup[],
): Promise<Candidates> {
  const ids = lookups.flatMap(({ id }) => (id > 0 ? id : []))
  const paths = lookups.flatMap(({ paths }) => paths)
  const slugs = paths.map((path) => path.slice(path.lastIndexOf('/') + 1)).filter(Boolean)
  const byId = await readPosts(db, site, languages, {
    type: 'page',
    ids: [...new Set(ids)],
    slugs: [...new Set(slugs)],
  })
  return { byId, byPath: groupBy(byId.values(), ({ path }) => path) }
}

function candidatesOf(
  { front }: LinkSettings,
  { id, lang, hasLanguage, paths }: PageLookup,
  { byId, byPath }: Candidates,
): Post[] {
  const fronts = [...front.translations.values(), ...(front.page ? [front.page] : [])]
  const home = paths.includes('')
    ? fronts.filter((page) => !hasLanguage || page.lang === lang || page.lang === null)
    : []
  const named = [...new Set(paths)].flatMap((path) => (path && byPath.get(path)) || [])
  // An id selects another page at the address of a page.
  if (id > 0) return paths.includes('') || named.length > 0 ? [byId.get(id) ?? []].flat() : []
  return [...home, ...named.sort((a, b) => a.id - b.id)]
}

/** The query parameters by which WordPress finds a page, and Polylang where links are plain. */
export function routingKeys(links: LinkSettings): string[] {
  return isPretty(links) ? ROUTING_KEYS : [...ROUTING_KEYS, 'lang']
}

const ROUTING_KEYS = ['page_id', 'p', 'pagename']

/** Whether the query may name another page than the path. */
export function isRoutedByQuery(address: Address): boolean {
  return ROUTING_KEYS.some((key) => queryValue(address, key) !== undefined)
}

function isSameAddress(links: LinkSettings, own: Address | undefined, requested: Address): boolean {
  return (
    own !== undefined &&
    own.host === requested.host &&
    own.slash === requested.slash &&
    own.segments.length === requested.segments.length &&
    own.segments.every((segment, index) => segment === requested.segments[index]) &&
    routingKeys(links).every((key) => queryValue(own, key) === queryValue(requested, key))
  )
}
