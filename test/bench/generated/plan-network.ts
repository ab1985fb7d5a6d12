import type { SitePlan } from './fill-site.ts'

type SiteKind = Pick<SitePlan, 'pageCount' | 'hasLanguages'>

/** A generated network, besides the sites of the test network. */
export type NetworkPlan = {
  /** Identifies what is generated. */
  readonly name: string
  /** All generated sites, by id. */
  readonly sites: readonly SitePlan[]
  /** The sites that all others are copies of: the first of each kind. */
  readonly models: readonly SitePlan[]
  /** Whether the pages of the models have static copies from the beginning. */
  readonly isPublished: boolean
  /** Caches of the server that hold all tables of the network, and all pages of the largest site. */
  readonly tableCache: number
  readonly bufferPoolMb: number
}

/** Of a hundred sites, how many have how many pages. Sites with two languages have each page in both. */
export const DISTRIBUTION = [
  { percent: 80, pageCount: 3, hasLanguages: false },
  { percent: 15, pageCount: 8, hasLanguages: true },
  { percent: 4, pageCount: 30, hasLanguages: true },
  { percent: 1, pageCount: 100, hasLanguages: false },
] as const

/** Each hundred sites have the whole distribution. @param count at least 100 */
export function planSites(count: number): NetworkPlan {
  const hundred = DISTRIBUTION.flatMap(({ percent, ...kind }) => repeat(percent, [kind]))
  return planOf(`${count} sites`, repeat(count, hundred))
}

/** A network of one site with this number of pages. */
export const planPages = (pageCount: number): NetworkPlan => ({
  ...planOf(`a site of ${pageCount} pages`, [{ pageCount, hasLanguages: true }]),
  isPublished: false,
})

/** A site of 200 pages, one of many, and others of ten pages, half of them with languages. */
export function planEdited({ sites, pages }: { sites: number; pages: number }): NetworkPlan {
  const edited = [200, pages].map((pageCount) => ({ pageCount, hasLanguages: true }))
  const others = [true, false].map((hasLanguages) => ({ pageCount: 10, hasLanguages }))
  const kinds = [...edited, ...repeat(sites - edited.length, others)]
  return planOf(`${sites} sites, one of ${pages} pages`, kinds)
}

const repeat = (count: number, kinds: readonly SiteKind[]): SiteKind[] =>
  Array.from({ length: count }, (_, index) => kinds[index % kinds.length]).filter(
    (kind) => kind !== undefined,
  )

/** The first blog id after the sites of the test network. */
const FIRST_ID = 11
const TABLES_PER_SITE = 10
/** Of the test network, the service and the server. */
const OTHER_TABLES = 300
const MIN_POOL_MB = 256
const POOL_MB_PER_SITE = 0.8
const POOL_MB_PER_PAGE = 0.01

function planOf(name: string, kinds: readonly SiteKind[]): NetworkPlan {
  const sites = kinds.map((kind, index): SitePlan => {
    const blogId = FIRST_ID + index
    // Half of the sites have a domain of their own, the others a path.
    return blogId % 4 < 2
      ? { ...kind, blogId, domain: 'net.test', path: `/site-${blogId}/` }
      : { ...kind, blogId, domain: `site-${blogId}.test`, path: '/' }
  })
  const pages = Math.max(...kinds.map(({ pageCount }) => pageCount))
  return {
    name,
    sites,
    models: sites.filter((site, at) => sites.findIndex((other) => isLike(other, site)) === at),
    isPublished: true,
    tableCache: sites.length * TABLES_PER_SITE + OTHER_TABLES,
    bufferPoolMb: Math.round(
      MIN_POOL_MB + sites.length * POOL_MB_PER_SITE + pages * POOL_MB_PER_PAGE,
    ),
  }
}

/** Whether a site is generated like another one. */
export const isLike = (one: SiteKind, other: SiteKind): boolean =>
  one.pageCount === other.pageCount && one.hasLanguages === other.hasLanguages
