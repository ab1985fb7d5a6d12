import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { listFramePages } from '../frames/frame-pages.ts'
import { readFrame } from '../frames/read-frame.ts'
import { type FrameName, type Registry, readRegistry } from '../frames/registry.ts'
import { findSlug } from '../frames/slug.ts'
import { groupBy } from '../group-by.ts'
import { isMenuSize } from '../menus/item-tree.ts'
import { LOCATIONS } from '../menus/location-names.ts'
import { readablePath } from '../menus/portable-items.ts'
import { formatLocation, readPortableMenu } from '../menus/portable-menu.ts'
import { listMenus } from '../wordpress/nav-menus/nav-menu.ts'
import { type Site, siteAddress } from '../wordpress/network/site.ts'
import { readOption } from '../wordpress/options/read-options.ts'
import { listPages } from '../wordpress/pages/pages.ts'
import { type LinkSettings, readLinkSettings } from '../wordpress/permalinks/link-settings.ts'
import { type Bundle, type Description, parseVariables } from './description.ts'
import { describeMenu } from './menu-template.ts'
import { VARIABLES_OPTION, type Variables } from './variables.ts'

/** Reports something that a description cannot express. */
type ReportNote = (note: string) => void

/** Is called with the JSON of each thing, and each note; throws to stop the reading. */
export type Spend = (json: string) => void

/** A bundle whose frames all have markup. */
export type WholeBundle = Omit<Bundle, 'frames'> & {
  readonly frames: { slug: string; html: string; formerly: string[] }[]
}

/** What sites have, as a description. */
export type WholeDescription = Omit<Description, 'bundles'> & {
  readonly bundles: Record<string, WholeBundle>
}

export type DescribedSites = {
  readonly description: WholeDescription
  /** What the sites have and the description does not contain. */
  readonly notes: readonly string[]
}

/**
 * Describes what sites have: what is equal on all of them in the bundle `shared`, which may be empty, the rest in a bundle for each site, `site-2`. The
 * description leaves everything else of the sites alone.
 * @throws what `spend` throws
 */
export async function describeSites(
  db: Db,
  sites: readonly Site[],
  name: string,
  spend: Spend = () => {},
): Promise<DescribedSites> {
  const notes: string[] = []
  const contents: SiteContents[] = []
  for (const site of sites) {
    const report: ReportNote = (text) => {
      const note = `${siteAddress(site)}: ${text}`
      spend(note)
      notes.push(note)
    }
    contents.push(await readContents(db, site, report, spend))
  }
  const shared = contents.reduce(intersect, contents[0] ?? new Map())
  const bundles: Record<string, WholeBundle> = { shared: bundleOf(shared) }
  const selections: Description['sites'] = [
    {
      match: { id: sites.map(({ blogId }) => blogId) },
      bundles: ['shared'],
      variables: {},
    },
  ]
  for (const [index, { blogId }] of sites.entries()) {
    const own = new Map([...(contents[index] ?? [])].filter(([key]) => !shared.has(key)))
    if (own.size === 0) continue
    bundles[`site-${blogId}`] = bundleOf(own)
    selections.push({ match: { id: [blogId] }, bundles: [`site-${blogId}`], variables: {} })
  }
  return { description: { version: 1, name, manages: 'named', bundles, sites: selections }, notes }
}

/** One thing of a site. */
type Entry =
  | { readonly kind: 'frame'; readonly value: WholeBundle['frames'][number] }
  | { readonly kind: 'menu'; readonly value: Bundle['menus'][number] }
  | { readonly kind: 'page'; readonly value: Bundle['pages'][number] }
  | { readonly kind: 'variable'; readonly value: readonly [string, string] }

/** Everything that a site has, by its JSON: equal things of two sites have the same key. */
type SiteContents = ReadonlyMap<string, Entry>

function intersect(a: SiteContents, b: SiteContents): SiteContents {
  return new Map([...a].filter(([key]) => b.has(key)))
}

function bundleOf(contents: SiteContents): WholeBundle {
  const entries = [...contents.values()]
  return {
    frames: entries.flatMap((entry) => (entry.kind === 'frame' ? entry.value : [])),
    menus: entries.flatMap((entry) => (entry.kind === 'menu' ? entry.value : [])),
    pages: entries.flatMap((entry) => (entry.kind === 'page' ? entry.value : [])),
    variables: Object.fromEntries(
      entries.flatMap((entry) => (entry.kind === 'variable' ? [entry.value] : [])),
    ),
  }
}

async function readContents(
  db: Db,
  site: Site,
  report: ReportNote,
  spend: Spend,
): Promise<SiteContents> {
  const contents = new Map<string, Entry>()
  const add = (entry: Entry): void => {
    const json = JSON.stringify(entry)
    spend(json)
    contents.set(json, entry)
  }
  const registry = await readRegistry(db, site)
  const links = await readLinkSettings(db, site)
  const slugs = new Set<string>()
  for await (const value of describeFrames(db, site, registry.all(), report)) {
    slugs.add(value.slug)
    add({ kind: 'frame', value })
  }
  for await (const value of describeMenus(db, site, links, report)) add({ kind: 'menu', value })
  for (const value of await describePages(db, site, links, registry, report)) {
    if (value.frame !== null && slugs.has(value.frame)) add({ kind: 'page', value })
  }
  for (const value of Object.entries(await readVariables(db, site, report)))
    add({ kind: 'variable', value })
  return contents
}

async function* describeFrames(
  db: Db,
  site: Site,
  names: readonly FrameName[],
  report: ReportNote,
): AsyncGenerator<WholeBundle['frames'][number]> {
  for (const name of names) {
    const { slug } = name
    if (findSlug(slug) !== slug) {
      report(`the frame ${JSON.stringify(slug)} is left out: its slug is invalid.`)
      continue
    }
    const read = await readFrame(db, site, name).catch((error) => {
      if (!(error instanceof AppError)) throw error
      report(`the frame "${slug}" is left out: ${error.message}`)
    })
    if (read) yield { slug, html: read.record.html, formerly: [] }
  }
}

async function* describeMenus(
  db: Db,
  site: Site,
  links: LinkSettings,
  report: ReportNote,
): AsyncGenerator<Bundle['menus'][number]> {
  for (const menu of await listMenus(db, site)) {
    const portable = await readPortableMenu(db, site, links, menu)
    const { slug, items, leftOut } = portable
    if (!isMenuSize(items)) {
      report(`the menu "${slug}" is left out: it is too large for a menu file.`)
      continue
    }
    if (leftOut.length > 0) {
      // Without these items, the first apply would delete them.
      const items = leftOut.map(({ id, title }) => `${id} ${JSON.stringify(title)}`).join(', ')
      report(
        `the menu "${slug}" is left out: visitors do not see its items ${items}. Delete them, or write the menu's file without them.`,
      )
      continue
    }
    const assignments = portable.assignments.filter((assignment) => {
      const isKnown = LOCATIONS.some((location) => location === assignment.location)
      if (!isKnown) report(`the location ${formatLocation(assignment)} is left out.`)
      return isKnown
    })
    yield { ...describeMenu({ ...portable, assignments }), formerly: [] }
  }
}

/** The pages with a frame. A page needs a path that no other page has in its language. */
async function describePages(
  db: Db,
  site: Site,
  { languages, front }: LinkSettings,
  registry: Registry,
  report: ReportNote,
): Promise<Bundle['pages']> {
  const framesOf = await listFramePages(db, site)
  const frames = new Map(
    [...framesOf].flatMap(([ref, ids]) =>
      ids.map((id): [number, string | undefined] => [id, registry.find(ref)?.slug]),
    ),
  )
  const fronts = new Set([front.id, ...[...front.translations.values()].map(({ id }) => id)])
  const pages = (await listPages(db, site, languages)).map(({ id, path, slug, lang }) => ({
    id,
    slug,
    lang,
    path: fronts.has(id) ? '' : readablePath(path),
  }))
  // Drafts that were never published have neither a slug nor a path.
  const byPath = groupBy(
    pages.filter(({ slug }) => slug !== ''),
    ({ path }) => path,
  )
  return pages.flatMap(({ id, path, slug, lang }) => {
    const frame = frames.get(id)
    if (frame === undefined) return []
    const others = (byPath.get(path) ?? []).filter((page) => page.id !== id)
    const isNamed = others.every((page) => page.lang !== lang)
    if (slug !== '' && isNamed) {
      const isAmbiguous = others.length > 0 || (path === '' && lang !== null)
      return [{ path, ...(isAmbiguous && lang !== null ? { lang } : {}), frame }]
    }
    report(`the frame of page ${id} is left out: the page has no path of its own.`)
    return []
  })
}

/** The variables in the site's data set `variables`. */
async function readVariables(db: Db, site: Site, report: ReportNote): Promise<Variables> {
  const text = await readOption(db, site, VARIABLES_OPTION)
  if (text === undefined) return {}
  const variables = parseVariables(text)
  if (!variables)
    report(`the option ${VARIABLES_OPTION} is left out: it is not a JSON object of texts.`)
  return variables ?? {}
}
