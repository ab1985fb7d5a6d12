/** As much of an item as its place needs. */
export type HierarchyItem = { readonly id: number; readonly parent: number }

/**
 * How the items of a menu stand among each other, whatever is stored: an item whose parent is not in the menu stands at the top in
 * its place, as visitors see it, and so does one of every circle of parents. Works without recursion, on menus of any depth.
 */
export class ItemHierarchy {
  readonly #parents = new Map<number, number>()
  readonly #levels = new Map<number, number[]>()

  /** @param items in their stored order */
  constructor(items: readonly HierarchyItem[]) {
    for (const { id, parent } of items) this.#parents.set(id, parent)
    this.#leadToTop(items)
    for (const [id, parent] of this.#parents) this.#levelOf(parent).push(id)
  }

  /** The ids of the items under one, or with 0 of those at the top. */
  level(parent: number): readonly number[] {
    return this.#levels.get(parent) ?? []
  }

  /** The id of an item and those of all below it, in order; with 0 of all items. */
  branch(id: number): number[] {
    const found: number[] = []
    const open = [id]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next !== 0) found.push(next)
      for (const below of [...this.level(next)].reverse()) open.push(below)
    }
    return found
  }

  /** How many items stand one below another from the top down to this one; 0 for 0. */
  depth(id: number): number {
    let depth = 0
    for (let at = id; at !== 0; at = this.#parents.get(at) ?? 0) depth += 1
    return depth
  }

  /** How many levels a branch has. */
  height(id: number): number {
    let height = 0
    for (let level: readonly number[] = [id]; level.length > 0; height += 1)
      level = level.flatMap((at) => this.level(at))
    return height
  }

  /** Puts an item at the end of a level, with all below it if it stood elsewhere. */
  append(id: number, parent: number): void {
    this.remove(id)
    this.#parents.set(id, parent)
    this.#levelOf(parent).push(id)
  }

  /** Takes an item off its level, and with it all below it. */
  remove(id: number): void {
    const parent = this.#parents.get(id)
    if (parent === undefined) return
    this.setLevel(
      parent,
      this.level(parent).filter((other) => other !== id),
    )
  }

  /** Gives a level another order. */
  setLevel(parent: number, ids: readonly number[]): void {
    this.#levels.set(parent, [...ids])
  }

  #levelOf(parent: number): number[] {
    const level = this.#levels.get(parent) ?? []
    this.#levels.set(parent, level)
    return level
  }

  /** Makes every way up end at the top: one without an end is cut above the item where it comes back to itself. */
  #leadToTop(items: readonly HierarchyItem[]): void {
    const done = new Set([0])
    for (const { id } of items) {
      const way = new Set<number>()
      let at = id
      while (!done.has(at)) {
        way.add(at)
        const parent = this.#parents.get(at) ?? 0
        if (way.has(parent)) this.#parents.set(parent, 0)
        else if (!this.#parents.has(parent)) this.#parents.set(at, 0)
        at = this.#parents.get(at) ?? 0
      }
      for (const passed of way) done.add(passed)
    }
  }
}
