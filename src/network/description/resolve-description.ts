import type { Db } from '../../db/database.ts'
import { forEachYielding } from '../../host/concurrency/for-each.ts'
import { didYouMean } from '../../host/similar.ts'
import { listManageableSites } from '../../wordpress/network/find-sites.ts'
import type { GlobalTables, Site } from '../../wordpress/network/site.ts'
import { BundleSet, type Composition, describeSite } from './bundle-set.ts'
import { type Description, MAX_VARIABLES } from './description.ts'
import type { DesiredMenu, DesiredSite } from './desired-site.ts'
import { matchSites } from './match-sites.ts'
import { fillMenu, type MenuTemplate } from './menu-template.ts'
import { Problems } from './problems.ts'
import type { Variables } from './variables.ts'

/** Maximum number of frames, menu items and pages that a description wants of all its sites; equal ones of several sites count once. */
export const MAX_DESIRED_THINGS = 2_000_000

export type ResolvedDescription = {
  /** The selected sites by id. Equal frames, menus and lists are the same objects on all sites. */
  readonly sites: readonly { readonly site: Site; readonly desired: DesiredSite }[]
  /** Selections without sites, unused bundles, unreadable sites. */
  readonly warnings: readonly string[]
}

/**
 * Finds the sites that a description selects, and what each of them should have. Whether the sites have the pages that menus and
 * assignments name is not checked.
 * @throws AppError `bad_description` with all problems
 */
export async function resolveDescription(
  db: Db,
  globals: GlobalTables,
  description: Description,
): Promise<ResolvedDescription> {
  const problems = new Problems()
  const bundles = await BundleSet.read(description.bundles, problems)
  const selections = description.sites
  for (const [index, selection] of selections.entries()) {
    for (const name of selection.bundles) {
      if (bundles.has(name)) continue
      const similar = didYouMean(name, Object.keys(description.bundles))
      problems.report(`sites.${index}.bundles`, `There is no bundle "${name}".${similar}`)
    }
  }
  if (description.replace && Object.keys(description.bundles).length > 0)
    problems.report('replace', 'A description replaces a text, or has bundles.')
  problems.assertNone()
  const all = await listManageableSites(db, globals)
  const matched = await matchSites(db, all, selections)
  const filler = new MenuFiller(problems)
  const sites: { site: Site; desired: DesiredSite }[] = []
  await forEachYielding(all, (site) => {
    const indexes = matched.selections.get(site.blogId)
    if (!indexes) return
    const matching = indexes.flatMap((index) => selections[index] ?? [])
    const composition = bundles.compose(
      matching.flatMap((selection) => selection.bundles),
      site,
    )
    const own = matching.map(({ variables }) => variables)
    const variables: Variables = Object.assign({}, composition.variables, ...own)
    const count = Object.keys(variables).length
    if (count > MAX_VARIABLES) {
      problems.report(
        describeSite(site),
        `The site gets ${count} variables; it can have at most ${MAX_VARIABLES}.`,
      )
    }
    const manages = matching.flatMap((selection) => selection.manages ?? []).at(-1)
    sites.push({
      site,
      desired: {
        manages: manages ?? description.manages,
        frames: composition.frames,
        ...(composition.removedFrames.length > 0
          ? { removedFrames: composition.removedFrames }
          : {}),
        menus: filler.fill(composition, variables, site),
        pages: composition.pages,
        variables: count > 0 ? variables : undefined,
      },
    })
    if (bundles.size + filler.size > MAX_DESIRED_THINGS) {
      problems.report(
        'sites',
        `The sites get more than ${MAX_DESIRED_THINGS} different frames, menu items and pages in all. Divide the description.`,
      )
      problems.assertNone()
    }
  })
  problems.assertNone()
  return { sites, warnings: warningsOf(description, matched) }
}

/** Fills in the variables of menus. Sites with the same values get the same menus. */
class MenuFiller {
  /** Number of items in all filled menus. */
  size = 0
  readonly #problems: Problems
  readonly #menus = new Map<MenuTemplate, Map<string, DesiredMenu>>()
  readonly #lists = new Map<Composition, readonly DesiredMenu[]>()

  constructor(problems: Problems) {
    this.#problems = problems
  }

  fill(composition: Composition, variables: Variables, site: Site): readonly DesiredMenu[] {
    const known = this.#lists.get(composition)
    if (known) return known
    const menus = composition.menus.map((template) => this.#fillMenu(template, variables, site))
    const isForAll = composition.menus.every((template) => template.variables.length === 0)
    if (isForAll) this.#lists.set(composition, menus)
    return menus
  }

  #fillMenu(template: MenuTemplate, variables: Variables, site: Site): DesiredMenu {
    const values = JSON.stringify(template.variables.map((name) => variables[name] ?? null))
    const filled = this.#menus.get(template) ?? new Map<string, DesiredMenu>()
    this.#menus.set(template, filled)
    const known = filled.get(values)
    if (known) return known
    const menu = fillMenu(template, variables, (message) =>
      this.#problems.report(template.at, `${message} (${describeSite(site)})`),
    )
    this.size += menu.tree.items.length
    filled.set(values, menu)
    return menu
  }
}

function warningsOf(
  { bundles, sites }: Description,
  { selections, unreadable }: Awaited<ReturnType<typeof matchSites>>,
): string[] {
  const used = new Set([...selections.values()].flat())
  const named = new Set(sites.flatMap((selection) => selection.bundles))
  return [
    ...sites.flatMap(({ match }, index) =>
      used.has(index) ? [] : `Selection ${index + 1} (${JSON.stringify(match)}) matches no site.`,
    ),
    ...Object.keys(bundles).flatMap((name) =>
      named.has(name) ? [] : `No selection names the bundle "${name}".`,
    ),
    ...unreadable.map(
      (site) =>
        `The options of ${describeSite(site)} cannot be read, so selections by theme, language or option do not match it.`,
    ),
  ]
}
