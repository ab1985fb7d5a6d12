/** The fields of an item that its position depends on. */
export type HierarchyItem = { readonly id: number; readonly parent: number }

/**
 * The parent-child relations of a menu's items, for any stored data: an item whose parent is not in the menu is at the top level, as
 * visitors see it, and so is one item of every cycle of parents. Works without recursion, on menus of any depth.
 */
export class ItemHierarchy {
  readonly #parents = new Map<number, number>()
  readonly #levels = new Map<number, number[]>()

  /** @param items in their stored order */
  constructor(items: readonly HierarchyItem[]) {
    for (const { id, parent } of items) this.#parents.set(id, parent)
    this.#breakCycles(items)
    for (const [id, parent] of this.#parents) this.#levelOf(parent).push(id)
  }

  /** The ids of an item's children, or with 0 of the items at the top level. */
  level(parent: number): readonly number[] {
    return this.#levels.get(parent) ?? []
  }

  /** The ids of an item and all its descendants, in order; with 0 of all items. */
  branch(id: number): number[] {
    const found: number[] = []
    const open = [id]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next !== 0) found.push(next)
      for (const child of [...this.level(next)].reverse()) open.push(child)
    }
    return found
  }

  /** All items, parents before their children: the position of each, `1.0` for the first child of the second one, and the index of its parent, -1 at the top. */
  flat(): { readonly id: number; readonly at: string; readonly parent: number }[] {
    const items: { id: number; at: string; parent: number }[] = []
    const open: typeof items = []
    const push = (id: number, prefix: string, parent: number): void => {
      for (const [index, child] of [...this.level(id).entries()].reverse())
        open.push({ id: child, at: `${prefix}${index}`, parent })
    }
    push(0, '', -1)
    for (let next = open.pop(); next; next = open.pop()) {
      items.push(next)
      push(next.id, `${next.at}.`, items.length - 1)
    }
    return items
  }

  /** The number of levels from the top to this item; 0 for 0. */
  depth(id: number): number {
    let depth = 0
    for (let item = id; item !== 0; item = this.#parents.get(item) ?? 0) depth += 1
    return depth
  }

  /** The number of levels of a branch. */
  height(id: number): number {
    let height = 0
    for (let level: readonly number[] = [id]; level.length > 0; height += 1)
      level = level.flatMap((at) => this.level(at))
    return height
  }

  /** Adds or moves an item to the end of a level, together with its descendants. */
  append(id: number, parent: number): void {
    this.remove(id)
    this.#parents.set(id, parent)
    this.#levelOf(parent).push(id)
  }

  /** Removes an item from its level, together with its descendants. */
  remove(id: number): void {
    const parent = this.#parents.get(id)
    if (parent === undefined) return
    this.setLevel(
      parent,
      this.level(parent).filter((other) => other !== id),
    )
  }

  /** Sets the items of a level and their order. */
  setLevel(parent: number, ids: readonly number[]): void {
    this.#levels.set(parent, [...ids])
  }

  #levelOf(parent: number): number[] {
    const level = this.#levels.get(parent) ?? []
    this.#levels.set(parent, level)
    return level
  }

  /** Makes every chain of parents end at the top level: a cycle is cut above the item that closes it. */
  #breakCycles(items: readonly HierarchyItem[]): void {
    const done = new Set([0])
    for (const { id } of items) {
      const path = new Set<number>()
      let at = id
      while (!done.has(at)) {
        path.add(at)
        const parent = this.#parents.get(at) ?? 0
        if (path.has(parent)) this.#parents.set(parent, 0)
        else if (!this.#parents.has(parent)) this.#parents.set(at, 0)
        at = this.#parents.get(at) ?? 0
      }
      for (const passed of path) done.add(passed)
    }
  }
}
