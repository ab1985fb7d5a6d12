import { parseMarkupInput } from '../../content/frames/frame-markup.ts'
import { findSlug, parseSlug } from '../../content/frames/slug.ts'
import { formatLocation } from '../../content/menus/portable-menu.ts'
import { forEachYielding } from '../../host/concurrency/for-each.ts'
import { AppError } from '../../host/errors.ts'
import { pagePathSlugs, sanitizeTitle } from '../../wordpress/formatting/slugs.ts'
import { type Site, siteAddress } from '../../wordpress/network/site.ts'
import type { Bundle, Description } from './description.ts'
import type { DesiredFrame, DesiredPage, RemovedFrame } from './desired-site.ts'
import { type MenuTemplate, readMenuTemplate } from './menu-template.ts'
import type { Problems } from './problems.ts'
import type { Variables } from './variables.ts'

/** The validated contents of a bundle, or of several. */
export type Composition = {
  readonly frames: readonly DesiredFrame[]
  readonly removedFrames: readonly RemovedFrame[]
  readonly menus: readonly MenuTemplate[]
  readonly pages: readonly DesiredPage[]
  readonly variables: Variables
}

/** The bundles of a description. Sites with the same bundles get the same objects. */
export class BundleSet {
  /** Number of frames, menu items and pages in all bundles and their compositions. */
  size = 0
  readonly #bundles: ReadonlyMap<string, Composition>
  readonly #composed = new Map<string, Composition>()
  readonly #problems: Problems

  private constructor(bundles: ReadonlyMap<string, Composition>, problems: Problems) {
    this.#bundles = bundles
    this.#problems = problems
  }

  /** Reads the bundles of a description, and reports the problems of each. */
  static async read(bundles: Description['bundles'], problems: Problems): Promise<BundleSet> {
    const read = new Map<string, Composition>()
    const set = new BundleSet(read, problems)
    await forEachYielding(Object.entries(bundles), ([name, content]) => {
      const bundle = readBundle(name, content, problems)
      read.set(name, bundle)
      set.#reportDuplicates([{ name, bundle }], `bundles.${name}`)
    })
    return set
  }

  has(name: string): boolean {
    return this.#bundles.has(name)
  }

  /**
   * The contents of several bundles together. What two of them describe is a problem; of variables, that of the later bundle is used.
   * @param site that gets them first, for messages
   */
  compose(names: readonly string[], site: Site): Composition {
    const unique = [...new Set(names)]
    const key = unique.join()
    const known = this.#composed.get(key)
    if (known) return known
    const named = unique.flatMap((name) => {
      const bundle = this.#bundles.get(name)
      return bundle ? [{ name, bundle }] : []
    })
    const [only, ...others] = named.map(({ bundle }) => bundle)
    const composition = only && others.length === 0 ? only : joinBundles(named)
    if (named.length > 1) {
      this.#reportDuplicates(named, describeSite(site))
    }
    this.size += composition.frames.length + composition.menus.length + composition.pages.length
    this.#composed.set(key, composition)
    return composition
  }

  /** Reports what these bundles describe twice. */
  #reportDuplicates(bundles: readonly NamedBundle[], at: string): void {
    const owners = new Map<string, string>()
    for (const { name, bundle } of bundles) {
      for (const claim of claimsOf(bundle)) {
        const owner = owners.get(claim)
        owners.set(claim, name)
        // Within a bundle, it is reported for the bundle itself.
        if (owner === undefined || (owner === name && bundles.length > 1)) continue
        const where = owner === name ? 'twice' : `in the bundles "${owner}" and "${name}"`
        this.#problems.report(at, `${claim} is described ${where}.`)
      }
    }
  }
}

/** A site in messages. */
export function describeSite(site: Site): string {
  return `site ${site.blogId}, ${siteAddress(site)}`
}

type NamedBundle = { readonly name: string; readonly bundle: Composition }

function joinBundles(bundles: readonly NamedBundle[]): Composition {
  return {
    frames: bundles.flatMap(({ bundle }) => bundle.frames),
    removedFrames: bundles.flatMap(({ bundle }) => bundle.removedFrames),
    menus: bundles.flatMap(({ bundle }) => bundle.menus),
    pages: bundles.flatMap(({ bundle }) => bundle.pages),
    variables: Object.assign({}, ...bundles.map(({ bundle }) => bundle.variables)),
  }
}

/** What a site can have only once: names of the slugs, locations and pages of a bundle. */
function* claimsOf({ frames, removedFrames, menus, pages }: Composition): Generator<string> {
  for (const { slug } of removedFrames) yield `The frame "${slug}"`
  for (const { slug, formerly, id } of frames)
    for (const one of new Set([slug, ...(id === undefined ? formerly : [])]))
      yield `The frame "${one}"`
  for (const { menu } of menus) {
    const slugs = [menu.slug, ...menu.formerly].map((slug) => sanitizeTitle(slug, 'en_US'))
    for (const slug of new Set(slugs)) yield `The menu "${slug}"`
    for (const location of menu.locations) yield `The location ${formatLocation(location)}`
  }
  for (const { path, lang } of pages)
    yield `The page "/${pagePathSlugs(path).join('/')}"${lang === undefined ? '' : ` (${lang})`}`
}

function readBundle(name: string, bundle: Bundle, problems: Problems): Composition {
  /** Reads each entry of a list; the ones with a problem are left out. */
  const readEach = <Entry, Value>(
    list: 'frames' | 'menus' | 'pages',
    entries: readonly Entry[],
    read: (entry: Entry, at: string) => Value | undefined,
  ): Value[] =>
    entries.flatMap((entry, index) => {
      const at = `bundles.${name}.${list}.${index}`
      try {
        return read(entry, at) ?? []
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        problems.report(at, error.message)
        return []
      }
    })
  return {
    frames: readEach('frames', bundle.frames, ({ slug, html, formerly, id, before }) =>
      html === undefined
        ? undefined
        : {
            slug: parseSlug(slug),
            html: parseMarkupInput(html),
            // Slugs that an older endpoint wrote may be invalid.
            formerly: formerly.map((former) => findSlug(former) ?? former),
            id,
            before,
          },
    ),
    removedFrames: bundle.frames.flatMap(({ slug, absent, id, before }) =>
      absent ? [{ slug: findSlug(slug) ?? slug, id, before }] : [],
    ),
    menus: readEach('menus', bundle.menus, (menu, index) =>
      readMenuTemplate(menu, index, problems),
    ),
    pages: readEach('pages', bundle.pages, ({ path, frame, ...page }) => ({
      ...page,
      path: path.replace(/^\/+|(?<!\/)\/+$/g, ''),
      frame: frame === null ? null : parseSlug(frame),
    })),
    variables: bundle.variables,
  }
}
