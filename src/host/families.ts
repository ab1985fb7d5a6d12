/** What happens with the requests of a family: `old` passes all, `compare` too, and compares the answers to reads with our own. */
const TREATMENTS = ['old', 'compare'] as const

/** The families that the old endpoint still answers, by the first segment of their paths below the site. Others are answered by this service if it can. */
export type LegacyFamilies = ReadonlyMap<string, (typeof TREATMENTS)[number]>

/** Paths that only this service has, so they are no families of the old endpoint. */
export const OWN_FAMILIES: readonly string[] = ['network', 'mcp', 'docs', 'console', 'openapi.json']

/**
 * Parses `menus,pages=old,frames=compare`.
 * @throws Error with what is wrong, as the end of a sentence about the setting
 */
export function parseFamilies(text: string): LegacyFamilies {
  const families = new Map<string, (typeof TREATMENTS)[number]>()
  for (const part of text.split(',').map((one) => one.trim())) {
    const [, family = '', chosen = 'old'] = /^([a-z0-9][a-z0-9_-]*)(?:=(.*))?$/.exec(part) ?? []
    const treatment = TREATMENTS.find((name) => name === chosen)
    if (OWN_FAMILIES.includes(part.split('=', 1)[0] ?? '') || family === 'site')
      throw new Error(`must not contain ${part}, which is no family of the old endpoint`)
    if (family === '' || treatment === undefined)
      throw new Error(
        `contains "${part}"; write the first segments of paths below the site, each alone or with =old or =compare, such as menus,pages=old,frames=compare`,
      )
    if (families.has(family)) throw new Error(`contains ${family} twice`)
    families.set(family, treatment)
  }
  return families
}

/** The families of the old endpoint that the contract names. */
const KNOWN_FAMILIES = [
  'data',
  'datasets',
  'domains',
  'frames',
  'languages',
  'me',
  'media',
  'menus',
  'pages',
  'seo',
  'settings',
  'sites',
  'styles',
  'translations',
  'users',
]

/** The parts of a path below the base path. */
export type LegacyPath = {
  /** The id in `/site/<id>`, decoded; undefined in the legacy addressing. */
  readonly siteId: string | undefined
  /** `/frames/header`, or `/`. */
  readonly below: string
  /** The first segment, in lower case; empty for the root. */
  readonly family: string
}

/**
 * Parses a path as the most tolerant server would: with any encoding of its letters, and several slashes for one. The answer to who serves a path must
 * not depend on how it is written.
 * @param path below the base path, percent-encoded, without a query
 * @throws URIError for a path that cannot be decoded
 */
export function parseLegacyPath(path: string): LegacyPath {
  const segments = path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => encodeURIComponent(decodeURIComponent(segment)))
  const hasSite = segments[0]?.toLowerCase() === 'site'
  const below = hasSite ? segments.slice(2) : segments
  return {
    siteId: hasSite ? decodeURIComponent(segments[1] ?? '') : undefined,
    below: `/${below.join('/')}`,
    family: (below[0] ?? '').toLowerCase(),
  }
}

/** Whether requests of a family may go to the old endpoint: others could reach what else its WordPress answers. The root is that of a site. */
export const isPassedFamily = (family: string, families: LegacyFamilies): boolean =>
  family === '' || KNOWN_FAMILIES.includes(family) || families.has(family)
