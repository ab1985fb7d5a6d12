import { portableItems } from '../../content/diff/compared-items.ts'
import { MAX_DIFF_CHARACTERS } from '../../content/diff/diff-limits.ts'
import { diffMenus } from '../../content/diff/entry-diff.ts'
import { compareItems, type TreeDifference } from '../../content/menus/compare-items.ts'
import {
  chooseName,
  isSameName,
  readMenuName,
  type SentName,
} from '../../content/menus/menu-names.ts'
import { type PortableItems, readPortableItems } from '../../content/menus/portable-items.ts'
import { formatLocation, type PortableAssignment } from '../../content/menus/portable-menu.ts'
import { compareCoordinates, resolveTree, storedTextsOf } from '../../content/menus/resolve-tree.ts'
import { readWriteContext, type WriteContext } from '../../content/menus/write-context.ts'
import type { Db } from '../../db/database.ts'
import { inTimeSlice } from '../../host/concurrency/time-slices.ts'
import { AppError } from '../../host/errors.ts'
import { sha256Hex } from '../../host/hash.ts'
import { collationKey, menuName, readableMenuName } from '../../wordpress/formatting/menu-texts.ts'
import { sanitizeTitle } from '../../wordpress/formatting/slugs.ts'
import { assertLanguage } from '../../wordpress/languages/languages.ts'
import { itemObjectId } from '../../wordpress/nav-menus/menu-item.ts'
import { readSharingTaxonomy, storableMenuName } from '../../wordpress/nav-menus/menu-term.ts'
import { listMenus, type Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import { readWholeMenu, type StoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOption } from '../../wordpress/options/read-options.ts'
import type { DesiredMenu, DesiredSite } from '../description/desired-site.ts'
import type { PlanContext } from './plan-context.ts'
import { type MatchedMenu, type PlannedLocations, planLocations } from './plan-locations.ts'
import type { PlanProblem, Step } from './site-plan.ts'

/** A menu to write. */
export type MenuWrite = {
  /** The menu before; undefined for a new one. */
  readonly before: StoredMenu | undefined
  /** As stored. */
  readonly name: string
  readonly slug: string
  readonly menu: DesiredMenu
  /** What an existing menu lacks; undefined if it has all items already. */
  readonly difference: TreeDifference | undefined
}

export type PlannedMenus = {
  readonly writes: readonly MenuWrite[]
  readonly deletions: readonly Menu[]
  /** The ids of all described menus that exist. */
  readonly matched: readonly number[]
  readonly locations: PlannedLocations
  readonly steps: readonly Step[]
  readonly problems: readonly PlanProblem[]
  readonly warnings: readonly PlanProblem[]
  /** Undefined if no menu is described and none may be deleted. */
  readonly context: WriteContext | undefined
}

/** Compares the menus of a site and their locations with the desired ones. */
export async function planMenus(
  db: Db,
  site: Site,
  desired: Pick<DesiredSite, 'menus' | 'manages'>,
  context: PlanContext,
): Promise<PlannedMenus> {
  if (desired.menus.length === 0 && desired.manages === 'named') return NOTHING
  const [write, menus, theme = ''] = await Promise.all([
    readWriteContext(db, site, context, context.now),
    listMenus(db, site),
    readOption(db, site, 'stylesheet'),
  ])
  const { deletions, ...found } = matchMenus(menus, desired, write.locale)
  const planning = new MenuPlanning(db, site, write, context)
  const matched: MatchedMenu[] = []
  for (const match of found.matched)
    matched.push(match.wanted.adapts ? await planning.adapt(match, theme) : match)
  for (const match of matched) await planning.compare(match)
  planning.assertUniqueNames(menus.filter((menu) => !deletions.includes(menu)))
  const locations = await planLocations(db, site, write.links.languages, {
    matched,
    deletions,
    menus,
    theme,
    manages: desired.manages,
  })
  const deleted: Step[] = []
  for (const menu of deletions) deleted.push(await planning.deletionOf(menu))
  return {
    writes: planning.writes,
    deletions,
    locations,
    context: write,
    matched: matched.flatMap(({ current }) => current?.id ?? []),
    steps: [...planning.steps, ...locations.steps, ...deleted],
    problems: [...planning.problems, ...locations.problems],
    warnings: planning.warnings,
  }
}

const NOTHING: PlannedMenus = {
  writes: [],
  deletions: [],
  matched: [],
  steps: [],
  problems: [],
  warnings: [],
  context: undefined,
  locations: { assigned: [], cleared: [], themes: [], steps: [], problems: [] },
}

/** Finds the menu that each desired one is now: the one with its slug, else with one of its former slugs. */
function matchMenus(
  menus: readonly Menu[],
  desired: Pick<DesiredSite, 'menus' | 'manages'>,
  locale: string,
): { readonly matched: readonly MatchedMenu[]; readonly deletions: readonly Menu[] } {
  const slugOf = (text: string): string => sanitizeTitle(text, locale)
  // Of menus with equal slugs the first one.
  const bySlug = new Map([...menus].reverse().map((menu) => [menu.slug, menu]))
  const slugs = new Set(desired.menus.map(({ slug }) => slugOf(slug)))
  const claimed = new Set<Menu>()
  const matched = desired.menus.map((wanted): MatchedMenu => {
    const slug = slugOf(wanted.slug)
    const former = wanted.formerly.map(slugOf).find((one) => bySlug.has(one) && !slugs.has(one))
    const current = bySlug.get(slug) ?? bySlug.get(former ?? '')
    if (!current || claimed.has(current)) return { wanted, slug, current: undefined }
    claimed.add(current)
    return { wanted, slug, current }
  })
  const others = menus.filter((menu) => !claimed.has(menu))
  return { matched, deletions: desired.manages === 'all' ? others : [] }
}

class MenuPlanning {
  readonly writes: MenuWrite[] = []
  readonly steps: Step[] = []
  readonly problems: PlanProblem[] = []
  readonly warnings: PlanProblem[] = []
  readonly #db: Db
  readonly #site: Site
  readonly #write: WriteContext
  readonly #context: PlanContext

  constructor(db: Db, site: Site, write: WriteContext, context: PlanContext) {
    this.#db = db
    this.#site = site
    this.#write = write
    this.#context = context
  }

  /** Fits a menu to the site, and says how. */
  async adapt(match: MatchedMenu, theme: string): Promise<MatchedMenu> {
    const { wanted, current } = match
    const [db, site] = [this.#db, this.#site]
    const isOfTheme = (one: PortableAssignment) => (one.theme ?? theme) === theme
    const locations = wanted.locations.filter(isOfTheme)
    for (const one of wanted.locations)
      if (!isOfTheme(one)) {
        const location = formatLocation(one)
        const message = `It is not assigned to ${location}: the site uses another theme.`
        this.#warn(wanted.slug, 'location_of_another_theme', message)
      }
    // WordPress completes a theme switch at its next request (wp_map_nav_menu_locations).
    if (locations.length > 0 && (await readOption(db, site, 'theme_switched'))) {
      const message = 'A theme switch is pending; WordPress may then reassign menus.'
      this.#warn(wanted.slug, 'theme_switch_pending', message)
    }
    // `compare` reports a name that no menu can have.
    const chosen = await chooseName(db, site, menuName(wanted.name), current?.id).catch((error) => {
      if (!(error instanceof AppError)) throw error
    })
    const fitted = { ...wanted, slug: match.slug, locations }
    if (!chosen || chosen.warnings.length === 0) return { ...match, wanted: fitted }
    const name = readableMenuName(chosen.value)
    this.#warn(
      wanted.slug,
      'name_changed',
      `Another menu has the name, so this one gets the name "${name}".`,
    )
    return { ...match, wanted: { ...fitted, name } }
  }

  async compare({ wanted, slug, current }: MatchedMenu): Promise<void> {
    const name = this.#readName(wanted)
    if (!name) return
    if (slug === '') return this.#refuse(wanted, 'slug_missing', 'The menu has no slug.')
    if (!this.#hasLanguage(wanted)) return
    const [db, site] = [this.#db, this.#site]
    const before = current && (await readWholeMenu(db, site, current.id))
    const { allowInvalid = false, mayReplace = true } = wanted
    const kept = before && !allowInvalid ? linkedPosts(before) : new Set<number>()
    const texts = before && { ...storedTextsOf(before), posts: kept }
    const resolved = await resolveTree(db, site, this.#write, wanted.tree, texts)
    const invalid = allowInvalid ? [] : resolved.invalid
    const wrong = [...resolved.bad, ...resolved.unresolved, ...invalid].sort((a, b) =>
      compareCoordinates(a.at, b.at),
    )
    for (const { at, reason, message } of wrong)
      this.problems.push({ kind: 'menu', name: wanted.slug, reason, at, message })
    if (wrong.length > 0) return
    for (const { at, message } of resolved.invalid)
      this.#warn(slug, 'item_left_out', `It is left out: ${message}`, at)
    const { items } = resolved
    const { links } = this.#write
    const difference =
      before && (await compareItems(db, site, links, before, items, { isFile: true }))
    const isSame = difference?.isSame === true
    const stored = await storableMenuName(db, site, name.stored)
    const isNamed = before !== undefined && isSameName(before.menu, { ...name, stored })
    if (isSame && isNamed && before.menu.slug === slug) return
    if (before && !(isNamed && before.menu.slug === slug))
      await this.#refuseSharedTerm(wanted, before)
    if (before && !mayReplace) this.#refuse(wanted, 'menu_exists', 'It exists and differs.')
    this.writes.push({
      before,
      slug,
      menu: wanted,
      difference: isSame ? undefined : difference,
      name: isNamed ? before.menu.name : stored,
    })
    this.steps.push(await this.#stepOf(wanted, slug, before, isSame))
    if (before && difference && !isSame) this.#warnOfLosses(slug, before, difference)
  }

  async #refuseSharedTerm(wanted: DesiredMenu, { menu }: StoredMenu): Promise<void> {
    const taxonomy = await readSharingTaxonomy(this.#db, this.#site, menu.id)
    if (taxonomy === undefined) return
    const message = `It shares its term with the taxonomy "${taxonomy}", whose term would be renamed too. Save the menu once in WordPress, which splits the term.`
    this.#refuse(wanted, 'term_shared', message)
  }

  /** Says which values of plugins go with the items that the tree does not have. */
  #warnOfLosses(slug: string, { items }: StoredMenu, { removed }: TreeDifference): void {
    const lost = new Map(items.map(({ row, others = [] }) => [row.ID, others]))
    for (const item of removed) {
      const keys = [...new Set(lost.get(item.id)?.map(([key]) => key))]
      if (keys.length === 0) continue
      const name = JSON.stringify(item.ownTitle || item.url || `${item.object} ${item.objectId}`)
      const message = `The item ${name} is deleted, and with it the values that plugins keep with it (${keys.join(', ')}). An item keeps them only if its link or its title stays.`
      this.#warn(slug, 'plugin_values_lost', message)
    }
  }

  #hasLanguage(wanted: DesiredMenu): boolean {
    const lang = wanted.tree.targetLang
    if (lang === undefined) return true
    try {
      assertLanguage(this.#write.links.languages, lang)
      return true
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      this.#refuse(wanted, error.code, `Language ${lang}: ${error.message}`)
      return false
    }
  }

  /**
   * WordPress allows no two menus with names that are equal in the column's collation.
   * @param kept the menus that the plan does not delete
   */
  assertUniqueNames(kept: readonly Menu[]): void {
    const named = this.writes.filter(({ before, name }) => name !== before?.menu.name)
    const isNamed = new Set(named.map(({ before }) => before?.menu.id))
    const others = kept.filter(({ id }) => !isNamed.has(id))
    const taken = new Map(others.map((menu) => [collationKey(menu.name), menu.slug]))
    for (const { name, slug, menu } of named) {
      const key = collationKey(name)
      const other = taken.get(key)
      taken.set(key, slug)
      if (other === undefined) continue
      const message = `The menu "${other}" has the name "${menu.name}" too. Describe it with another name, or delete it.`
      this.#refuse(menu, 'name_taken', message)
    }
  }

  #readName(wanted: DesiredMenu): SentName | undefined {
    try {
      return readMenuName(wanted.name)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const isMissing = error.code === 'menu_name_required'
      const reason = isMissing ? 'menu_name_missing' : 'menu_name_too_long'
      return this.#refuse(wanted, reason, 'The name of the menu is missing or too long.')
    }
  }

  #refuse({ slug }: DesiredMenu, reason: string, message: string): undefined {
    this.problems.push({ kind: 'menu', name: slug, reason, message })
  }

  #warn(name: string, reason: string, message: string, at?: string): void {
    this.warnings.push({ kind: 'menu', name, reason, at, message })
  }

  async #stepOf(
    wanted: DesiredMenu,
    slug: string,
    stored: StoredMenu | undefined,
    isSame: boolean,
  ): Promise<Step> {
    const before = stored && (await this.#readPortable(stored.menu))
    const { items } = wanted.tree
    // Items that an export leaves out stay.
    const leftOut = before?.leftOut ?? []
    const after = { items, leftOut, name: wanted.name, slug }
    return {
      kind: 'menu',
      name: slug,
      ...(await this.#compareContent(before, after)),
      action: stored ? (isSame ? 'renamed' : 'replaced') : 'created',
      from: stored && stored.menu.slug !== slug ? stored.menu.slug : undefined,
      ref: stored && String(stored.menu.id),
    }
  }

  /** The step names the content, so that a saved plan does not delete items that it has not seen. */
  async deletionOf(menu: Menu): Promise<Step> {
    const content = await this.#compareContent(await this.#readPortable(menu), undefined)
    return { kind: 'menu', name: menu.slug, action: 'deleted', ref: String(menu.id), ...content }
  }

  async #readPortable({ id, name, slug }: Menu): Promise<DescribedMenu> {
    const portable = await readPortableItems(this.#db, this.#site, this.#write.links, id)
    return { ...portable, name: readableMenuName(name), slug }
  }

  async #compareContent(
    before: DescribedMenu | undefined,
    after: DescribedMenu | undefined,
  ): Promise<Pick<Step, 'before' | 'after' | 'diff'>> {
    const digests = {
      before: await inTimeSlice(() => digestOf(before)),
      after: await inTimeSlice(() => digestOf(after)),
    }
    const { diffs } = this.#context
    if (!diffs) return digests
    const known = diffs.find(digests.before, digests.after)
    if (known !== undefined) return { ...digests, diff: known }
    const [old, wanted] = [before && comparedMenu(before), after && comparedMenu(after)]
    const { text } = await inTimeSlice(() => diffMenus(old, wanted, MAX_DIFF_CHARACTERS))
    return { ...digests, diff: diffs.add(digests.before, digests.after, text) }
  }
}

/** A menu without ids, as a description has it. */
type DescribedMenu = PortableItems & { readonly name: string; readonly slug: string }

/** The posts that a menu links. A description of an existing menu may link pages that are not published. */
const linkedPosts = ({ items }: StoredMenu): ReadonlySet<number> =>
  new Set(items.map(({ meta }) => itemObjectId(meta)))

const comparedMenu = ({ name, slug, ...items }: DescribedMenu) => ({
  fields: { name, slug },
  items: portableItems(items),
})

/** Identifies what a menu shows, and the items that cannot be described: they would be lost. Only those have ids. */
const digestOf = (menu: DescribedMenu | undefined): string | null =>
  menu ? sha256Hex(JSON.stringify([menu.name, menu.slug, menu.items, menu.leftOut])) : null
