import type { Value } from '../evaluation/program.ts'
import { type MenuEntry, normalizeAddress } from './menu-entries.ts'

/** Classes that mark a menu's entries relative to the current page. */
export type CurrentMarks = {
  /** Whether the entry links the current page. */
  isCurrent(entry: MenuEntry): boolean
  /** Classes of an entry that links the current page; [] for others. */
  ownClasses(entry: MenuEntry): string[]
  /** Classes of an entry that contains such an entry, or that links an ancestor of the current page. */
  ancestorClasses(entry: MenuEntry): string[]
}

export const NOTHING_CURRENT: CurrentMarks = {
  isCurrent: () => false,
  ownClasses: () => [],
  ancestorClasses: () => [],
}

/**
 * The classes of the current page and its ancestors, as `_wp_menu_item_classes_by_context` (nav-menu-template.php) sets them on a page.
 * @param page values of `page.*`, including `ancestorIds`
 * @param home the home URL in the menu's language
 */
export function currentMarks(
  entries: readonly MenuEntry[],
  page: Readonly<Record<string, Value>>,
  home: string,
): CurrentMarks {
  const addresses = addressesOf(String(page.url ?? ''))
  const isPage = (entry: MenuEntry): boolean =>
    entry.type === 'post_type' && entry.objectId === page.id
  const isAddress = (entry: MenuEntry): boolean =>
    entry.object === 'custom' && entry.url !== '' && addresses.has(normalizeAddress(entry.url))
  const isLinked = (entry: MenuEntry): boolean => isPage(entry) || isAddress(entry)
  // The switcher's entry for the current language links the page but is not marked as current, nor are its ancestors (PLL frontend-nav-menu.php).
  const isCurrent = (entry: MenuEntry): boolean => isLinked(entry) && !isCurrentLanguage(entry)

  const linked = entries.filter(isLinked)
  const current = linked.filter(isCurrent)
  const ancestorsOf = (descendants: readonly MenuEntry[]): Set<number> =>
    ancestorIds(
      entries,
      descendants.filter(({ inDropdown }) => !inDropdown).map(({ parent }) => parent),
    )
  const ancestors = ancestorsOf(linked)
  const parents = new Set(linked.map(({ parent }) => parent))
  const ancestorsOfCurrent = ancestorsOf(current)
  for (const id of ancestorsOf(entries.filter(isCurrentLanguage))) {
    if (ancestorsOfCurrent.has(id)) continue
    ancestors.delete(id)
    parents.delete(id)
  }
  const ancestorPages = new Set(Array.isArray(page.ancestorIds) ? page.ancestorIds : [])
  const parentPage = current.some(isPage) ? page.parent : 0
  const parentClass = `current-${linked.at(-1)?.object}-parent`

  return {
    isCurrent,
    ownClasses: (entry) => {
      if (!isLinked(entry)) return []
      if (!isPage(entry)) {
        const isHome = normalizeAddress(home) === normalizeAddress(String(page.url ?? ''))
        return [
          ...(isCurrent(entry) ? ['current-menu-item'] : []),
          ...(isHome ? ['current_page_item'] : []),
        ]
      }
      return entry.object === 'page'
        ? ['current-menu-item', 'page_item', `page-item-${entry.objectId}`, 'current_page_item']
        : ['current-menu-item']
    },
    ancestorClasses: (entry) => {
      const isParent = entry.id > 0 && parents.has(entry.id)
      const isAncestor = entry.id > 0 && ancestors.has(entry.id)
      const isPageItem = entry.type === 'post_type' && entry.object === 'page'
      const classes: (string | false)[] = [
        entry.type === 'post_type' && ancestorPages.has(entry.objectId) && 'current-page-ancestor',
        isAncestor && 'current-menu-ancestor',
        isParent && 'current-menu-parent',
        parentPage !== 0 && entry.objectId === parentPage && parentClass,
        isPageItem && isParent && 'current_page_parent',
        isPageItem && isAncestor && 'current_page_ancestor',
      ]
      return classes.filter((name) => name !== false)
    },
  }
}

/** All classes of an entry in WordPress's order, without duplicates. */
export function entryClasses(
  entry: MenuEntry,
  marks: CurrentMarks,
  hasChildren: boolean,
): string[] {
  const home = entry.marks.map((mark) => `menu-item-${mark}`)
  const current = marks.ownClasses(entry)
  const names = [
    ...entry.classes,
    'menu-item',
    `menu-item-type-${entry.type}`,
    `menu-item-object-${entry.object}`,
    ...(entry.object === 'custom' ? [...current, ...home] : [...home, ...current]),
    ...marks.ancestorClasses(entry),
    ...(hasChildren ? ['menu-item-has-children'] : []),
    `menu-item-${entry.key}`,
  ]
  return [...new Set(names)].filter((name) => name !== '')
}

/** Whether this is the switcher's entry for the current language; with Polylang 3.9 also the head of a drop-down. */
function isCurrentLanguage({ classes }: MenuEntry): boolean {
  return classes.includes('current-lang') && classes.includes('lang-item')
}

/** The ids of these parents and all their ancestors. Terminates for cyclic parents. */
function ancestorIds(entries: readonly MenuEntry[], parents: readonly number[]): Set<number> {
  const parentOf = new Map(entries.map(({ id, parent }) => [id, parent]))
  // The id of language entries, and the parent of entries at the top.
  parentOf.delete(0)
  const found = new Set(parents)
  for (const id of found) {
    const parent = parentOf.get(id)
    if (parent !== undefined) found.add(parent)
  }
  found.delete(0)
  return found
}

/** The forms in which a custom link may contain the URL: with or without its host, percent-decoded or not. */
function addressesOf(url: string): Set<string> {
  const path = /^[a-z]+:\/\/[^/?#]*(.*)$/is.exec(url)?.[1] ?? url
  return new Set(
    [url, path].flatMap((text) => [normalizeAddress(text), decoded(normalizeAddress(text))]),
  )
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}
