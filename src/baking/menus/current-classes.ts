import type { Value } from '../program.ts'
import { type MenuEntry, normalizeAddress } from './menu-entries.ts'

/** What the page being shown makes of a menu's entries. */
export type CurrentMarks = {
  /** The entry links the page itself. */
  isCurrent(entry: MenuEntry): boolean
  /** Class names of an entry that links the page. */
  ownClasses(entry: MenuEntry): string[]
  /** Class names of an entry above one that does, or that links a page above this one. */
  ancestorClasses(entry: MenuEntry): string[]
}

export const NOTHING_CURRENT: CurrentMarks = {
  isCurrent: () => false,
  ownClasses: () => [],
  ancestorClasses: () => [],
}

/**
 * The marks of the current page and of what is above it, as WordPress gives them on a page
 * (_wp_menu_item_classes_by_context, nav-menu-template.php).
 * @param page what `page.*` gives, `ancestors` among it
 * @param home the site's home in the menu's language
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
  // The entry of the language that is shown links the page and is not its place; neither is what is above it (PLL frontend-nav-menu.php).
  const isCurrent = (entry: MenuEntry): boolean => isLinked(entry) && !isCurrentLanguage(entry)

  const linked = entries.filter(isLinked)
  const current = linked.filter(isCurrent)
  const aboveOf = (below: readonly MenuEntry[]): Set<number> =>
    ancestorIds(
      entries,
      below.filter(({ inDropdown }) => !inDropdown).map(({ parent }) => parent),
    )
  const ancestors = aboveOf(linked)
  const parents = new Set(linked.map(({ parent }) => parent))
  const kept = aboveOf(current)
  for (const id of aboveOf(entries.filter(isCurrentLanguage))) {
    if (kept.has(id)) continue
    ancestors.delete(id)
    parents.delete(id)
  }
  const pagesAbove = new Set(idsIn(page.ancestors))
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
        entry.type === 'post_type' && pagesAbove.has(entry.objectId) && 'current-page-ancestor',
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

/** The entry of a switcher for the language in which the page is shown. */
function isCurrentLanguage({ lang, classes }: MenuEntry): boolean {
  return lang !== undefined && classes.includes('current-lang')
}

/** The ids of these and of all that is above them; a circle of parents ends. */
function ancestorIds(entries: readonly MenuEntry[], parents: readonly number[]): Set<number> {
  const parentOf = new Map(entries.map(({ id, parent }) => [id, parent]))
  const found = new Set(parents)
  for (const id of found) {
    const parent = parentOf.get(id)
    if (parent !== undefined) found.add(parent)
  }
  found.delete(0)
  return found
}

/** The spellings of an address that a custom link may have: with its host or without, decoded or not. */
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

function idsIn(rows: Value): Value[] {
  if (!Array.isArray(rows)) return []
  return rows.map((row) =>
    typeof row === 'object' && row !== null && !Array.isArray(row) ? row.id : undefined,
  )
}
