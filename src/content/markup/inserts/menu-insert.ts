import { sanitizeUrl } from '../../../wordpress/formatting/sanitize-url.ts'
import type { Budget } from '../evaluation/budget.ts'
import { escapeHtml } from '../evaluation/escape.ts'
import type { Evaluation } from '../evaluation/evaluation.ts'
import type { PieceWriter, Scope } from '../evaluation/pieces.ts'
import type { Insert } from '../evaluation/program.ts'
import { type MenuChoice, menuKey } from '../evaluation/values.ts'
import {
  type CurrentMarks,
  currentMarks,
  entryClasses,
  NOTHING_CURRENT,
} from '../menus/item-classes.ts'
import { countEntries, type MenuEntry, menuEntries, textLength } from '../menus/menu-entries.ts'
import { type MenuNode, menuTree, parentOf } from '../menus/menu-tree.ts'
import type { Params } from '../nodes.ts'
import { parsePath } from '../value-path.ts'
import type { InsertDefinition } from './insert-definition.ts'

/** `svc/menu`: prints the same list as `wp_nav_menu` (nav-menu-template.php), with escaped labels. */
export const menuInsert: InsertDefinition = {
  kinds: ['menu'],
  parameters: [
    {
      name: 'location',
      value: 'location',
      description: 'The theme location whose menu is printed.',
    },
    { name: 'menu', value: 'menu', description: 'Id or slug of the menu, instead of `location`.' },
    {
      name: 'lang',
      value: 'language',
      description: "Language of the menu, instead of the page's language.",
    },
    { name: 'depth', value: 'number', description: 'Number of levels; 0 for all.' },
    { name: 'class', value: 'classes', description: 'Class of the list.' },
    {
      name: 'current',
      value: 'boolean',
      description: 'True marks the current page and its ancestors.',
    },
  ],
  embeds: null,
  path: ({ location }) =>
    typeof location === 'string' ? parsePath(`menu.${location.trim()}`) : undefined,
  missingInput: ({ params: { menu } }, { path }) =>
    path || typeof menu === 'string' || typeof menu === 'number'
      ? undefined
      : 'This svc/menu names neither a "location" nor a "menu"; it prints nothing.',
  menu: (params) => menuChoice(params)?.menu,
  needs: ({ params }) => ({
    menu: menuChoice(params),
    page: params.current === true ? ['ancestors'] : [],
  }),
  // Menus show titles and URLs of pages.
  shows: ['menus', 'pages', 'languages', 'settings'],
  liveReason: ({ current }) => (current === true ? 'svc/menu current' : undefined),
  print: printMenu,
}

/** The menu that the parameters select; undefined if they select none. */
function menuChoice({ location, menu, lang }: Params): MenuChoice | undefined {
  const language = typeof lang === 'string' && lang !== '' ? { lang } : {}
  if (typeof menu === 'string' || typeof menu === 'number')
    return { menu: String(menu), ...language }
  if (typeof location === 'string') return { location: location.trim(), ...language }
  return undefined
}

function printMenu(insert: Insert, scope: Scope, evaluation: Evaluation, out: PieceWriter): void {
  const { params } = insert
  const choice = menuChoice(params)
  const menu = choice && evaluation.values.menus[menuKey(choice)]
  if (!menu || menu.items.length === 0) return
  const baseId = `menu-${menu.slug}`
  const listId = insert.listId ?? freeId(baseId, evaluation)
  evaluation.listIds.add(listId)
  const marksCurrent = params.current === true
  if (!evaluation.page && (marksCurrent || menu.hasSwitcher)) {
    out.defer({ node: { ...insert, listId }, scope, pieces: [] })
    return
  }
  const { budget } = evaluation
  if (!budget.takeStep(countEntries(menu, evaluation.page))) return
  if (!budget.mayPrint({ length: textLength(menu) })) return
  const entries = menuEntries(menu, evaluation.page)
  if (entries.length === 0) return
  const depth = Math.max(-1, Math.trunc(Number(params.depth)) || 0)
  const list: MenuList = {
    out,
    budget,
    depth,
    marks:
      marksCurrent && evaluation.page
        ? currentMarks(entries, evaluation.page, menu.home)
        : NOTHING_CURRENT,
    parents: new Set(entries.map(parentOf)),
    // On a page that shows a menu twice, only the first list gets item ids (_nav_menu_item_id_use_once).
    withIds: listId === baseId,
  }
  const className = typeof params.class === 'string' ? params.class : 'menu'
  out.html(`<div class="${escapeHtml(baseId)}-container">`)
  out.html(`<ul id="${escapeHtml(listId)}" class="${escapeHtml(className)}">`)
  for (const node of menuTree(entries, depth)) printItem(node, 0, list)
  out.html('</ul></div>')
}

/** State while one menu is printed. */
type MenuList = {
  readonly out: PieceWriter
  readonly budget: Budget
  readonly depth: number
  readonly marks: CurrentMarks
  /** Ids of the items that have children. */
  readonly parents: ReadonlySet<number>
  readonly withIds: boolean
}

/** Prints an item as Walker_Nav_Menu does, including white space. */
function printItem({ entry, children }: MenuNode, level: number, list: MenuList): void {
  const { out, budget } = list
  if (!budget.takeStep()) return
  const indent = '\t'.repeat(level)
  const id = list.withIds ? ` id="menu-item-${escapeHtml(entry.key)}"` : ''
  const classes = entryClasses(entry, list.marks, hasChildren(entry, level, list)).join(' ')
  out.html(`${indent}<li${id} class="${escapeHtml(classes)}">`)
  out.html(`<a${attributesOf(entry, list.marks)}>${entry.html ?? escapeHtml(entry.title)}</a>`)
  if (children.length > 0) {
    out.html(`\n${indent}<ul class="sub-menu">\n`)
    for (const child of children) printItem(child, level + 1, list)
    out.html(`${indent}</ul>\n`)
  }
  out.html('</li>\n')
}

/** WordPress looks children up by item id, which language entries do not have. */
function hasChildren(entry: MenuEntry, level: number, { depth, parents }: MenuList): boolean {
  const isBottom = depth !== 0 && level + 1 >= depth
  return entry.key === String(entry.id) && parents.has(entry.id) && !isBottom
}

/** The non-empty attributes in the order of Walker_Nav_Menu::start_el. */
function attributesOf(entry: MenuEntry, marks: CurrentMarks): string {
  const { target, xfn, url, attrTitle, title, lang } = entry
  const plain = (text: string): string => text.trim().toLowerCase()
  const pairs = {
    target,
    rel: xfn,
    href: sanitizeUrl(url),
    'aria-current': marks.isCurrent(entry) ? 'page' : '',
    title: plain(attrTitle) === plain(title) ? '' : attrTitle,
    lang: lang ?? '',
    hreflang: lang ?? '',
  }
  return Object.entries(pairs)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('')
}

/** The id, with a numeric suffix if it is already used (wp_nav_menu). */
function freeId(id: string, evaluation: Evaluation): string {
  const taken = evaluation.listIds
  if (!taken.has(id)) return id
  // Ids never become free again, so each search continues where the last one ended.
  const lastNumbers = evaluation.memoize('last numbers', taken, () => new Map<string, bigint>())
  const [, stem = `${id}-`, digits = '0'] = /^(.*-)(\d+)$/s.exec(id) ?? []
  let number = lastNumbers.get(id) ?? BigInt(digits)
  do number += 1n
  while (taken.has(`${stem}${number}`))
  lastNumbers.set(id, number)
  return `${stem}${number}`
}
