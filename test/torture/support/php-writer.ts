import { WordPress } from '../../../compat/support/wordpress.ts'
import type { Facts } from './facts.ts'

const PATH = '/shop/'
/** Keys of the theme mods that PHP writes, in a cycle. */
const KEYS = 10

/** A WordPress that writes theme mods and adds menu items, each in its own request. */
export class PhpWriter {
  readonly #wordpress: WordPress
  readonly #menuId: number
  readonly #mods = new Map<string, number>()
  readonly #titles: string[] = []

  constructor(url: string, menuId: number) {
    this.#wordpress = new WordPress(url)
    this.#menuId = menuId
  }

  async writeUntil(isOver: () => boolean): Promise<void> {
    for (let count = 1; !isOver(); count += 1) {
      const key = `php_${count % KEYS}`
      const title = `php ${count}`
      const item = {
        'menu-item-title': title,
        'menu-item-url': `/php/${count}/`,
        'menu-item-status': 'publish',
      }
      const calls = [
        ['set_theme_mod', [key, count]],
        ['wp_update_nav_menu_item', [this.#menuId, 0, item]],
      ]
      await this.#wordpress.ask('calls', calls, { site: PATH })
      this.#mods.set(key, count)
      this.#titles.push(title)
    }
  }

  get figures(): string {
    return `${this.#titles.length} of theme mods, ${this.#titles.length} of menu items`
  }

  /** A sentence for each of its writes whose result is missing. */
  async lost(facts: Facts): Promise<string[]> {
    const keys = [...this.#mods.keys()]
    const calls = keys.map((key) => ['get_theme_mod', [key]])
    const values = await this.#wordpress.ask<unknown[]>('calls', calls, { site: PATH })
    return [
      ...keys
        .filter((key, index) => values[index] !== this.#mods.get(key))
        .map((key) => `the theme mod ${key} of PHP's is not ${this.#mods.get(key)}`),
      ...this.#titles
        .filter((title) => !facts.has(`branch ${title}`))
        .map((title) => `the item ${title} of PHP's is missing`),
    ]
  }
}
