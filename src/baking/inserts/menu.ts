import { escapeHtml, isSafeAddress } from '../escape.ts'
import type { PieceWriter } from '../piece-writer.ts'
import type { Surroundings } from '../pieces.ts'
import type { Insert } from '../program.ts'
import type { Run } from '../run.ts'
import { type MenuItemValue, type MenuValue, menuKey } from '../values.ts'
import { menuChoice } from './menu-choice.ts'

/** `svc/menu`: the list that `wp_nav_menu` prints (nav-menu-template.php), labels escaped. */
export function printMenu(insert: Insert, here: Surroundings, run: Run, out: PieceWriter): void {
  const choice = menuChoice(insert.params)
  if (insert.params.current === true && !run.page) {
    out.live({ live: 'insert', insert, surroundings: here })
    return
  }
  const menu = choice && run.values.menus[menuKey(choice)]
  if (!menu) return
  const { depth, class: className } = insert.params
  const list = new MenuList(menu, run, Number(depth) > 0 ? Number(depth) : Number.POSITIVE_INFINITY)
  out.html(list.html(typeof className === 'string' ? className : 'menu'))
}

/** Walker_Nav_Menu over one menu. */
class MenuList {
  readonly #menu: MenuValue
  readonly #run: Run
  readonly #depth: number
  readonly #children = new Map<number, MenuItemValue[]>()

  constructor(menu: MenuValue, run: Run, depth: number) {
    this.#menu = menu
    this.#run = run
    this.#depth = depth
    const ids = new Set(menu.items.map(({ id }) => id))
    for (const item of menu.items) {
      // An item whose parent is not in the menu is printed at the top, after the others (Walker::walk).
      const parent = ids.has(item.parent) ? item.parent : item.parent === 0 ? 0 : -1
      this.#children.set(parent, [...(this.#children.get(parent) ?? []), item])
    }
  }

  html(className: string): string {
    const slug = escapeHtml(this.#menu.slug)
    const items = [...this.#childrenOf(0), ...this.#childrenOf(-1)]
    if (items.length === 0) return ''
    const list = items.map((item) => this.#item(item, 1)).join('')
    return (
      `<div class="menu-${slug}-container">` +
      `<ul id="menu-${slug}" class="${escapeHtml(className)}">${list}</ul></div>`
    )
  }

  #childrenOf(id: number): readonly MenuItemValue[] {
    return this.#children.get(id) ?? []
  }

  #item(item: MenuItemValue, level: number): string {
    if (!this.#run.budget.takeStep()) return ''
    const children = level < this.#depth ? this.#childrenOf(item.id) : []
    const classes = this.#classes(item, children.length > 0)
    const below = children.map((child) => this.#item(child, level + 1)).join('')
    return (
      `<li id="menu-item-${item.id}" class="${escapeHtml(classes.join(' '))}">` +
      `<a${attributes(item)}>${escapeHtml(item.title)}</a>` +
      `${below === '' ? '' : `\n<ul class="sub-menu">\n${below}</ul>\n`}</li>\n`
    )
  }

  #classes(item: MenuItemValue, hasChildren: boolean): string[] {
    const home = this.#run.values.site.url
    return [
      ...item.classes.filter((name) => name !== ''),
      'menu-item',
      `menu-item-type-${item.type}`,
      `menu-item-object-${item.object}`,
      ...(item.type !== 'custom' && item.url === home ? ['menu-item-home'] : []),
      ...(hasChildren ? ['menu-item-has-children'] : []),
      `menu-item-${item.id}`,
    ]
  }
}

/** In the order of Walker_Nav_Menu::start_el; empty ones are left out. */
function attributes({ attrTitle, target, xfn, url }: MenuItemValue): string {
  const pairs = { target, rel: xfn, href: isSafeAddress(url) ? url : '', title: attrTitle }
  return Object.entries(pairs)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('')
}
