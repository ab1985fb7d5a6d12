import { phpTrim } from '#php-serialized'
import type { Tx } from '../../db/transaction.ts'
import { assertPrecondition, type Precondition } from '../../host/preconditions.ts'
import { readContents } from '../../record/history/read-history.ts'
import { kses } from '../../wordpress/formatting/kses.ts'
import { collationKey } from '../../wordpress/formatting/menu-texts.ts'
import { sanitizeUrl } from '../../wordpress/formatting/sanitize-url.ts'
import { lockStoredMenu, readSharingTaxonomy } from '../../wordpress/nav-menus/menu-term.ts'
import { listMenus } from '../../wordpress/nav-menus/nav-menu.ts'
import { linkItems, type StoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readLocations, setLocations } from '../menus/assign-menu.ts'
import { type LocationFields, parseLocationRef } from '../menus/location-history.ts'
import {
  type MenuFields,
  type MenuItemContent,
  menuText,
  storedItemOf,
} from '../menus/menu-history.ts'
import { lockMenuNames } from '../menus/menu-names.ts'
import { assertMenuPrecondition, versionOfMenu } from '../menus/menu-target.ts'
import { storedTitle } from '../menus/resolve-tree.ts'
import type { WriteContext } from '../menus/write-context.ts'
import { removeMenu, restoreMenu } from '../menus/write-menu.ts'
import type { Obstacle, RestoreTarget } from './choose-targets.ts'

type MenuRestoreContext = {
  readonly readMenuContext: (tx: Tx) => Promise<WriteContext>
  readonly precondition: Precondition | undefined
}

/** Restores menus with their items; menus that must not exist first, so that their names are free. */
export async function restoreMenus(
  tx: Tx,
  site: Site,
  targets: readonly RestoreTarget[],
  { readMenuContext, precondition }: MenuRestoreContext,
): Promise<Obstacle[]> {
  if (targets.length === 0) return []
  lockMenuNames(tx, site)
  const hashes = targets.flatMap(({ wanted }) => wanted?.content ?? [])
  const [context, contents] = await Promise.all([
    readMenuContext(tx),
    readContents(tx, site, hashes),
  ])
  const obstacles: Obstacle[] = []
  const sorted = [...targets].sort((a, b) => Number(a.thing.ref) - Number(b.thing.ref))
  const locked: { target: RestoreTarget; before: StoredMenu | undefined }[] = []
  for (const target of sorted) {
    const before = await lockStoredMenu(tx, site, Number(target.thing.ref))
    if (precondition) await assertMenuVersion(tx, site, target, before, precondition)
    locked.push({ target, before })
  }
  for (const { target, before } of locked) {
    if (target.wanted?.state == null && before) await removeMenu(tx, site, before)
  }
  const refs = new Set(targets.map(({ thing }) => thing.ref))
  const others = (await listMenus(tx, site)).filter(({ id }) => !refs.has(String(id)))
  for (const { target, before } of locked) {
    const { thing, wanted } = target
    if (!wanted || wanted.state === null) continue
    const obstacle = (reason: Obstacle['reason'], message: string): void =>
      void obstacles.push({ ...thing, name: wanted.name, reason, message })
    const text = contents.get(wanted.content ?? '')
    const fields: MenuFields = JSON.parse(wanted.state)
    if (text === undefined) {
      obstacle('history_pruned', 'The items of this state are no longer in the history.')
      continue
    }
    const nameKey = collationKey(fields.name)
    if (others.some(({ name, slug }) => slug === fields.slug || collationKey(name) === nameKey)) {
      obstacle('name_taken', `Another menu is named "${wanted.name}" now. Rename it first.`)
      continue
    }
    if (before && (await isSameMenu(before, fields, text))) continue
    const isRenamed =
      before && (before.menu.name !== fields.name || before.menu.slug !== fields.slug)
    const taxonomy = isRenamed ? await readSharingTaxonomy(tx, site, before.menu.id) : undefined
    if (taxonomy !== undefined) {
      obstacle('term_shared', `The menu shares its term with the taxonomy "${taxonomy}" now.`)
      continue
    }
    const items = filteredItems(JSON.parse(text), before, context).map(storedItemOf)
    const former = { id: Number(thing.ref), fields, items }
    const after = await restoreMenu(tx, site, before, former, context)
    if (!after) {
      obstacle('id_taken', `The id ${thing.ref} belongs to another term now.`)
      continue
    }
    const linked = await linkItems(tx, site, context.links, after)
    for (const { id, title, valid } of linked.items)
      if (!valid)
        obstacle('item_target_missing', `Item ${id} ("${title}") links something that is gone.`)
  }
  return obstacles
}

/** A link that was stored without a title stays so; one whose title is filtered completely gets its address. */
function cleanTitle(title: string, { meta }: MenuItemContent): string {
  if (phpTrim(title) === '') return title
  const address = meta._menu_item_type === 'custom' ? meta._menu_item_url : undefined
  return storedTitle(title, { address, unfilteredHtml: false, isUnchanged: false })
}

/** The items with their texts filtered as in any write, except texts that the menu contains now. */
function filteredItems(
  items: readonly MenuItemContent[],
  before: StoredMenu | undefined,
  { unfilteredHtml }: WriteContext,
): readonly MenuItemContent[] {
  const allowed = withAllowedAddresses(items, before)
  if (unfilteredHtml) return allowed
  const kept = new Set(
    before?.items.flatMap(({ row }) => [row.post_title, row.post_excerpt, row.post_content]),
  )
  const filter = (text: string, clean: (text: string) => string) => {
    const cleaned = clean(text)
    // A bare ampersand, which only the filters encode, is harmless.
    const isHarmless = cleaned.replaceAll('&amp;', '&') === text.replaceAll('&amp;', '&')
    return isHarmless || kept.has(text) ? text : cleaned
  }
  return allowed.map((item) => ({
    ...item,
    title: filter(item.title, (text) => cleanTitle(text, item)),
    excerpt: filter(item.excerpt, kses),
    content: filter(item.content, (text) => (text === ' ' ? text : kses(text))),
  }))
}

const URL_KEY = '_menu_item_url'

/** No write stores an address whose protocol WordPress rejects, such as `javascript:`. One that another program has stored stays while it is there. */
function withAllowedAddresses(
  items: readonly MenuItemContent[],
  before: StoredMenu | undefined,
): readonly MenuItemContent[] {
  const kept = new Set(before?.items.map(({ meta }) => meta.get(URL_KEY)))
  return items.map((item) => {
    const url = item.meta[URL_KEY]
    if (!url || kept.has(url) || sanitizeUrl(url) !== '') return item
    return { ...item, meta: { ...item.meta, [URL_KEY]: '' } }
  })
}

async function assertMenuVersion(
  tx: Tx,
  site: Site,
  { thing, wanted }: RestoreTarget,
  before: StoredMenu | undefined,
  precondition: Precondition,
): Promise<void> {
  if (!before)
    return assertPrecondition(precondition, `The menu "${wanted?.name ?? thing.ref}"`, undefined)
  const version = await versionOfMenu(before)
  await assertMenuPrecondition(tx, site, before.menu, version, precondition)
}

async function isSameMenu(
  before: StoredMenu,
  { name, slug }: MenuFields,
  text: string,
): Promise<boolean> {
  if (before.menu.name !== name || before.menu.slug !== slug) return false
  // Items that are there keep the values of plugins that they have.
  const items: readonly MenuItemContent[] = JSON.parse(text)
  const withoutOthers = items.map(({ others: _, ...item }) => item)
  return (
    (await menuText({ ...before, items: before.items.map(({ others: _, ...item }) => item) })) ===
    JSON.stringify(withoutOthers)
  )
}

/** Restores the assignments of menus, each entry of the maps of themes and Polylang by itself. */
export async function restoreLocations(
  tx: Tx,
  site: Site,
  targets: readonly RestoreTarget[],
): Promise<Obstacle[]> {
  if (targets.length === 0) return []
  const obstacles: Obstacle[] = []
  const menus = new Set((await listMenus(tx, site)).map(({ id }) => id))
  const wanted = targets.flatMap(({ thing, wanted }) => {
    const at = parseLocationRef(thing.ref)
    const fields: LocationFields | null = JSON.parse(wanted?.state ?? 'null')
    const menuId = fields?.menu
    const isMissing = menuId !== undefined && menuId > 0 && !menus.has(menuId)
    if (at && !isMissing) return [{ at, menuId }]
    obstacles.push({
      ...thing,
      name: thing.ref,
      ...(isMissing
        ? { reason: 'menu_missing', message: `Menu ${menuId} does not exist.` }
        : { reason: 'history_pruned', message: 'The name of the location is too long.' }),
    })
    return []
  })
  const current = await readLocations(
    tx,
    site,
    wanted.map(({ at }) => at),
  )
  await setLocations(
    tx,
    site,
    wanted.filter(({ menuId }, index) => current[index] !== menuId),
  )
  return obstacles
}
