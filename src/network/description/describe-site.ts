import { listFramePages } from '../../content/frames/frame-pages.ts'
import { readFrame } from '../../content/frames/read-frame.ts'
import { type FrameName, type Registry, readRegistry } from '../../content/frames/registry.ts'
import { findSlug } from '../../content/frames/slug.ts'
import { isMenuSize } from '../../content/menus/item-tree.ts'
import { LOCATIONS } from '../../content/menus/location-names.ts'
import { readablePath } from '../../content/menus/portable-items.ts'
import { formatLocation, readPortableMenu } from '../../content/menus/portable-menu.ts'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../host/errors.ts'
import { groupBy } from '../../host/group-by.ts'
import { listMenus } from '../../wordpress/nav-menus/nav-menu.ts'
import { isMenuTooLarge } from '../../wordpress/nav-menus/read-menu.ts'
import { type Site, siteAddress } from '../../wordpress/network/site.ts'
import { readOption } from '../../wordpress/options/read-options.ts'
import { listPages } from '../../wordpress/pages/pages.ts'
import { type LinkSettings, readLinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { type Bundle, parseVariables } from './description.ts'
import type { WholeBundle } from './join-sites.ts'
import { describeMenu } from './menu-template.ts'
import { VARIABLES_OPTION, type Variables } from './variables.ts'

/** Reports something that a description cannot express. */
type ReportNote = (note: string) => void

/** Is called with the JSON of each thing, and each note; throws to stop the reading. */
export type Spend = (json: string) => void

/** What a site has, and what of it a description cannot contain. */
export type DescribedSite = { readonly bundle: WholeBundle; readonly notes: readonly string[] }

/**
 * Describes what a site has, as a bundle.
 * @throws what `spend` throws
 */
export async function describeSite(
  db: Db,
  site: Site,
  spend: Spend = () => {},
): Promise<DescribedSite> {
  const notes: string[] = []
  const report: ReportNote = (text) => {
    const note = `${siteAddress(site)}: ${text}`
    spend(note)
    notes.push(note)
  }
  const bundle: WholeBundle = { frames: [], menus: [], pages: [], variables: {} }
  const spent = <T>(value: T): T => {
    spend(JSON.stringify(value))
    return value
  }
  const registry = await readRegistry(db, site)
  const links = await readLinkSettings(db, site)
  const slugs = new Set<string>()
  for await (const frame of describeFrames(db, site, registry.all(), report)) {
    slugs.add(frame.slug)
    bundle.frames.push(spent(frame))
  }
  for await (const menu of describeMenus(db, site, links, report)) bundle.menus.push(spent(menu))
  for (const page of await describePages(db, site, links, registry, report))
    if (page.frame !== null && slugs.has(page.frame)) bundle.pages.push(spent(page))
  Object.assign(bundle.variables, spent(await readVariables(db, site, report)))
  return { bundle, notes }
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
    const portable = await readPortableMenu(db, site, links, menu).catch((error) => {
      if (!isMenuTooLarge(error)) throw error
      report(`the menu "${menu.slug}" is left out: ${error.message}`)
    })
    if (!portable) continue
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
