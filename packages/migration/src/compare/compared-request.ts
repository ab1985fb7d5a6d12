import type { ComparedAnswer } from './difference.ts'

/** Requests of one kind have the same fields, and so the same noise. */
export type RequestKind = 'frames' | 'frame' | 'menus' | 'data' | 'error' | 'dry_run' | 'findings'

/** A request that both sides are sent. */
export type ComparedRequest = {
  readonly kind: RequestKind
  /** Route of the contract, with the method: `GET /frames/{ref}`. */
  readonly route: string
  readonly method: string
  /** Below the address of the endpoint, with the query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  /** Instead of the token of the side. */
  readonly token?: 'none' | 'wrong'
}

/** An answer, and how long it took. */
export type TimedAnswer = ComparedAnswer & { readonly ms: number }

/** A site that is compared. */
export type SiteToCompare = {
  readonly blogId: number
  /** Host and path without a slash at the end: `net.test/shop`. */
  readonly address: string
}

/** The ref of a frame and of a menu that no site has. */
const NOTHING = 'wp-frames-compare-nothing'
/** A site that no network has. */
const NO_SITE = 999_999_999
/** Locations of menus in the contract. */
const LOCATIONS = ['header', 'footer_1', 'footer_2', 'footer_3']

/** What the requests of a site are made of: read from its lists. */
export type ComparableContents = {
  readonly frames: readonly CommonFrame[]
  readonly theme: string | undefined
  /** Assigned menus, the default language first. */
  readonly assigned: readonly { readonly location: string; readonly lang: string | null }[]
}

export type CommonFrame = {
  readonly id: string
  readonly slug: string
  readonly html: string | undefined
  readonly sources: readonly string[]
}

const get = (kind: RequestKind, route: string, path: string): ComparedRequest => ({
  kind,
  route: `GET ${route}`,
  method: 'GET',
  path,
})

/** The two lists that say what a site contains. */
export const listRequests = ({ blogId }: SiteToCompare) =>
  ({
    frames: get('frames', '/frames', `/site/${blogId}/frames?include_html=1`),
    menus: get('menus', '/menus', `/site/${blogId}/menus`),
  }) as const

/** What the doctor finds on the site: asked of wp-frames only. */
export const findingsRequest = ({ blogId }: SiteToCompare): ComparedRequest =>
  get('findings', '/findings', `/site/${blogId}/findings`)

/** Which requests besides reads may be sent: only those that a token may send at wp-frames are comparable. */
export type WriteProbes = { readonly frames: boolean; readonly menus: boolean }

/** The requests of a site that follow the lists: one of each route, with each parameter once. */
export function sampleRequests(
  site: SiteToCompare,
  contents: ComparableContents,
  probes: WriteProbes,
): ComparedRequest[] {
  const { blogId } = site
  const [first] = contents.frames
  const block = blockOf(first?.slug ?? 'none')
  const q = (first?.slug ?? 'none').slice(0, 4)
  const [data] = dataRequests(site, contents)
  return [
    get('frames', '/frames', `/frames?blog_id=${blogId}&block=${block}`),
    get('frames', '/frames', `/site/${blogId}/frames?q=${q}&type=page`),
    ...(first ? [get('frame', '/frames/{ref}', `/site/${blogId}/frames/${first.slug}`)] : []),
    ...(data ? [data] : []),
    ...errorRequests(site, probes),
    ...(probes.frames ? dryRuns(site, contents.frames.slice(0, 1)) : []),
  ]
}

/** The menus of a site as visitors see them: those that are assigned, else one location without a menu. */
export function dataRequests(
  { blogId }: SiteToCompare,
  { assigned }: ComparableContents,
): ComparedRequest[] {
  const of = (location: string, lang: string | null): ComparedRequest =>
    get(
      'data',
      '/data/{source}',
      `/site/${blogId}/data/menu.${location}${lang === null ? '' : `?lang=${encodeURIComponent(lang)}`}`,
    )
  if (assigned.length === 0) return [of('header', null)]
  return assigned.map(({ location, lang }) => of(location, lang))
}

/** Requests that each side refuses, so that they write nothing. */
function errorRequests({ blogId }: SiteToCompare, probes: WriteProbes): ComparedRequest[] {
  const rename: ComparedRequest = {
    kind: 'error',
    route: 'PATCH /menus/{ref}',
    method: 'PATCH',
    path: `/site/${blogId}/menus/${NOTHING}`,
    body: { name: NOTHING },
  }
  return [
    get('error', '/frames/{ref}', `/site/${blogId}/frames/${NOTHING}`),
    ...(probes.menus ? [rename] : []),
  ]
}

/** A dry run with the markup that the frame has, so that an endpoint that ignores `dry_run` does not change it. */
function dryRuns({ blogId }: SiteToCompare, frames: readonly CommonFrame[]): ComparedRequest[] {
  return frames.flatMap(({ slug, html }) =>
    html === undefined
      ? []
      : {
          kind: 'dry_run',
          route: 'PUT /frames/{ref}',
          method: 'PUT',
          path: `/site/${blogId}/frames/${slug}`,
          body: { html, dry_run: true, bake: false },
        },
  )
}

/** Every resource of a site that the lists do not have, in both addressings. */
export function everyRequest(
  site: SiteToCompare,
  contents: ComparableContents,
  probes: WriteProbes,
): ComparedRequest[] {
  const { blogId, address } = site
  const { frames, theme } = contents
  const blocks = [...new Set(frames.map(({ slug }) => blockOf(slug)))]
  const old = { 'X-Svc-Blog-Id': String(blogId) }
  const domain = encodeURIComponent(address)
  const langs = [...new Set([null, ...contents.assigned.map(({ lang }) => lang)])]
  const assigned = LOCATIONS.flatMap((location) => langs.map((lang) => ({ location, lang })))
  const others = contents.assigned.filter(({ location }) => !LOCATIONS.includes(location))
  return [
    get('frames', '/frames', `/site/${blogId}/frames`),
    get('frames', '/frames', `/site/${blogId}/frames?type=page`),
    get('frames', '/frames', `/frames?blog_id=${blogId}`),
    { ...get('frames', '/frames', '/frames'), headers: old },
    get('frames', '/frames', `/frames?domain=${domain}`),
    ...blocks.map((block) =>
      get('frames', '/frames', `/site/${blogId}/frames?block=${block}&include_html=1`),
    ),
    ...blocks.map((q) => get('frames', '/frames', `/site/${blogId}/frames?q=${q.toUpperCase()}`)),
    ...frames.flatMap(({ id, slug }) => [
      get('frame', '/frames/{ref}', `/site/${blogId}/frames/${slug}`),
      get('frame', '/frames/{ref}', `/frames/${id}?blog_id=${blogId}`),
    ]),
    get('menus', '/menus', `/menus?blog_id=${blogId}`),
    ...(theme === undefined
      ? []
      : [
          get('menus', '/menus', `/site/${blogId}/menus?theme=${encodeURIComponent(theme)}`),
          get('menus', '/menus', `/site/${blogId}/menus?theme=${NOTHING}`),
        ]),
    ...dataRequests(site, { ...contents, assigned: [...assigned, ...others] }),
    ...otherSources(frames).map((source) =>
      get('data', '/data/{source}', `/site/${blogId}/data/${encodeURIComponent(source)}`),
    ),
    get('error', '/data/{source}', `/site/${blogId}/data/menu.${NOTHING}`),
    get('error', '/frames/defaults', `/site/${blogId}/frames/defaults`),
    ...errorRequests(site, probes),
    ...(probes.frames ? dryRuns(site, frames) : []),
  ]
}

/** The data that frames read besides menus: whole data sets, `site` and `settings`. */
function otherSources(frames: readonly CommonFrame[]): string[] {
  const sources = frames.flatMap(({ sources }) => sources)
  const whole = sources.flatMap((source) => {
    const [root = '', name] = source.split('.')
    if (root === 'dataset' && name !== undefined) return [`dataset.${name}`]
    return ['site', 'settings'].includes(root) ? [root] : []
  })
  return [...new Set(whole)].sort()
}

/** What no site is needed for: sent once in a run. */
export function networkRequests({ blogId }: SiteToCompare): ComparedRequest[] {
  const path = `/site/${blogId}/frames?q=${NOTHING}`
  const probe = (what: string, at: string, token?: 'none' | 'wrong'): ComparedRequest => ({
    ...get('error', `/frames (${what})`, at),
    ...(token === undefined ? {} : { token }),
  })
  return [
    probe('no token', path, 'none'),
    probe('wrong token', path, 'wrong'),
    probe('unknown site', `/site/${NO_SITE}/frames`),
    probe('no site', `/frames?q=${NOTHING}`),
    probe('unknown blog_id', `/frames?blog_id=${NO_SITE}`),
    get('error', '/… (unknown route)', `/site/${blogId}/${NOTHING}`),
  ]
}

const blockOf = (slug: string): string => slug.split(/__|--/, 1)[0] ?? slug
