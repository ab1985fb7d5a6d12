import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type HierarchyItem, ItemHierarchy } from '../../../src/content/menus/item-hierarchy.ts'

/** Items whose parent may be missing, the item itself, or part of a cycle. */
const items = fc
  .uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 20 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id) =>
        fc.integer({ min: 0, max: 32 }).map((parent): HierarchyItem => ({ id, parent })),
      ),
    ),
  )

const sorted = (ids: readonly number[]): number[] => [...ids].sort((a, b) => a - b)
const idsOf = (placed: readonly HierarchyItem[]): number[] => placed.map(({ id }) => id)

describe('ItemHierarchy', () => {
  it('lists branches and levels in order', () => {
    const menu = new ItemHierarchy([
      { id: 1, parent: 0 },
      { id: 2, parent: 1 },
      { id: 3, parent: 0 },
      { id: 4, parent: 2 },
      { id: 5, parent: 1 },
    ])
    expect(menu.branch(0)).toEqual([1, 2, 4, 5, 3])
    expect(menu.level(0)).toEqual([1, 3])
    expect(menu.level(1)).toEqual([2, 5])
    expect(menu.branch(1)).toEqual([1, 2, 4, 5])
    expect([menu.depth(0), menu.depth(1), menu.depth(4)]).toEqual([0, 1, 3])
    expect([menu.height(1), menu.height(4)]).toEqual([3, 1])
  })

  it('puts items with a missing parent, and one item of each cycle, at the top level', () => {
    const menu = new ItemHierarchy([
      { id: 1, parent: 99 },
      { id: 2, parent: 2 },
      { id: 3, parent: 4 },
      { id: 4, parent: 3 },
      { id: 5, parent: 4 },
    ])
    expect(menu.branch(0)).toEqual([1, 2, 3, 4, 5])
  })

  it('moves an item with its descendants to the end of a level', () => {
    const menu = new ItemHierarchy([
      { id: 1, parent: 0 },
      { id: 2, parent: 1 },
      { id: 3, parent: 0 },
      { id: 4, parent: 3 },
    ])
    menu.append(1, 3)
    expect(menu.branch(0)).toEqual([3, 4, 1, 2])
    menu.setLevel(3, [1, 4])
    expect(menu.branch(0)).toEqual([3, 1, 2, 4])
    menu.remove(1)
    expect(menu.branch(0)).toEqual([3, 4])
  })

  it('contains each item exactly once, for any stored data', () => {
    fc.assert(
      fc.property(items, (placed) => {
        const menu = new ItemHierarchy(placed)
        expect(sorted(menu.branch(0))).toEqual(sorted(idsOf(placed)))
      }),
    )
  })

  it('keeps parents that lead to the top level', () => {
    fc.assert(
      fc.property(items, (placed) => {
        const menu = new ItemHierarchy(placed)
        const parents = new Map(placed.map(({ id, parent }) => [id, parent]))
        for (const { id, parent } of placed) {
          const way = new Set<number>()
          let at = id
          while (parents.has(at) && !way.has(at)) {
            way.add(at)
            at = parents.get(at) ?? 0
          }
          if (at === 0) expect(menu.level(parent)).toContain(id)
        }
      }),
    )
  })

  it('reads menus deeper than any stack', () => {
    const deep = Array.from({ length: 20_000 }, (_, index) => ({ id: index + 1, parent: index }))
    const menu = new ItemHierarchy(deep.reverse())
    expect(menu.branch(0)).toHaveLength(20_000)
    expect(menu.depth(20_000)).toBe(20_000)
  })
})
